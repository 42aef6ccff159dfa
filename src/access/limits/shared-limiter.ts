import { type Cost, costOf } from '../../platform/request-cost.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { isUnlimited, type LimitedKey, type Limits, limitsOf } from './key-limits.ts';
import type { LimitState, LimitStates } from './limit-state.ts';
import { type Limiter, type Standing, toStanding } from './limiter.ts';
import { type Refusal, refuseQuota, refuseRate } from './refusal.ts';
import type { CountReply, SharedCounts } from './shared-counts.ts';

type Parts = {
  readonly redis: Pick<RedisConnection, 'isAway' | 'isSettling'>;
  readonly counts: SharedCounts;
  readonly states: LimitStates;
  readonly defaults: Limits;
  /** Number of processes that serve. */
  readonly countReplicas: () => number;
};

/**
 * Counts together with the other replicas, in Redis (contract C26).
 *
 * With Redis a limit is exact over all replicas. While Redis is away or slow each replica admits its share, the
 * limit divided by the number of replicas, and reports the admitted requests when Redis is back. For 1.5 s after
 * that the shares still decide, until every replica has reported. A request never waits long and never fails
 * because of Redis.
 */
export class SharedLimiter implements Limiter {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  charge(key: LimitedKey, cost: Cost = 1): Refusal | undefined | Promise<Refusal | undefined> {
    const { redis, counts, states, defaults } = this.#parts;
    const limits = limitsOf(key, defaults);
    return states.whenKnown(key.id, (state) => {
      // A key without limits is reported to Redis when its use is queried.
      if (isUnlimited(limits)) return this.#chargeAlone(state, limits, cost);
      if (!this.#sharesDecide) return this.#chargeTogether(state, limits, cost);
      // Reports at the end of the turn, with this request.
      if (!redis.isAway) void counts.look(state, limits);
      return this.#chargeAlone(state, limits, cost);
    });
  }

  async describe(key: LimitedKey): Promise<Standing> {
    const { redis, counts, states, defaults } = this.#parts;
    const limits = limitsOf(key, defaults);
    // The month of a key without limits is counted in the database only.
    const state = isUnlimited(limits)
      ? await states.load(key.id)
      : await states.readCurrent(key.id);
    const reply = redis.isAway ? undefined : await counts.look(state, limits);
    if (reply === undefined) return toStanding(state, limits, states.now());
    this.#learnMonth(state, reply);
    const { nowMs, usedInMinute, usedInMonth, waitMs } = reply;
    const { month } = state;
    return { ...limits, usedInMinute, minuteEndsMs: nowMs + waitMs, usedInMonth, month };
  }

  async #chargeTogether(
    state: LimitState,
    limits: Limits,
    cost: Cost,
  ): Promise<Refusal | undefined> {
    const { counts, states } = this.#parts;
    const { rateLimit, quota } = limits;
    const reply = await counts.charge({ state, limits, cost });
    if (reply === undefined) return this.#chargeAlone(state, limits, cost);
    this.#learnMonth(state, reply);
    if (reply.kind === 'rateLimited' && rateLimit !== 'none') {
      return refuseRate(rateLimit, reply.waitMs);
    }
    if (reply.kind === 'quotaExceeded' && quota !== 'none') {
      return refuseQuota(quota, state.month, reply.nowMs);
    }
    states.count(state, states.now(), cost);
    return undefined;
  }

  #chargeAlone(state: LimitState, limits: Limits, cost: Cost): Refusal | undefined {
    const { states, countReplicas } = this.#parts;
    const nowMs = states.now();
    // If a single command failed, the other replicas still count in Redis: this one knows only its own requests.
    const replicas = this.#sharesDecide ? countReplicas() : 1;
    const refusal = states.charge(state, limits, { nowMs, cost, replicas });
    if (refusal !== undefined) return refusal;
    const { rateLimit, quota } = costOf(cost);
    state.admittedAlone += quota;
    state.redis.addUnreported(nowMs, rateLimit);
    return undefined;
  }

  /** Whether each replica admits its share of a limit: Redis is away, or some replicas have not reported to it yet. */
  get #sharesDecide(): boolean {
    const { redis } = this.#parts;
    return redis.isAway || redis.isSettling;
  }

  #learnMonth(state: LimitState, { usedInMonth }: CountReply): void {
    state.usedInMonth = Math.max(state.usedInMonth, usedInMonth);
    // As long as shares decide, what this replica has taken of its share stays taken.
    if (!this.#sharesDecide) state.admittedAlone = 0;
  }
}
