import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type CachePolicy,
  cachePolicies,
  matchesEtag,
  type Representation,
} from './representation.ts';

/** A body, and how long it may be kept. */
export type RouteResult = {
  readonly representation: Representation;
  /** The value of Cache-Control. */
  readonly cacheControl: string;
  /** The value of Link; undefined for none. */
  readonly link?: string | undefined;
  /** The value of Vatfx-Hint: a remark on the number of the request; null or undefined for none. */
  readonly hint?: string | null;
  /** The name under which a browser saves the body; undefined if it shows it. */
  readonly fileName?: string;
};

/** A result that is the same for every caller. */
export function publicResult(
  representation: Representation,
  policy: CachePolicy,
  link?: string,
): RouteResult {
  return { representation, cacheControl: cachePolicies[policy], link };
}

/** A response with status 200 that can be sent by the framework, or written to a socket in one piece. */
export class PreparedResponse {
  /** The pattern of the route, for logs and metrics. */
  readonly route: string;
  readonly result: RouteResult;
  /** How many requests it counts as, each time that it is sent. */
  readonly cost: number;
  #fields: string | undefined;

  constructor(route: string, result: RouteResult, cost = 1) {
    this.route = route;
    this.result = result;
    this.cost = cost;
  }

  /** Whether a caller that sends this If-None-Match already has the body (contract C9). */
  isKnownTo(ifNoneMatch: string | undefined): boolean {
    const { etag } = this.result.representation;
    return etag !== null && matchesEtag(ifNoneMatch, etag);
  }

  /** The header lines that 200 and 304 have in common, as the framework prints them. */
  get validatorFields(): string {
    const { representation, cacheControl, link } = this.result;
    const etag = representation.etag === null ? '' : `etag: ${representation.etag}\r\n`;
    const ofLink = link === undefined ? '' : `link: ${link}\r\n`;
    return `${etag}cache-control: ${cacheControl}\r\n${ofLink}`;
  }

  /** All header lines of the 200 that depend on the result. */
  get fields(): string {
    if (this.#fields !== undefined) return this.#fields;
    const { representation, hint } = this.result;
    const { type, length } = representation;
    const disposition = this.#disposition;
    const ofHint = typeof hint === 'string' ? `vatfx-hint: ${hint}\r\n` : '';
    const ofFile = disposition === undefined ? '' : `content-disposition: ${disposition}\r\n`;
    const ofBody = `content-type: ${type}\r\ncontent-length: ${length}\r\n`;
    return (this.#fields = this.validatorFields + ofHint + ofFile + ofBody);
  }

  /** The value of Content-Disposition (RFC 6266). Names have letters, digits, dots and hyphens only. */
  get #disposition(): string | undefined {
    const { fileName } = this.result;
    return fileName === undefined ? undefined : `attachment; filename="${fileName}"`;
  }

  send(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { representation, cacheControl, link, hint } = this.result;
    if (representation.etag !== null) reply.header('etag', representation.etag);
    reply.header('cache-control', cacheControl);
    if (link !== undefined) reply.header('link', link);
    if (typeof hint === 'string') reply.header('vatfx-hint', hint);
    if (this.isKnownTo(request.headers['if-none-match'])) return reply.code(304).send();
    const disposition = this.#disposition;
    if (disposition !== undefined) reply.header('content-disposition', disposition);
    return reply.type(representation.type).send(representation.body);
  }
}
