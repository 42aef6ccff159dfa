import { andThen } from '../../platform/maybe-async.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import type { Clock } from '../../platform/time.ts';
import { type Month, type Refusal, refuseQuota, refuseRate, type Standing } from './refusal.ts';
import { UtcMonth } from '../utc-month.ts';
import { KnownParts, type Part } from './redis-sync-state.ts';
import {
  type DefaultLimits,
  type LimitedKey,
  type Limiter,
  limitsOf,
  type LocalLimiter,
} from './limiter.ts';
import { SlidingWindow } from './sliding-window.ts';
import type { CountReply, SharedCounts } from './shared-counts.ts';
import type { UseBook } from '../usage/ledger.ts';

/** Another month, then a sync, then the answer; more than that is a Redis in trouble. */
const triesMax = 4;
/** A month that the database could not tell is asked for again after so long. */
const syncAgainMs = 5_000;
/** After this time everybody has written what Redis could not be told of: it is told the sum again. */
const settleMs = 2_000;

export type SharedLimiterParts = {
  readonly redis: RedisConnection;
  readonly counts: SharedCounts;
  readonly local: LocalLimiter;
  readonly book: UseBook;
  readonly clock: Clock;
  readonly defaults: DefaultLimits;
  /** How many processes serve. */
  readonly countProcesses: () => number;
};

/**
 * Counts together with the other replicas, in Redis (contract C26).
 *
 * Each request is one step in Redis, so a limit is exact however many replicas let requests through. What
 * this process lets through is in its book as well, and is written to the database from there: that is what
 * Redis is told again when it has lost its memory.
 *
 * While Redis is away or slow, and for a moment after, each replica keeps its share of the limits, by what
 * it knows. Nobody waits long and nobody fails because of Redis.
 */
export class SharedLimiter implements Limiter {
  readonly #parts: SharedLimiterParts;
  readonly #calendar: UtcMonth;
  readonly #known: KnownParts;
  /** How far Redis's clock is ahead of ours, when that makes it another month. */
  #aheadMs = 0;

  constructor(parts: SharedLimiterParts) {
    this.#parts = parts;
    this.#known = new KnownParts(parts.book);
    this.#calendar = new UtcMonth({ now: () => parts.clock.now() + this.#aheadMs });
  }

  charge(key: LimitedKey, cost = 1): Refusal | undefined | Promise<Refusal | undefined> {
    const { redis, defaults } = this.#parts;
    const limits = limitsOf(key, defaults);
    // Nothing to agree on; Redis is told when somebody asks for it.
    if (limits.rateLimit === 'none' && limits.quota === 'none')
      return this.#chargeHere(key, { cost, weight: 1 });
    if (redis.isAway) return this.#chargeAlone(key, cost);
    if (redis.isSettling) return this.#chargeWhileSettling(key, cost);
    return this.#chargeTogether(key, cost, limits);
  }

  async describe(key: LimitedKey): Promise<Standing> {
    const limits = limitsOf(key, this.#parts.defaults);
    const part = this.#known.of(key.id);
    // What has no limit is not counted there until somebody asks.
    if (limits.rateLimit === 'none' && limits.quota === 'none') part.syncFromMs = -Infinity;
    const reply = await this.#ask(key.id, { ...limits, cost: 1, isOnlyLooking: true });
    if (reply === undefined) {
      const standing = await this.#parts.local.describe(key);
      const isKnown = part.month?.startsMs === standing.month.startsMs;
      return isKnown ? { ...standing, usedInMonth: part.usedInMonth } : standing;
    }
    const { nowMs, usedInMinute, usedInMonth, waitMs } = reply;
    return {
      ...limits,
      nowMs,
      usedInMinute,
      minuteEndsMs: nowMs + waitMs,
      usedInMonth,
      month: this.#calendar.month,
    };
  }

  async #chargeTogether(
    key: LimitedKey,
    cost: number,
    limits: DefaultLimits,
  ): Promise<Refusal | undefined> {
    const { rateLimit, quota } = limits;
    const reply = await this.#ask(key.id, { ...limits, cost, isOnlyLooking: false });
    if (reply === undefined) return this.#chargeAlone(key, cost);
    if (reply.kind === 'rateLimited' && rateLimit !== 'none') {
      return refuseRate(rateLimit, reply.waitMs);
    }
    if (reply.kind === 'quotaExceeded' && quota !== 'none') {
      return refuseQuota(quota, this.#calendar.month, reply.nowMs);
    }
    this.#parts.book.note(key.id, { cost, usedInMonth: reply.usedInMonth });
    return undefined;
  }

  /** What Redis decides; undefined when it does not. */
  async #ask(
    keyId: string,
    wanted: DefaultLimits & { readonly cost: number; readonly isOnlyLooking: boolean },
  ): Promise<CountReply | undefined> {
    const { redis, counts } = this.#parts;
    const part = this.#known.of(keyId);
    for (let tries = 0; tries < triesMax && !redis.isAway; tries += 1) {
      const nowMs = this.#calendar.now();
      if (part.toldOn !== redis.connections) part.syncFromMs = -Infinity;
      if (nowMs >= part.syncFromMs && !(await this.#sync(keyId, part))) return undefined;
      // It has just turned out to have lost its memory.
      if (redis.isSettling && !wanted.isOnlyLooking) return undefined;
      const { month } = this.#calendar;
      const reply = await counts.charge({
        ...wanted,
        keyId,
        month,
        generation: part.generation,
      });
      if (reply?.kind === 'otherMonth') this.#aheadMs = reply.nowMs - this.#parts.clock.now();
      else if (reply?.kind === 'unsynced') part.syncFromMs = -Infinity;
      else {
        if (reply !== undefined) this.#learn(part, month, reply);
        return reply;
      }
    }
    return undefined;
  }

  /** Keeps what Redis says of everybody's requests: it is what the shares go by while it says nothing. */
  #learn(part: Part, month: Month, { usedInMinute, usedInMonth }: CountReply): void {
    const { redis, book } = this.#parts;
    const nowMs = book.now();
    const isSameMonth = part.month?.startsMs === month.startsMs;
    const added = isSameMonth ? Math.max(0, usedInMonth - part.usedInMonth) : 0;
    // While the shares decide, it does not know of everything.
    const least = redis.isAway || redis.isSettling ? part.recent.count(nowMs) + added : 0;
    part.recent.follow({ added, total: Math.max(usedInMinute, least) }, nowMs);
    part.month = month;
    part.usedInMonth = usedInMonth;
  }

  /**
   * Redis is told what was let through without it, but does not decide before the others have told it theirs:
   * whoever came back first would let through what is theirs.
   */
  async #chargeWhileSettling(key: LimitedKey, cost: number): Promise<Refusal | undefined> {
    const part = this.#known.of(key.id);
    const { outages } = this.#parts.redis;
    if (part.toldIn !== outages) {
      part.toldIn = outages;
      await this.#sync(key.id, part);
    }
    return this.#chargeAlone(key, cost);
  }

  #chargeAlone(key: LimitedKey, cost: number): Refusal | undefined | Promise<Refusal | undefined> {
    const { redis, countProcesses } = this.#parts;
    // One command that failed is not an outage: the others go on counting in Redis.
    if (!redis.isAway && !redis.isSettling) return this.#chargeHere(key, { cost, weight: 1 });
    return andThen(this.#readMonth(key.id), () =>
      this.#chargeHere(key, { cost, weight: countProcesses() }),
    );
  }

  /** Reads, once in an outage, what others have let through until now; undefined when that is done. */
  #readMonth(keyId: string): Promise<void> | undefined {
    const { redis, book } = this.#parts;
    const part = this.#known.of(keyId);
    if (part.readIn !== redis.outages) {
      part.readIn = redis.outages;
      const reading = book
        .readUsed(keyId, book.date)
        // Where the database is away too, what is known here.
        .then(
          (used) => {
            book.raise(keyId, used);
            this.#catchUp(part, used);
          },
          () => {},
        )
        .finally(() => {
          if (part.reading === reading) part.reading = undefined;
        });
      part.reading = reading;
    }
    return part.reading;
  }

  /**
   * Takes what others let through since Redis spoke last. Where nothing is known of the last minute that may
   * be long ago, and is left out.
   */
  #catchUp(part: Part, usedInMonth: number): void {
    const nowMs = this.#parts.book.now();
    const { month, recent } = part;
    const isThisMonth = month !== undefined && month.startsMs <= nowMs && nowMs < month.endsMs;
    const added = usedInMonth - part.usedInMonth;
    if (!isThisMonth || added <= 0 || recent.count(nowMs) === 0) return;
    recent.add(nowMs, added);
    part.usedInMonth = usedInMonth;
  }

  /** `weight`: how often a request is counted, because other replicas let requests through meanwhile. */
  #chargeHere(
    key: LimitedKey,
    { cost, weight }: { readonly cost: number; readonly weight: number },
  ): Refusal | undefined | Promise<Refusal | undefined> {
    const { recent } = this.#known.of(key.id);
    return andThen(this.#parts.local.charge(key, cost, { recent, weight }), (refusal) => {
      if (refusal === undefined) this.#noteUntold(key.id, cost);
      return refusal;
    });
  }

  #noteUntold(keyId: string, cost: number): void {
    const part = this.#known.of(keyId);
    part.untold ??= new SlidingWindow();
    part.untold.add(this.#parts.book.now(), cost);
    part.usedInMonth += cost;
    part.syncFromMs = -Infinity;
  }

  /** Once, however many requests wait for it; false when Redis did not answer. */
  async #sync(keyId: string, part: Part): Promise<boolean> {
    part.syncing ??= this.#tell(keyId, part).finally(() => {
      part.syncing = undefined;
    });
    return part.syncing;
  }

  async #tell(keyId: string, part: Part): Promise<boolean> {
    const { redis, book, counts } = this.#parts;
    const { month, date } = this.#calendar;
    const { connections } = redis;
    const used = await book.readUsed(keyId, date).catch(() => undefined);
    const nowMs = book.now();
    const known = book.find(keyId);
    const inMonth = part.month?.startsMs === month.startsMs ? part.usedInMonth : 0;
    const told = takeUntold(part);
    const generation = await counts.sync({
      keyId,
      month,
      generation: part.generation,
      untold: told?.count(nowMs) ?? 0,
      recent: known?.recent.count(nowMs) ?? 0,
      // The last answer of Redis has what others did not write yet.
      usedInMonth: Math.max(used ?? 0, inMonth),
    });
    const meanwhile = part.untold?.count(book.now()) ?? 0;
    if (generation === undefined) {
      if (meanwhile > 0) told?.add(book.now(), meanwhile);
      part.untold = told ?? part.untold;
      return false;
    }
    if (part.generation !== '' && part.generation !== generation) redis.settle();
    const isSettled =
      generation === part.generation && (told?.count(nowMs) ?? 0) === 0 && !part.isToldEarly;
    part.generation = generation;
    part.toldOn = connections;
    part.isToldEarly = redis.isSettling;
    const againMs = used === undefined ? syncAgainMs : isSettled ? Infinity : settleMs;
    // Before Redis decides again it is told what everybody has written by then.
    const isAtOnce = meanwhile > 0 || part.isToldEarly;
    part.syncFromMs = isAtOnce ? -Infinity : this.#calendar.now() + againMs;
    return true;
  }
}

function takeUntold(part: Part): SlidingWindow | undefined {
  const { untold } = part;
  part.untold = undefined;
  return untold;
}
