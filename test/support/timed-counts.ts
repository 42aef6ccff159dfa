import type { Redis } from 'ioredis';
import { chargeCounts } from '../../src/access/limits/shared-count-script.ts';

/** Values of the script besides the time, as `shared-counts.ts` passes them. */
export type TimedCharge = {
  readonly rateLimit?: number;
  readonly quota?: number;
  /** Number of requests that come together; 1 by default. */
  readonly requests?: number;
  /** Number that each of them counts as, 0 to charge nothing; 1 by default. */
  readonly cost?: number;
  /** Requests of the last minute that Redis has not counted; 0 by default. */
  readonly unreported?: number;
  /** Requests of the month that are known; 0 by default. */
  readonly known?: number;
  /** A moment of the month that is charged; the moment of the charge by default. */
  readonly monthAtMs?: number;
};

export type TimedReply = {
  readonly kind: string;
  readonly nowMs: number;
  readonly count: number;
  readonly used: number;
  readonly waitMs: number;
  /** Number of admitted requests. */
  readonly charged: number;
};

type TimedAnswer = readonly [kind: string, ...numbers: number[]];

/** A charge, and its key. */
type Charge = readonly [TimedCounts, TimedCharge];

const clockCall = "redis.call('TIME')";
/** The product's script with another clock: its last two values. */
const chargeText = withGivenClock(chargeCounts.lua);

/** The counts of one API key in Redis, at any moment that a test sets. */
export class TimedCounts {
  readonly #redis: Redis;
  readonly #keyId: string;

  constructor(redis: Redis, keyId: string) {
    this.#redis = redis;
    this.#keyId = keyId;
  }

  async charge(nowMs: number, wanted: TimedCharge = {}): Promise<TimedReply> {
    const replies = await TimedCounts.chargeTogether(nowMs, [[this, wanted]]);
    const [reply] = replies;
    if (reply === undefined) throw new Error('there is no reply');
    return reply;
  }

  /** Charges several keys by one call; they are on the same Redis. */
  static async chargeTogether(
    nowMs: number,
    charges: readonly [Charge, ...Charge[]],
  ): Promise<TimedReply[]> {
    const answers = await TimedCounts.call(nowMs, charges);
    if (typeof answers === 'string') throw new Error(`the generation is ${answers}`);
    return answers.map(([kind, now = NaN, count = NaN, used = NaN, waitMs = NaN, charged = 0]) => {
      return { kind, nowMs: now, count, used, waitMs, charged };
    });
  }

  /** The script's answer: of each key, or the generation if it is not the one that the caller knows. */
  static async call(
    nowMs: number,
    charges: readonly [Charge, ...Charge[]],
    generation = 'first',
    fresh = 'first',
  ): Promise<TimedAnswer[] | string> {
    const keys = charges.flatMap(([counts, { monthAtMs = nowMs }]) => [
      counts.minuteKey,
      counts.monthKey(monthAtMs),
    ]);
    const values = charges.flatMap(([, wanted]) => toValues(wanted));
    const clock = [Math.floor(nowMs / 1_000), (nowMs % 1_000) * 1_000];
    const [[first]] = charges;
    const answer = await first.#redis.eval(
      chargeText,
      keys.length + 1,
      'generation',
      ...keys,
      generation,
      fresh,
      ...values,
      ...clock,
    );
    return answer as TimedAnswer[] | string;
  }

  get minuteKey(): string {
    return `minute:${this.#keyId}`;
  }

  monthKey(atMs: number): string {
    return `month:${this.#keyId}:${monthAt(atMs).name}`;
  }
}

function toValues(wanted: TimedCharge): number[] {
  return [
    wanted.rateLimit ?? -1,
    wanted.quota ?? -1,
    wanted.unreported ?? 0,
    wanted.known ?? 0,
    wanted.requests ?? 1,
    wanted.cost ?? 1,
    wanted.cost ?? 1,
  ];
}

export function monthAt(atMs: number): {
  readonly name: string;
  readonly startsMs: number;
  readonly endsMs: number;
} {
  const at = new Date(atMs);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return {
    name: at.toISOString().slice(0, 7),
    startsMs: Date.UTC(year, month),
    endsMs: Date.UTC(year, month + 1),
  };
}

function withGivenClock(lua: string): string {
  if (lua.split(clockCall).length !== 2)
    throw new Error('the script reads the time in another way');
  return lua.replace(clockCall, '{ARGV[#ARGV - 1], ARGV[#ARGV]}');
}
