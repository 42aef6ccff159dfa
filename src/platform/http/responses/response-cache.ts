import { LRUCache } from 'lru-cache';
import type { PreparedResponse } from './prepared-response.ts';

/** Room for about six years of VAT rates. A larger cache would cost memory and save reads of microseconds. */
const bytesMax = 16 * 2 ** 20;
/** Memory of a response beside its body. */
const overheadBytes = 800;
/** Larger bodies are not kept: some dozens of them would push all other responses out. */
const bodyBytesMax = 256 * 2 ** 10;
/** Longer keys are not kept: callers must not fill the memory with text that they make up. */
const keyCharsMax = 200;

/**
 * Responses that are the same for every caller, by route and parsed parameters, kept until a snapshot is published.
 *
 * A response that was read before `clear` is never stored after it: a slow read cannot bring back an outdated response.
 */
export class ResponseCache {
  readonly #responses = new LRUCache<string, PreparedResponse>({
    maxSize: bytesMax,
    sizeCalculation: ({ length }) => length + overheadBytes,
  });
  #generation = 0;

  /** Changes with each `clear`. Read it before you read the data of a response, and pass it to `store`. */
  get generation(): number {
    return this.#generation;
  }

  find(key: string): PreparedResponse | undefined {
    return this.#responses.get(key);
  }

  /** Keeps a response, unless the cache was cleared since `generation` was read. */
  store(generation: number, key: string, response: PreparedResponse): void {
    if (generation !== this.#generation || key.length > keyCharsMax) return;
    if (response.length <= bodyBytesMax) this.#responses.set(key, response);
  }

  clear(): void {
    this.#generation += 1;
    this.#responses.clear();
  }
}
