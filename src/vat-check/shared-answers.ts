import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisConnection } from '../platform/redis/connection.ts';
import { redisScript } from '../platform/redis/script.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import { toKey } from './cache.ts';
import type { Answer } from './outcome.ts';
import type { VatNumber } from './vat-number.ts';

/** How often a replica looks whether another one has the answer by now. */
const pollMs = 50;

/**
 * How long a flight is believed in without a sign of its replica, and how often there is one: the others go
 * on soon after it was killed.
 */
const flightMs = 2_000;
const renewMs = 500;

/** Renews a flight, if it is still the one that was begun. */
const renewScript = redisScript(
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0",
);

/** Ends a flight, if it is still the one that was begun. */
const landScript = redisScript(
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0",
);

/** An answer with what is left of its lifetime. */
export type SharedAnswer = { readonly answer: Answer; readonly leftMs: number };

/** A flight of this replica: `land` lets the others look. */
export type Flight = { land(): Promise<void> };

/**
 * The answers and the flights that replicas share (contract C23, C24).
 *
 * Best effort: while Redis is away every replica knows its own answers and asks for itself. Two services that
 * ask different registries, as a trial beside the real one, share nothing.
 */
export class SharedAnswers {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  readonly #timers: Timers;

  /** `timers` decide when waiting is over; the machine's unless given. */
  constructor(
    redis: RedisConnection,
    { viesUrl, timers = systemTimers }: { readonly viesUrl: string; readonly timers?: Timers },
  ) {
    this.#redis = redis;
    this.#timers = timers;
    this.#prefix = `vatfx:vat:${createHash('sha256').update(viesUrl).digest('hex').slice(0, 12)}:`;
  }

  async find(vatNumber: VatNumber): Promise<SharedAnswer | undefined> {
    const key = this.#answerKey(vatNumber);
    const found = await this.#redis.run(async (redis) =>
      Promise.all([redis.get(key), redis.pttl(key)]),
    );
    const [text, leftMs] = found ?? [null, 0];
    const answer = leftMs > 0 ? readAnswer(text ?? '') : undefined;
    return answer === undefined ? undefined : { answer, leftMs };
  }

  async keep(vatNumber: VatNumber, answer: Answer, lifetimeMs: number): Promise<void> {
    const key = this.#answerKey(vatNumber);
    const text = JSON.stringify(answer);
    await this.#redis.run(async (redis) => redis.set(key, text, 'PX', Math.ceil(lifetimeMs)));
  }

  /**
   * Begins the one flight for a number, or waits for another replica's: until its answer is there, it has
   * landed without one, or the time is up. Whoever gets neither an answer nor a flight asks all the same.
   */
  async begin(
    vatNumber: VatNumber,
    { waitMs }: { readonly waitMs: number },
  ): Promise<SharedAnswer | Flight | undefined> {
    const key = this.#flightKey(vatNumber);
    const token = randomUUID();
    const untilMs = this.#timers.now() + waitMs;
    for (;;) {
      const began = await this.#redis.run(async (redis) =>
        redis.set(key, token, 'PX', flightMs, 'NX'),
      );
      // What was given up may still have been carried out, so that there is something to end.
      if (began === undefined) return { land: async () => this.#land(key, token) };
      // The answer may have come between looking for it and this.
      const found = await this.find(vatNumber);
      if (began !== null && found !== undefined) await this.#land(key, token);
      if (found !== undefined) return found;
      if (began !== null) return this.#fly(key, token);
      if (this.#timers.now() > untilMs) return undefined;
      await sleep(pollMs);
    }
  }

  #fly(key: string, token: string): Flight {
    const renew = async (): Promise<unknown> =>
      this.#redis.runScript(renewScript, [key], [token, flightMs]);
    const renewing = setInterval(() => void renew(), renewMs).unref();
    return {
      land: async () => {
        clearInterval(renewing);
        await this.#land(key, token);
      },
    };
  }

  async #land(key: string, token: string): Promise<void> {
    await this.#redis.runScript(landScript, [key], [token]);
  }

  #answerKey(vatNumber: VatNumber): string {
    return `${this.#prefix}answer:${toKey(vatNumber)}`;
  }

  #flightKey(vatNumber: VatNumber): string {
    return `${this.#prefix}flight:${toKey(vatNumber)}`;
  }
}

/** Reads what was kept; undefined for anything else, as of another version or of another hand. */
function readAnswer(text: string): Answer | undefined {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { valid, requestDate, name, address } = value as Record<string, unknown>;
  return typeof valid === 'boolean' &&
    typeof requestDate === 'string' &&
    isDisclosed(name) &&
    isDisclosed(address)
    ? { valid, requestDate, name, address }
    : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDisclosed(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
