import { createHash } from 'node:crypto';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { toKey } from './cache.ts';
import type { Answer } from '../registries/outcome.ts';
import type { VatNumber } from '../numbers/vat-number.ts';

/** An answer with the rest of its lifetime. */
export type SharedAnswer = { readonly answer: Answer; readonly leftMs: number };

/**
 * The answers that replicas share (contract C23).
 *
 * Best effort: while Redis is away, every replica has only its own answers. Replicas that are asked for a new number at the
 * same time each look it up. Two services with different registries, such as a trial beside the real one, share nothing.
 */
export class SharedAnswers {
  readonly #redis: RedisConnection;
  readonly #prefix: string;

  constructor(redis: RedisConnection, { viesUrl }: { readonly viesUrl: string }) {
    this.#redis = redis;
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

  #answerKey(vatNumber: VatNumber): string {
    return `${this.#prefix}answer:${toKey(vatNumber)}`;
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

/** Whether a value can be a name or an address in JSON: null if the Member State does not disclose it. */
function isDisclosed(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
