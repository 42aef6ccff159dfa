import { randomUUID } from 'node:crypto';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import type { RequestLimit } from '../../platform/request-limit.ts';
import { formatInstant } from '../../platform/time.ts';
import type { Month } from './refusal.ts';
import { chargeCounts, syncCounts } from './shared-count-scripts.ts';

const dayMs = 86_400_000;
const prefix = 'vatfx:';
const generationKey = `${prefix}generation`;
/** Keys that are charged by one call. */
const groupsMax = 250;

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
  /** How many requests it counts as; all of them fit, or none is charged. */
  readonly cost: number;
  readonly isOnlyLooking: boolean;
};

/** What Redis says to the requests of a key that were asked for together. */
type Answer = readonly [
  kind: CountReply['kind'],
  nowMs: number,
  usedInMinute?: number,
  usedInMonth?: number,
  waitMs?: number,
  charged?: number,
];

/** Requests of a turn of the event loop that are of one key and want the same. */
type Group = {
  readonly wanted: CountRequest;
  /** Called in the order in which they came. */
  readonly waiting: ((reply: CountReply | undefined) => void)[];
};

/**
 * The counts that all replicas share. Undefined is always: Redis did not answer.
 *
 * Whatever is to be charged in one turn of the event loop is charged by one call of the script, and the requests
 * of a key by one step of it: under load that is most of the work, here and in Redis.
 */
export class SharedCounts {
  readonly #redis: RedisConnection;
  #groups: Group[] = [];
  /** The last group of each key. */
  readonly #groupOf = new Map<string, Group>();

  constructor(redis: RedisConnection) {
    this.#redis = redis;
  }

  async charge(wanted: CountRequest): Promise<CountReply | undefined> {
    return new Promise((resolve) => {
      this.#findGroup(wanted).waiting.push(resolve);
    });
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
    const answer = await this.#redis.runScript(
      syncCounts,
      [generationKey, ...keysOf(keyId, month)],
      [generation, randomUUID(), untold, recent, usedInMonth, month.endsMs + dayMs],
    );
    return answer as string | undefined;
  }

  #findGroup(wanted: CountRequest): Group {
    const last = this.#groupOf.get(wanted.keyId);
    if (last !== undefined && isSame(last.wanted, wanted)) return last;
    // One call must not keep Redis from others for long.
    if (this.#groups.length >= groupsMax) void this.#send();
    else if (this.#groups.length === 0) setImmediate(() => void this.#send());
    const group: Group = { wanted, waiting: [] };
    this.#groups.push(group);
    this.#groupOf.set(wanted.keyId, group);
    return group;
  }

  async #send(): Promise<void> {
    const groups = this.#groups;
    this.#groups = [];
    this.#groupOf.clear();
    const keys = [generationKey];
    const values: (string | number)[] = [];
    let callers = 0;
    for (const { wanted, waiting } of groups) {
      const { keyId, month, rateLimit, quota, generation, cost, isOnlyLooking } = wanted;
      keys.push(...keysOf(keyId, month));
      values.push(
        rateLimit === 'none' ? -1 : rateLimit,
        quota === 'none' ? -1 : quota,
        month.startsMs,
        month.endsMs,
        generation,
        isOnlyLooking ? 0 : waiting.length,
        cost,
      );
      callers += waiting.length;
    }
    const answers = await this.#redis.runScript(chargeCounts, keys, values, { callers });
    for (const [at, { waiting }] of groups.entries()) {
      tell(waiting, (answers as readonly Answer[] | undefined)?.[at]);
    }
  }
}

function isSame(one: CountRequest, other: CountRequest): boolean {
  return (
    one.rateLimit === other.rateLimit &&
    one.quota === other.quota &&
    one.generation === other.generation &&
    one.month === other.month &&
    one.cost === other.cost &&
    one.isOnlyLooking === other.isOnlyLooking
  );
}

/** The first so many were charged; all others hear the same. */
function tell(waiting: Group['waiting'], answer: Answer | undefined): void {
  const reply = answer && toReply(answer);
  const charged = reply && { ...reply, kind: 'charged' as const, waitMs: 0 };
  const [, , , , , chargedCount = 0] = answer ?? [];
  for (const [at, resolve] of waiting.entries()) resolve(at < chargedCount ? charged : reply);
}

function toReply([kind, nowMs, usedInMinute = 0, usedInMonth = 0, waitMs = 0]: Answer): CountReply {
  return { kind, nowMs, usedInMinute, usedInMonth, waitMs };
}

/** The names of what a key is counted in: its minute and its month. */
function keysOf(keyId: string, month: Month): readonly [string, string] {
  const monthName = formatInstant(month.startsMs).slice(0, 7);
  return [`${prefix}minute:${keyId}`, `${prefix}month:${keyId}:${monthName}`];
}
