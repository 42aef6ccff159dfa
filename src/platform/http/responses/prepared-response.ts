import type { ServerResponse } from 'node:http';
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
  /** Whether the request was beyond a limit, so that its connection ends (contract C26a). */
  readonly isOverLimit?: boolean;
};

/** A result that is the same for every caller. */
export function publicResult(
  representation: Representation,
  policy: CachePolicy,
  link?: string,
): RouteResult {
  return { representation, cacheControl: cachePolicies[policy], link };
}

/** A response to a GET, as 200 or as 304, made once and sent as often as it is requested. */
export class PreparedResponse {
  /** The pattern of the route, for logs and metrics. */
  readonly route: string;
  readonly #result: RouteResult;
  /** Flat lists of the header fields that depend on the result; each is made when it is first sent. */
  readonly #fields: { [status in 200 | 304]?: string[] } = {};

  constructor(route: string, result: RouteResult) {
    this.route = route;
    this.#result = result;
  }

  get etag(): string | null {
    return this.#result.representation.etag;
  }

  get isOverLimit(): boolean {
    return this.#result.isOverLimit === true;
  }

  /** The length of the body in bytes. */
  get length(): number {
    return this.#result.representation.length;
  }

  /** Writes the response in one piece, with further header fields (a flat list) in front, and returns its status. */
  write(to: ServerResponse, fields: readonly string[], ifNoneMatch: string | undefined): number {
    const status = this.#statusFor(ifNoneMatch);
    to.writeHead(status, fields.concat((this.#fields[status] ??= this.#fieldsOf(status))));
    if (status === 304) to.end();
    else to.end(this.#result.representation.sent, 'latin1');
    return status;
  }

  /** Writes the response to a request of the framework, with the fields that its hooks have set. */
  send({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
    reply.hijack();
    const fields = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      [value].flat().flatMap((one) => [name, String(one)]),
    );
    this.write(reply.raw, fields, headers['if-none-match']);
    return reply;
  }

  /** 304 if the caller already has the body (contract C9). */
  #statusFor(ifNoneMatch: string | undefined): 200 | 304 {
    return this.etag !== null && matchesEtag(ifNoneMatch, this.etag) ? 304 : 200;
  }

  #fieldsOf(status: 200 | 304): string[] {
    const { representation, cacheControl, link, hint, fileName } = this.#result;
    const fields: string[] = [];
    const add = (name: string, value: string | null | undefined): void => {
      if (typeof value === 'string') fields.push(name, value);
    };
    add('etag', representation.etag);
    add('cache-control', cacheControl);
    add('link', link);
    if (this.isOverLimit) add('connection', 'close');
    if (status === 304) return fields;
    add('vatfx-hint', hint);
    // RFC 6266. Names have letters, digits, dots and hyphens only.
    if (fileName !== undefined) add('content-disposition', `attachment; filename="${fileName}"`);
    add('content-type', representation.type);
    add('content-length', String(representation.length));
    return fields;
  }
}
