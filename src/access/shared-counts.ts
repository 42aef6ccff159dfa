import { randomUUID } from 'node:crypto';
import type { RedisConnection } from '../platform/redis/connection.ts';
import type { RequestLimit } from '../platform/request-limit.ts';
import { formatInstant } from '../platform/time.ts';
import type { Month } from './allowance.ts';
import { chargeCounts, syncCounts } from './shared-count-scripts.ts';

const dayMs = 86_400_000;
const prefix = 'vatfx:';

/** What Redis says to a charge, by its own clock. */
export type CountReply = {
  /**
   * `counted` for only looking. `otherMonth`: it is another month by Redis's clock. `unsynced`: Redis does not
   * know the key yet, or has lost its memory.
   */
  readonly kind:
    | 'charged'
    | 'counted'
    | 'rateLimited'
    | 'quotaExceeded'
    | 'otherMonth'
    | 'unsynced';
  readonly nowMs: number;
  readonly usedInMinute: number;
  readonly usedInMonth: number;
  /** Until a request would be let through, or, for only looking, until no request counts. */
  readonly waitMs: number;
};

export type CountRequest = {
  readonly keyId: string;
  readonly month: Month;
  readonly rateLimit: RequestLimit;
  readonly quota: RequestLimit;
  /** What `sync` answered last; empty before. */
  readonly generation: string;
  readonly isOnlyLooking: boolean;
};

/** The counts that all replicas share. Undefined is always: Redis did not answer. */
export class SharedCounts {
  readonly #redis: RedisConnection;

  constructor(redis: RedisConnection) {
    this.#redis = redis;
  }

  async charge(wanted: CountRequest): Promise<CountReply | undefined> {
    const { keyId, month, rateLimit, quota, generation, isOnlyLooking } = wanted;
    const answer = await this.#redis.runScript(chargeCounts, keysOf(keyId, month), [
      rateLimit === 'none' ? -1 : rateLimit,
      quota === 'none' ? -1 : quota,
      month.startsMs,
      month.endsMs,
      generation,
      isOnlyLooking ? 0 : 1,
    ]);
    if (answer === undefined) return undefined;
    const [kind, nowMs, usedInMinute = 0, usedInMonth = 0, waitMs = 0] = answer as [
      CountReply['kind'],
      number,
      number?,
      number?,
      number?,
    ];
    return { kind, nowMs, usedInMinute, usedInMonth, waitMs };
  }

  /** Tells Redis what this process knows of a key; gives the generation that it belongs to by now. */
  async sync(known: {
    readonly keyId: string;
    readonly month: Month;
    readonly generation: string;
    /** Requests of the last minute that Redis was not told of. */
    readonly untold: number;
    /** All requests of the last minute. */
    readonly recent: number;
    readonly usedInMonth: number;
  }): Promise<string | undefined> {
    const { keyId, month, generation, untold, recent, usedInMonth } = known;
    const answer = await this.#redis.runScript(syncCounts, keysOf(keyId, month), [
      generation,
      randomUUID(),
      untold,
      recent,
      usedInMonth,
      month.endsMs + dayMs,
    ]);
    return answer as string | undefined;
  }
}

function keysOf(keyId: string, month: Month): readonly string[] {
  const monthName = formatInstant(month.startsMs).slice(0, 7);
  return [
    `${prefix}minute:${keyId}`,
    `${prefix}month:${keyId}:${monthName}`,
    `${prefix}generation`,
  ];
}
