import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { andThen } from '../../maybe-async.ts';
import { Answer, type Found } from '../responses/prepared-response.ts';
import type { AnswerMemory } from '../responses/response-cache.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import { addReadRoute, type Charge } from './routes.ts';
import { findUnknown, type KnownQuery } from './strict-query.ts';

/** The scope of every look-up; the fast path lets only keys in that have it. */
export const lookupScope = 'read';

/** What was asked for: the parts of the path that have names, and the query. */
export type Asked = {
  readonly params: Readonly<Record<string, string>>;
  /** A parameter that was given twice is a list. */
  readonly query: Readonly<Record<string, unknown>>;
};

/**
 * A route that looks something up: its answer follows from the URL alone, whichever caller asks.
 *
 * Its steps are in the order of contract C3: the parameters, then what is free, then the charge, then the work.
 */
export type Lookup<Parameters> = {
  /** As the router has it: without names, or with names for all parts but the first. */
  readonly url: string;
  readonly operation: string;
  /** Its query parameters; none where this is left out. */
  readonly query?: KnownQuery;
  /**
   * Gives the parameters as plain data, in one form for all ways to write them, or throws the 4xx. Answers are
   * remembered by them.
   */
  readonly read: (asked: Asked) => Parameters;
  /** How many requests it counts as against rate limit and quota; 1 where this is left out. */
  readonly cost?: (parameters: Parameters) => number;
  /** Bounds how many are answered at a time from the database; for expensive look-ups. */
  readonly limit?: ConcurrencyLimit;
  /**
   * An answer that costs the caller nothing; undefined, now or later, where there is none. A look-up that has
   * this keeps its own memory.
   */
  readonly findFree?: (parameters: Parameters) => Found | undefined | Promise<Found | undefined>;
  /** Gives what there is, or throws why there is none. */
  readonly find: (parameters: Parameters, request: LookupRequest) => Found | Promise<Found>;
};

/** A request as far as a look-up is concerned. */
export type LookupRequest = {
  /** The request target as it was sent. */
  readonly target: string;
  readonly keyId: string;
  /** Parsed parameters; rethrows the parse error. */
  readonly parameters: () => unknown;
  /** Counts it as so many requests, or throws the 429. */
  readonly charge: (cost: number) => void | Promise<void>;
  /** The age of the request. */
  readonly elapsedMs: () => number;
};

/** A look-up with its types forgotten, so that all can be in one table. */
type AnyLookup = Lookup<unknown>;

/** A request target in its parts; none of the segments is empty. */
export type Target = {
  readonly path: string;
  readonly segments: readonly string[];
  readonly query: Asked['query'];
};

/** The look-up that a target is for, and what it is asked. */
export type Match = { readonly lookup: AnyLookup; readonly asked: Asked };

/**
 * The routes that look something up, for the framework and for the fast path alike.
 *
 * Public answers are remembered by their parameters until something is published. Values that are available
 * synchronously are returned synchronously: a promise costs more than finding an answer in memory.
 */
export class Lookups {
  readonly #memory: AnswerMemory;
  readonly #byUrl = new Map<string, AnyLookup>();
  /** Those with named parts, by how such paths begin and how many parts they have. */
  readonly #patterns = new Map<string, { readonly lookup: AnyLookup; readonly names: string[] }>();

  constructor(memory: AnswerMemory) {
    this.#memory = memory;
  }

  /** Adds a look-up to the routes of an app, and to those of the fast path. */
  add<Parameters>(app: FastifyInstance, charge: Charge, lookup: Lookup<Parameters>): void {
    const { url, operation, query = [] } = lookup;
    const strict = {
      ...lookup,
      read: (asked: Asked) => {
        const error = findUnknown(asked.query, query);
        if (error !== undefined) throw error;
        return lookup.read(asked);
      },
    } as AnyLookup;
    const [first = '', ...others] = url.slice(1).split('/');
    if (others.every((part) => part.startsWith(':')) && others.length > 0) {
      const names = others.map((part) => part.slice(1));
      this.#patterns.set(shapeOf([first, ...names]), { lookup: strict, names });
    } else {
      this.#byUrl.set(url, strict);
    }
    addReadRoute(app, url, {
      operation,
      scope: lookupScope,
      query,
      handler: (request, reply) => this.#handle(strict, charge, request, reply),
    });
  }

  /** The look-up that a target is for, as the router would find it. */
  match({ path, segments, query }: Target): Match | undefined {
    const literal = this.#byUrl.get(path);
    if (literal !== undefined) return { lookup: literal, asked: { params: {}, query } };
    const pattern = this.#patterns.get(shapeOf(segments));
    if (pattern === undefined) return undefined;
    const params: Record<string, string> = {};
    for (const [at, name] of pattern.names.entries()) params[name] = segments[at + 1] ?? '';
    return { lookup: pattern.lookup, asked: { params, query } };
  }

  /** An answer that is in memory; it is to be charged. */
  recall(target: string): Answer | undefined {
    return this.#memory.find(target);
  }

  /** Answers what is not in memory, or throws why not, at once or later. */
  find(lookup: AnyLookup, request: LookupRequest): Answer | Promise<Answer> {
    const parameters = request.parameters();
    return andThen(lookup.findFree?.(parameters), (free): Answer | Promise<Answer> =>
      free === undefined
        ? this.#findCharged(lookup, parameters, request)
        : new Answer(lookup.url, free),
    );
  }

  #findCharged(
    lookup: AnyLookup,
    parameters: unknown,
    request: LookupRequest,
  ): Answer | Promise<Answer> {
    const cost = lookup.cost?.(parameters) ?? 1;
    const make = (key?: string): Answer | Promise<Answer> =>
      andThen(request.charge(cost), () => {
        const { generation } = this.#memory;
        return andThen(lookup.find(parameters, request), (found) => {
          const answer = new Answer(lookup.url, found, cost);
          // An answer without a validator is not the same for all callers, or not for long.
          if (found.representation.etag !== null && key !== undefined) {
            this.#memory.remember(generation, { key, target: request.target, answer });
          }
          return answer;
        });
      });
    if (lookup.findFree !== undefined) return make();
    const key = keyOf(lookup, parameters);
    const known = this.#memory.findByKey(key, request.target);
    if (known !== undefined) return andThen(request.charge(cost), () => known);
    // Before the charge: what is refused costs nothing (contract C3).
    return lookup.limit?.run(request.keyId, async () => make(key)) ?? make(key);
  }

  async #handle(
    lookup: AnyLookup,
    charge: Charge,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const target = request.raw.url ?? '';
    const known = this.recall(target);
    if (known !== undefined) {
      await charge(request, known.cost);
      return known.send(request, reply);
    }
    const answer = await this.find(lookup, {
      target,
      keyId: request.keyId ?? '',
      parameters: () =>
        lookup.read({
          params: request.params as Asked['params'],
          query: request.query as Asked['query'],
        }),
      charge: (cost) => charge(request, cost),
      elapsedMs: () => reply.elapsedTime,
    });
    return answer.send(request, reply);
  }
}

/** What tells two questions apart, whatever else their targets have. */
function keyOf({ url }: AnyLookup, parameters: unknown): string {
  return `${url} ${typeof parameters === 'string' ? parameters : JSON.stringify(parameters)}`;
}

function shapeOf(segments: readonly string[]): string {
  return `${segments[0]} ${segments.length}`;
}
