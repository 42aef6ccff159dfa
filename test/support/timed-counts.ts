import type { Redis } from 'ioredis';
import { chargeCounts, syncCounts } from '../../src/access/limits/shared-count-scripts.ts';

/** What a script is told besides the time, as `shared-counts.ts` does. */
export type TimedCharge = {
  readonly rateLimit?: number;
  readonly quota?: number;
  readonly generation?: string;
  readonly isOnlyLooking?: boolean;
  /** How many at once; 1 unless told otherwise. */
  readonly requests?: number;
  /** How many each of them counts as; 1 where this is left out. */
  readonly cost?: number;
  /** A moment of the month that is meant; the one in which it is asked unless told otherwise. */
  readonly monthAtMs?: number;
};

export type TimedReply = {
  readonly kind: string;
  readonly nowMs: number;
  readonly count: number;
  readonly used: number;
  readonly waitMs: number;
  /** How many were let through. */
  readonly charged: number;
};

type TimedAnswer = readonly [kind: string, ...numbers: number[]];

/** What is asked for, and of which key. */
type Charge = readonly [TimedCounts, TimedCharge];

const clockCall = "redis.call('TIME')";
/** The scripts as they are, but for the clock, which is what the last two values say. */
const chargeText = withGivenClock(chargeCounts.lua);
const syncText = withGivenClock(syncCounts.lua);

/** The counts of one API key in Redis, at any moment that a test wants it to be. */
export class TimedCounts {
  readonly #redis: Redis;
  readonly #keyId: string;

  constructor(redis: Redis, keyId: string) {
    this.#redis = redis;
    this.#keyId = keyId;
  }

  async charge(nowMs: number, wanted: TimedCharge = {}): Promise<TimedReply> {
    const [reply] = await TimedCounts.chargeTogether(nowMs, [[this, wanted]]);
    if (reply === undefined) throw new Error('nothing was answered');
    return reply;
  }

  /** Charges several keys by one call; they are on the same Redis. */
  static async chargeTogether(
    nowMs: number,
    charges: readonly [Charge, ...Charge[]],
  ): Promise<TimedReply[]> {
    const keys = charges.flatMap(([counts, { monthAtMs = nowMs }]) => [
      counts.minuteKey,
      counts.monthKey(monthAtMs),
    ]);
    const values = charges.flatMap(([, wanted]) => toValues(nowMs, wanted));
    const [[first]] = charges;
    const answers = await first.#run(chargeText, { nowMs, keys, values });
    return (answers as TimedAnswer[]).map(
      ([kind, now = NaN, count = NaN, used = NaN, waitMs = NaN, charged = 0]) => {
        return { kind, nowMs: now, count, used, waitMs, charged };
      },
    );
  }

  async sync(
    nowMs: number,
    known: {
      readonly generation?: string;
      readonly fresh?: string;
      readonly untold?: number;
      readonly recent?: number;
      readonly used?: number;
    } = {},
  ): Promise<string> {
    const { generation = 'first', fresh = 'first', untold = 0, recent = 0, used = 0 } = known;
    const month = monthAt(nowMs);
    const values = [generation, fresh, untold, recent, used, month.endsMs + 86_400_000];
    const keys = [this.minuteKey, this.monthKey(nowMs)];
    return (await this.#run(syncText, { nowMs, keys, values })) as string;
  }

  get minuteKey(): string {
    return `minute:${this.#keyId}`;
  }

  monthKey(atMs: number): string {
    return `month:${this.#keyId}:${monthAt(atMs).name}`;
  }

  async #run(
    text: string,
    told: {
      readonly nowMs: number;
      readonly keys: readonly string[];
      readonly values: readonly (string | number)[];
    },
  ): Promise<unknown> {
    const { nowMs, values } = told;
    const keys = ['generation', ...told.keys];
    const clock = [Math.floor(nowMs / 1_000), (nowMs % 1_000) * 1_000];
    return this.#redis.eval(text, keys.length, ...keys, ...values, ...clock);
  }
}

function toValues(nowMs: number, wanted: TimedCharge): (string | number)[] {
  const month = monthAt(wanted.monthAtMs ?? nowMs);
  return [
    wanted.rateLimit ?? -1,
    wanted.quota ?? -1,
    month.startsMs,
    month.endsMs,
    wanted.generation ?? 'first',
    wanted.isOnlyLooking === true ? 0 : (wanted.requests ?? 1),
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
  if (lua.split(clockCall).length !== 2) throw new Error('the script asks for the time elsewhere');
  return lua.replace(clockCall, '{ARGV[#ARGV - 1], ARGV[#ARGV]}');
}
