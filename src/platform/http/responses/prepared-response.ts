import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type CachePolicy,
  cachePolicies,
  matchesEtag,
  type Representation,
} from './representation.ts';

/** What was looked up: a body, and how long it may be kept. */
export type Found = {
  readonly representation: Representation;
  /** The value of Cache-Control. */
  readonly cacheControl: string;
};

/** The same bytes for everybody, for as long as the policy says. */
export function publicly(representation: Representation, policy: CachePolicy): Found {
  return { representation, cacheControl: cachePolicies[policy] };
}

/** An answer with 200, ready to be sent in either way: by the framework, or in one write. */
export class Answer {
  /** The pattern of the route, for logs and metrics. */
  readonly route: string;
  readonly found: Found;
  /** How many requests it counts as, each time that it is given. */
  readonly cost: number;
  #fields: string | undefined;

  constructor(route: string, found: Found, cost = 1) {
    this.route = route;
    this.found = found;
    this.cost = cost;
  }

  /** Whether a caller who sends this If-None-Match has the body already (contract C9). */
  isKnownTo(ifNoneMatch: string | undefined): boolean {
    const { etag } = this.found.representation;
    return etag !== null && matchesEtag(ifNoneMatch, etag);
  }

  /** The header lines that 200 and 304 have in common, as the framework prints them. */
  get validatorFields(): string {
    const { representation, cacheControl } = this.found;
    const etag = representation.etag === null ? '' : `etag: ${representation.etag}\r\n`;
    return `${etag}cache-control: ${cacheControl}\r\n`;
  }

  /** All header lines of the 200 that depend on what was found. */
  get fields(): string {
    if (this.#fields !== undefined) return this.#fields;
    const { type, length } = this.found.representation;
    const ofBody = `content-type: ${type}\r\ncontent-length: ${length}\r\n`;
    return (this.#fields = this.validatorFields + ofBody);
  }

  send(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { representation, cacheControl } = this.found;
    if (representation.etag !== null) reply.header('etag', representation.etag);
    reply.header('cache-control', cacheControl);
    if (this.isKnownTo(request.headers['if-none-match'])) return reply.code(304).send();
    return reply.type(representation.type).send(representation.body);
  }
}
