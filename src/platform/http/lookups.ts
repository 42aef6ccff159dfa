import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { andThen } from '../and-then.ts';
import { Answer, type Found } from './answer.ts';
import type { AnswerMemory } from './answer-memory.ts';
import { addReadRoute, type Charge } from './routes.ts';

/** What was asked for: the parts of the path that have names, and the query. */
export type Asked = {
  readonly params: Readonly<Record<string, string>>;
  /** A parameter that was given twice is a list. */
  readonly query: Readonly<Record<string, unknown>>;
};

/**
 * A route that looks something up: its answer follows from the URL alone, whoever asks.
 *
 * Its steps are in the order of contract C3: what was asked for, then what is free, then the charge, then
 * the work.
 */
export type Lookup<Parameters> = {
  /** As the router has it: without names, or with names for all parts but the first. */
  readonly url: string;
  readonly operation: string;
  /** Gives what was asked for, or throws the 4xx. */
  readonly read: (asked: Asked) => Parameters;
  /** What costs the caller nothing; undefined, at once or later, where there is nothing of that kind. */
  readonly findFree?: (parameters: Parameters) => Found | undefined | Promise<Found | undefined>;
  /** Gives what there is, or throws why there is none. `elapsedMs` is how old the request is. */
  readonly find: (parameters: Parameters, elapsedMs: number) => Found | Promise<Found>;
};

/** A request as far as a look-up is concerned. */
export type LookupRequest = {
  /** The request target as it was sent. */
  readonly target: string;
  /** What the look-up read of what was asked for, or throws what that threw. */
  readonly parameters: () => unknown;
  /** Counts it, or throws the 429. */
  readonly charge: () => void | Promise<void>;
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
 * Public answers are remembered by the request target until something is published. All steps are at once
 * where they can be: a promise costs more than finding what is in memory.
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
    const { url, operation } = lookup;
    const [first = '', ...others] = url.slice(1).split('/');
    if (others.every((part) => part.startsWith(':')) && others.length > 0) {
      const names = others.map((part) => part.slice(1));
      this.#patterns.set(shapeOf([first, ...names]), { lookup: lookup as AnyLookup, names });
    } else {
      this.#byUrl.set(url, lookup as AnyLookup);
    }
    addReadRoute(app, url, {
      operation,
      handler: (request, reply) => this.#handle(lookup as AnyLookup, charge, request, reply),
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
    return andThen(request.charge(), () => {
      const { generation } = this.#memory;
      return andThen(lookup.find(parameters, request.elapsedMs()), (found) => {
        const answer = new Answer(lookup.url, found);
        // What has no validator is not the same for everybody, or not for long.
        if (found.representation.etag !== null) {
          this.#memory.remember(generation, request.target, answer);
        }
        return answer;
      });
    });
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
      await charge(request);
      return known.send(request, reply);
    }
    const answer = await this.find(lookup, {
      target,
      parameters: () =>
        lookup.read({
          params: request.params as Asked['params'],
          query: request.query as Asked['query'],
        }),
      charge: () => charge(request),
      elapsedMs: () => reply.elapsedTime,
    });
    return answer.send(request, reply);
  }
}

function shapeOf(segments: readonly string[]): string {
  return `${segments[0]} ${segments.length}`;
}
