import { LRUCache } from 'lru-cache';
import type { PreparedResponse } from './prepared-response.ts';

/** Room for about four years of one data set. A larger cache would cost memory and save reads of microseconds. */
const bytesMax = 16 * 2 ** 20;
/** Memory of a response beside its body, which is kept as bytes and as text. */
const overheadBytes = 800;
/** Larger bodies are not kept: some dozens of them would push all other responses out. */
const bodyBytesMax = 256 * 2 ** 10;
/** Longer targets and keys are not kept: callers must not fill the memory with text that they make up. */
const charsMax = 200;
/** How many targets are kept with their keys; they take 5 MB at most. */
const targetsMax = 10_000;

type CachedResponse = {
  /** The route and its parsed parameters: the same for all targets with the same parameters. */
  readonly key: string;
  /** The request target as it was sent. */
  readonly target: string;
  readonly response: PreparedResponse;
};

/**
 * Responses that are the same for every caller, kept until a snapshot is published.
 *
 * A response is kept once under its key, however many targets lead to it: parameters that are reordered or ignored
 * take no room for responses. A target that was seen before leads to its key without being parsed.
 *
 * A response that was read before `clear` is never stored after it: a slow read cannot bring back an outdated response.
 */
export class ResponseCache {
  readonly #responses = new LRUCache<string, PreparedResponse>({
    maxSize: bytesMax,
    sizeCalculation: ({ result }) => 2 * result.representation.length + overheadBytes,
  });
  readonly #keys = new LRUCache<string, string>({ max: targetsMax });
  #generation = 0;

  /** Changes with each `clear`. Read it before you read the data of a response, and pass it to `store`. */
  get generation(): number {
    return this.#generation;
  }

  find(target: string): PreparedResponse | undefined {
    const key = this.#keys.get(target);
    return key === undefined ? undefined : this.#responses.get(key);
  }

  /** The response for a target that was not seen before; from then on `find` returns it. */
  findByKey(key: string, target: string): PreparedResponse | undefined {
    const response = this.#responses.get(key);
    if (response !== undefined) this.#link(target, key);
    return response;
  }

  /** Keeps a response, unless the cache was cleared since `generation` was read. */
  store(generation: number, { key, target, response }: CachedResponse): void {
    if (generation !== this.#generation || key.length > charsMax) return;
    if (response.result.representation.length > bodyBytesMax) return;
    this.#responses.set(key, response);
    this.#link(target, key);
  }

  clear(): void {
    this.#generation += 1;
    this.#responses.clear();
  }

  #link(target: string, key: string): void {
    if (target.length <= charsMax) this.#keys.set(target, key);
  }
}
