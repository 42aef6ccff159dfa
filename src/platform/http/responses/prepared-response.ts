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
};

/** A result that is the same for every caller. */
export function publicResult(
  representation: Representation,
  policy: CachePolicy,
  link?: string,
): RouteResult {
  return { representation, cacheControl: cachePolicies[policy], link };
}

/** A response to a GET, as 200 or as 304, made once and sent as often as it is asked for. */
export class PreparedResponse {
  /** The pattern of the route, for logs and metrics. */
  readonly route: string;
  readonly #result: RouteResult;
  /** Flat lists of the header fields of both, for `writeHead`; each is made when it is first sent. */
  readonly #heads: { [status in 200 | 304]?: string[] } = {};

  constructor(route: string, result: RouteResult) {
    this.route = route;
    this.#result = result;
  }

  get etag(): string | null {
    return this.#result.representation.etag;
  }

  /** The length of the body in bytes. */
  get length(): number {
    return this.#result.representation.length;
  }

  /** Writes the response in one piece, and returns its status. `fixed` is a flat list of the fields of every response. */
  write(
    to: ServerResponse,
    of: {
      readonly requestId: string;
      readonly ifNoneMatch: string | undefined;
      readonly fixed: readonly string[];
    },
  ): number {
    const status = this.#statusFor(of.ifNoneMatch);
    const head = (this.#heads[status] ??= [
      'x-request-id',
      '',
      ...of.fixed,
      ...this.#fieldsOf(status),
    ]);
    // The other fields are the same each time; Node prints all of them within this call.
    head[1] = of.requestId;
    to.writeHead(status, head);
    if (status === 304) to.end();
    else to.end(this.#result.representation.byteText, 'latin1');
    return status;
  }

  /** Sends the response through the framework. */
  send(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const status = this.#statusFor(request.headers['if-none-match']);
    const fields = this.#fieldsOf(status);
    for (let at = 0; at < fields.length; at += 2) reply.header(fields[at] ?? '', fields[at + 1]);
    reply.code(status);
    return status === 304 ? reply.send() : reply.send(this.#result.representation.body);
  }

  /** 304 if the caller already has the body (contract C9). */
  #statusFor(ifNoneMatch: string | undefined): 200 | 304 {
    return this.etag !== null && matchesEtag(ifNoneMatch, this.etag) ? 304 : 200;
  }

  /** The header fields that depend on the result. */
  #fieldsOf(status: 200 | 304): string[] {
    const { representation, cacheControl, link, hint, fileName } = this.#result;
    const fields: [string, string | null | undefined][] = [
      ['etag', representation.etag],
      ['cache-control', cacheControl],
      ['link', link],
    ];
    if (status === 200) {
      // RFC 6266. Names have letters, digits, dots and hyphens only.
      const saved = fileName === undefined ? undefined : `attachment; filename="${fileName}"`;
      fields.push(
        ['vatfx-hint', hint],
        ['content-disposition', saved],
        ['content-type', representation.type],
        ['content-length', String(representation.length)],
      );
    }
    return fields.flatMap(([name, value]) => (typeof value === 'string' ? [name, value] : []));
  }
}
