import { setImmediate } from 'node:timers/promises';
import { type Cost, costOf, type RequestLimit } from '../../platform/http/request-cost.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { redisScript } from '../../platform/redis/script.ts';
import type { Clock, IsoDate } from '../../platform/time/time.ts';
import type { Ledger } from '../usage/ledger.ts';
import { type Month, UtcMonth } from '../utc-month.ts';
import { isUnlimited, type LimitedKey, type Limits, limitsOf } from './key-limits.ts';
import {
  type Charged,
  type Group,
  KnownUses,
  type Outcome,
  startOf,
  type Use,
  windowMs,
  windowOf,
  writtenMs,
} from './known-uses.ts';
import { type Refusal, refuseQuota, refuseRate } from './refusal.ts';

/** With Redis, a replica of an earlier version, or one whose command failed, counts elsewhere: a month is read this often. */
const readEveryMs = 60_000;

/**
 * Charges equal requests one after the other, each all or nothing. Before that it raises both counts to what the replica
 * knows, and never lowers them: this seeds an empty Redis, repairs one that lost data, and adds what was admitted without it.
 *
 * Values: the limits; the costs of one request; count and rest (ms) of the window as the replica knows it; the month as it
 * knows it, and whether it has just read that; the number of requests. If it has not, and Redis has no count of the month,
 * the script answers `lost` and changes nothing. Otherwise it answers how many of the requests it charged, which are the
 * first ones: one that is refused changes no count, so that all after it are refused for the same reason.
 */
const chargeScript = redisScript(`
local rateLimit, quota = tonumber(ARGV[1]), tonumber(ARGV[2])
local ofRate, ofQuota = tonumber(ARGV[3]), tonumber(ARGV[4])
local used = tonumber(redis.call('GET', KEYS[2]) or -1)
if used < 0 and ARGV[8] == '0' then return {'lost'} end
if used < tonumber(ARGV[7]) then
  used = tonumber(ARGV[7])
  redis.call('SET', KEYS[2], ARGV[7], 'PX', ${40 * 86_400_000})
end
local count, left = tonumber(redis.call('GET', KEYS[1]) or 0), redis.call('PTTL', KEYS[1])
if count < tonumber(ARGV[5]) and tonumber(ARGV[6]) > 0 then
  count, left = tonumber(ARGV[5]), math.max(left, tonumber(ARGV[6]))
  redis.call('SET', KEYS[1], ARGV[5], 'PX', left)
end
local kind, charged = 'charged', tonumber(ARGV[9])
local function admit(most, otherwise)
  if math.max(0, most) < charged then kind, charged = otherwise, math.max(0, most) end
end
if ofRate > 0 then admit(math.floor((rateLimit - count) / ofRate), 'rateLimited') end
if ofQuota > 0 then admit(math.floor((quota - used) / ofQuota), 'quotaExceeded') end
if charged == 0 then return {kind, count, left, used, 0} end
if ofQuota > 0 then used = redis.call('INCRBY', KEYS[2], charged * ofQuota) end
if ofRate > 0 then count = redis.call('INCRBY', KEYS[1], charged * ofRate) end
if ofRate > 0 and left < 0 then
  left = ${windowMs}
  redis.call('PEXPIRE', KEYS[1], left)
end
return {kind, count, left, used, charged}
`);

type Parts = {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'add'>;
  /** Reads the requests charged to a key in the month of a date; rejects without the database. */
  readonly readMonth: (keyId: string, date: IsoDate) => Promise<number>;
  readonly redis: Pick<RedisConnection, 'isAway' | 'runScript'> | undefined;
  /** Number of processes that serve, this one included. */
  readonly countReplicas: () => number;
  readonly defaults: Limits;
};

/** A key's limits and its use of them, as `/usage` reports them. */
export type Standing = Limits & {
  /** Without Redis, a replica counts each of its requests once for every replica. */
  readonly usedInWindow: number;
  /** The end of the window; the time of the answer if no request counts. */
  readonly windowEndsMs: number;
  readonly usedInMonth: number;
  readonly month: Month;
};

/**
 * Counts requests against rate limits and quotas (contract C26).
 *
 * A process that serves alone counts in memory, exactly. Several count in Redis, exactly. Without it, or
 * while it is away, each gives its share: a request weighs as many as there are replicas when it is charged, but the first
 * one of a share. No request is refused, or waits longer than a second, because the database or Redis is away.
 */
export class Counter {
  readonly #parts: Parts;
  readonly #utcMonth: UtcMonth;
  readonly #uses: KnownUses;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#utcMonth = new UtcMonth(parts.clock);
    this.#uses = new KnownUses({ ...parts, isTogether: () => parts.redis?.isAway === false });
  }

  /**
   * Charges a request that counts as `cost`, 1 by default, or returns the reason why it is refused and costs nothing. It is
   * a promise only if a month has to be read or Redis is queried.
   */
  charge(key: LimitedKey, cost: Cost = 1): Refusal | undefined | Promise<Refusal | undefined> {
    const limits = limitsOf(key, this.#parts.defaults);
    const sentMs = this.#utcMonth.now();
    const use = this.#uses.find(key.id, this.#utcMonth.month);
    const everyMs = limits.quota === 'none' ? undefined : this.#readEveryMs(limits);
    const reading = this.#uses.readIfDue(use, sentMs, everyMs);
    if (reading !== undefined) return reading.then(async () => this.charge(key, cost));
    const settle = (outcome: Outcome): Refusal | undefined =>
      this.#settle(outcome, { use, limits, requests: costOf(cost).quota });
    return this.#isTogether(limits)
      ? this.#chargeTogether(use, limits, cost).then(settle)
      : settle(this.#chargeAlone(use, limits, cost));
  }

  /** Adds what was charged to the ledger, or says why it was not. */
  #settle(
    outcome: Outcome,
    { use, limits, requests }: { use: Use; limits: Limits; requests: number },
  ): Refusal | undefined {
    if (outcome === 'charged') return this.#addToLedger(use.keyId, requests);
    const nowMs = this.#utcMonth.now();
    if (outcome === 'rateLimited') {
      return refuseRate(toNumber(limits.rateLimit), use.window.endsMs - nowMs);
    }
    // If only the share is used up, the next two reads give another one.
    const isShare = use.used + requests <= toNumber(limits.quota);
    const waitMs = isShare ? 2 * writtenMs : use.month.endsMs - nowMs;
    return refuseQuota(toNumber(limits.quota), use.month, waitMs);
  }

  /**
   * The most requests that this replica could ever admit at once: the limits, and without Redis its share of the rate limit.
   * Of a quota the first request of a share is not weighed, so it may be the whole.
   */
  mostOf(key: LimitedKey): Limits {
    const limits = limitsOf(key, this.#parts.defaults);
    const { rateLimit } = limits;
    if (this.#parts.redis !== undefined || rateLimit === 'none') return limits;
    const share = Math.floor(rateLimit / this.#parts.countReplicas());
    return { ...limits, rateLimit: Math.max(1, share) };
  }

  /** Reports a key's limits and use; costs nothing. */
  async describe(key: LimitedKey): Promise<Standing> {
    const limits = limitsOf(key, this.#parts.defaults);
    const sentMs = this.#utcMonth.now();
    const use = this.#uses.find(key.id, this.#utcMonth.month);
    const everyMs = this.#readEveryMs(limits);
    const reading = this.#uses.readIfDue(use, sentMs, everyMs) ?? use.reading;
    if (reading !== undefined) return reading.then(async () => this.describe(key));
    if (this.#isTogether(limits)) await this.#chargeTogether(use, limits, 0);
    const nowMs = this.#utcMonth.now();
    const { count: usedInWindow, endsMs } = windowOf(use, nowMs);
    const windowEndsMs = Math.max(endsMs, nowMs);
    return { ...limits, usedInWindow, windowEndsMs, usedInMonth: use.used, month: use.month };
  }

  #chargeAlone(use: Use, limits: Limits, cost: Cost): Outcome {
    const nowMs = this.#utcMonth.now();
    const replicas = this.#parts.countReplicas();
    const window = windowOf(use, nowMs);
    const { rateLimit: ofRate, quota: ofQuota } = costOf(cost);
    const inWindow = window.count + ofRate * (window.count === 0 ? 1 : replicas);
    if (ofRate > 0 && inWindow > toNumber(limits.rateLimit)) return 'rateLimited';
    const byOthers = use.sinceRead + use.beforeRead;
    const inMonth = use.used + byOthers + ofQuota * (byOthers === 0 ? 1 : replicas);
    if (ofQuota > 0 && inMonth > toNumber(limits.quota)) return 'quotaExceeded';
    if (ofRate > 0 && window.count === 0) window.endsMs = nowMs + windowMs;
    window.count += ofRate * (limits.rateLimit === 'none' ? 1 : replicas);
    use.used += ofQuota;
    use.sinceRead += ofQuota * (replicas - 1);
    if (this.#isOneOfSeveral) use.aloneAtMs = nowMs;
    return 'charged';
  }

  /** Charges in Redis, and learns its counts; alone if Redis does not answer. A cost of 0 only learns. */
  async #chargeTogether(use: Use, limits: Limits, cost: Cost): Promise<Outcome> {
    const { rateLimit, quota } = costOf(cost);
    const charge = [toNumber(limits.rateLimit), toNumber(limits.quota), rateLimit, quota] as const;
    const open = use.gathering;
    const isEqual = open?.charge.every((value, at) => value === charge[at]) === true;
    const group = isEqual ? open : this.#openGroup(use, charge);
    const place = (group.size += 1);
    const answer = await group.answer;
    if (answer === undefined) return this.#chargeAlone(use, limits, cost);
    return place <= answer.charged ? 'charged' : answer.kind;
  }

  #openGroup(use: Use, charge: Group['charge']): Group {
    const answer = setImmediate().then(async () => this.#send(use, group));
    const group: Group = { charge, size: 0, answer };
    use.gathering = group;
    return group;
  }

  /** Charges a group, which takes no further requests from now on, in Redis; undefined if that does not answer. */
  async #send(use: Use, group: Group): Promise<Charged | undefined> {
    if (use.gathering === group) use.gathering = undefined;
    const sentMs = this.#utcMonth.now();
    const { count: knownCount, endsMs } = windowOf(use, sentMs);
    const [rateLimit, quota, ...costs] = group.charge;
    // What the others are taken to have charged is kept free, and not added to what is known.
    const freeQuota = quota - use.sinceRead - use.beforeRead;
    const isFresh = Math.abs(sentMs - use.readAtMs) < writtenMs;
    const known = [knownCount, endsMs - sentMs, use.used, isFresh ? 1 : 0];
    const answer = await this.#parts.redis?.runScript(
      chargeScript,
      [`vatfx:window:${use.keyId}`, `vatfx:used:${use.keyId}:${startOf(use.month).slice(0, 7)}`],
      [rateLimit, freeQuota, ...costs, ...known, group.size],
    );
    if (answer === undefined) return undefined;
    const [kind, ...counts] = answer as [Outcome | 'lost', number, number, number, number];
    const [count, leftMs, used, charged] = counts;
    if (kind === 'lost') {
      use.aloneAtMs = sentMs;
      await this.#uses.read(use, sentMs);
      return this.#send(use, group);
    }
    const window = windowOf(use, this.#utcMonth.now());
    window.count = Math.max(window.count, count);
    // From the time of the call: later than that, a replica would take the window to last longer than it does.
    window.endsMs = Math.max(window.endsMs, sentMs + leftMs);
    use.used = Math.max(use.used, used);
    return { kind, charged };
  }

  /** Whether replicas count a key's requests together. A key without limits does not need it. */
  #isTogether(limits: Limits): boolean {
    return this.#parts.redis?.isAway === false && !isUnlimited(limits);
  }

  /** Whether other processes may charge requests that this one does not see. */
  get #isOneOfSeveral(): boolean {
    return this.#parts.redis !== undefined || this.#parts.countReplicas() > 1;
  }

  /** The age at which a month is read again. */
  #readEveryMs(limits: Limits): number {
    if (this.#isTogether(limits)) return readEveryMs;
    return this.#isOneOfSeveral ? writtenMs : Infinity;
  }

  #addToLedger(keyId: string, requests: number): undefined {
    if (requests === 0) return;
    this.#parts.ledger.add({ keyId, useDate: this.#utcMonth.date, requests });
  }
}

/** A limit as a number; that of `none` is more than any count. */
function toNumber(limit: RequestLimit): number {
  return limit === 'none' ? Number.MAX_SAFE_INTEGER : limit;
}
