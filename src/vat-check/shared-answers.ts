import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisConnection } from '../platform/redis/connection.ts';
import { redisScript } from '../platform/redis/script.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import { toKey } from './cache.ts';
import type { Answer } from './outcome.ts';
import type { VatNumber } from './vat-number.ts';

/** Interval at which a replica that waits for another one looks for its answer. */
const pollMs = 50;

/** Time after which a claim ends unless its replica renews it: if that replica is killed, another one can soon claim. */
const claimMs = 2_000;
const renewMs = 500;

const renewScript = ifHeld("redis.call('PEXPIRE', KEYS[1], ARGV[2])");
const releaseScript = ifHeld("redis.call('DEL', KEYS[1])");

/** A script that makes its call only if this replica still has the claim. */
function ifHeld(call: string) {
  return redisScript(`if redis.call('GET', KEYS[1]) == ARGV[1] then return ${call} end return 0`);
}

/** An answer with the rest of its lifetime. */
export type SharedAnswer = { readonly answer: Answer; readonly leftMs: number };

/** This replica's right to look a number up, while the other replicas wait. */
export type Claim = {
  /** Lets another replica claim the number. */
  release(): Promise<void>;
};

/**
 * The answers that replicas share, and the claims by which one of them looks a number up (contract C23, C24).
 *
 * Best effort: while Redis is away, every replica has only its own answers, and looks every number up itself. Two
 * services with different registries, such as a trial beside the real one, share nothing.
 */
export class SharedAnswers {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  readonly #timers: Timers;

  /** `timers` decide when the wait for another replica is over; the machine's unless given. */
  constructor(
    redis: RedisConnection,
    { viesUrl, timers = systemTimers }: { readonly viesUrl: string; readonly timers?: Timers },
  ) {
    this.#redis = redis;
    this.#timers = timers;
    this.#prefix = `vatfx:vat:${createHash('sha256').update(viesUrl).digest('hex').slice(0, 12)}:`;
  }

  /** The answer that a replica has shared; undefined if there is none, and while Redis is away. */
  async find(vatNumber: VatNumber): Promise<SharedAnswer | undefined> {
    const key = this.#answerKey(vatNumber);
    const found = await this.#redis.run(async (redis) =>
      Promise.all([redis.get(key), redis.pttl(key)]),
    );
    const [text, leftMs] = found ?? [null, 0];
    const answer = leftMs > 0 ? readAnswer(text ?? '') : undefined;
    return answer === undefined ? undefined : { answer, leftMs };
  }

  /** Shares an answer for the rest of its lifetime; does nothing while Redis is away. */
  async keep(vatNumber: VatNumber, answer: Answer, lifetimeMs: number): Promise<void> {
    const key = this.#answerKey(vatNumber);
    const text = JSON.stringify(answer);
    await this.#redis.run(async (redis) => redis.set(key, text, 'PX', Math.ceil(lifetimeMs)));
  }

  /**
   * Claims the look-up of a number. If another replica has the claim, waits for its answer, or until it releases the
   * claim without one. Undefined if neither came within `waitMs`; the caller then looks the number up without a claim.
   */
  async claim(
    vatNumber: VatNumber,
    { waitMs }: { readonly waitMs: number },
  ): Promise<SharedAnswer | Claim | undefined> {
    const key = this.#claimKey(vatNumber);
    const token = randomUUID();
    const untilMs = this.#timers.now() + waitMs;
    for (;;) {
      const claimed = await this.#redis.run(async (redis) =>
        redis.set(key, token, 'PX', claimMs, 'NX'),
      );
      // Redis may carry out a command after the wait for it has ended, so there may be a claim to release.
      if (claimed === undefined) return { release: async () => this.#release(key, token) };
      // The answer may have come after the caller's first look, and before this claim.
      const found = await this.find(vatNumber);
      if (claimed !== null && found !== undefined) await this.#release(key, token);
      if (found !== undefined) return found;
      if (claimed !== null) return this.#hold(key, token);
      if (this.#timers.now() > untilMs) return undefined;
      await sleep(pollMs);
    }
  }

  /** Renews a claim until it is released. */
  #hold(key: string, token: string): Claim {
    const renew = async (): Promise<unknown> =>
      this.#redis.runScript(renewScript, [key], [token, claimMs]);
    const renewing = setInterval(() => void renew(), renewMs).unref();
    return {
      release: async () => {
        clearInterval(renewing);
        await this.#release(key, token);
      },
    };
  }

  async #release(key: string, token: string): Promise<void> {
    await this.#redis.runScript(releaseScript, [key], [token]);
  }

  #answerKey(vatNumber: VatNumber): string {
    return `${this.#prefix}answer:${toKey(vatNumber)}`;
  }

  #claimKey(vatNumber: VatNumber): string {
    return `${this.#prefix}claim:${toKey(vatNumber)}`;
  }
}

/** Reads an answer; undefined for any other text, such as one that another version or program wrote. */
function readAnswer(text: string): Answer | undefined {
  const { valid, requestDate, name, address } = parseObject(text);
  return typeof valid === 'boolean' &&
    typeof requestDate === 'string' &&
    isDisclosed(name) &&
    isDisclosed(address)
    ? { valid, requestDate, name, address }
    : undefined;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Whether a value can be a name or an address in JSON: null if the Member State withholds it. */
function isDisclosed(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
