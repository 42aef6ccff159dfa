import { ApiError } from '../responses/api-errors.ts';

/** The bounded work takes milliseconds, so after one second there is room again. */
const retryAfterSeconds = 1;

/**
 * Bounds how many pieces of work run at the same time, for each API key and in total.
 *
 * So one key leaves room for other keys, and this work leaves the database room for other requests.
 */
export class ConcurrencyLimit {
  readonly #perKey: number;
  readonly #inAll: number;
  readonly #underWay = new Map<string, number>();
  #count = 0;

  constructor(limits: { readonly perKey: number; readonly inAll: number }) {
    this.#perKey = limits.perKey;
    this.#inAll = limits.inAll;
  }

  /** Runs the work, or throws 429 `RATE_LIMITED` if too much of it is under way. */
  run<T>(keyId: string, work: () => Promise<T>): Promise<T> {
    const leave = this.enter(keyId);
    return work().finally(leave);
  }

  /** Begins a piece of work, or throws the 429; the work ends when the returned function is called, once. */
  enter(keyId: string): () => void {
    const ofKey = this.#underWay.get(keyId) ?? 0;
    if (ofKey >= this.#perKey) throw refuse(this.#perKey);
    if (this.#count >= this.#inAll) throw refuse(this.#inAll);
    this.#underWay.set(keyId, ofKey + 1);
    this.#count += 1;
    return () => this.#leave(keyId);
  }

  #leave(keyId: string): void {
    this.#count -= 1;
    const left = (this.#underWay.get(keyId) ?? 0) - 1;
    if (left > 0) this.#underWay.set(keyId, left);
    else this.#underWay.delete(keyId);
  }
}

/** With the header fields of draft-ietf-httpapi-ratelimit-headers, like the other limits. */
function refuse(limit: number): ApiError {
  const headers = {
    'retry-after': String(retryAfterSeconds),
    'ratelimit-policy': `"concurrency";q=${limit};qu="concurrent-requests"`,
    ratelimit: `"concurrency";r=0;t=${retryAfterSeconds}`,
  };
  return new ApiError('rateLimited', headers, { reason: 'concurrency' });
}
