import { randomUUID } from 'node:crypto';
import { type Cost, costOf } from '../../platform/request-cost.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { formatInstant } from '../../platform/time.ts';
import type { Limits } from './key-limits.ts';
import type { LimitState } from './limit-state.ts';
import { chargeCounts } from './shared-count-script.ts';

const prefix = 'vatfx:';
const generationKey = `${prefix}generation`;
/** Maximum of keys that one call charges; other replicas wait for a longer call. */
const groupsMax = 250;

/** Redis's reply to a charge, by its own clock. */
export type CountReply = {
  /** `counted` if nothing was to be charged. */
  readonly kind: 'charged' | 'counted' | 'rateLimited' | 'quotaExceeded';
  readonly nowMs: number;
  readonly usedInMinute: number;
  readonly usedInMonth: number;
  /** Until a request would be admitted, or, if nothing was to be charged, until no request counts. */
  readonly waitMs: number;
};

export type CountRequest = {
  readonly state: LimitState;
  readonly limits: Limits;
  /** Number of requests that it counts as. Either all of them are charged or none; 0 charges nothing. */
  readonly cost: Cost;
};

/** Redis's answer about the requests of a key that are charged together. */
type Answer = readonly [
  kind: CountReply['kind'],
  nowMs: number,
  usedInMinute: number,
  usedInMonth: number,
  waitMs: number,
  charged: number,
];

/** Equal requests of one key in one turn of the event loop. */
type Group = {
  readonly wanted: CountRequest;
  /** Called in the order in which the requests came. */
  readonly waiting: ((reply: CountReply | undefined) => void)[];
};

type Parts = {
  readonly redis: Pick<RedisConnection, 'runScript' | 'noteDataLoss'>;
  readonly now: () => number;
};

/**
 * The counts that all replicas share.
 *
 * All charges of one turn of the event loop are one call of the script, and the equal requests of a key one step of
 * it. Under load this saves most of the work, here and in Redis.
 */
export class SharedCounts {
  readonly #parts: Parts;
  /** Redis's generation in its last answer; empty before. */
  #generation = '';
  #groups: Group[] = [];
  /** The last group of each key. */
  readonly #groupOf = new Map<LimitState, Group>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reports to Redis what it has not counted, and reads the counts. */
  async look(state: LimitState, limits: Limits): Promise<CountReply | undefined> {
    return this.charge({ state, limits, cost: 0 });
  }

  /** Charges a request; undefined if Redis does not answer, or has lost its data. */
  async charge(wanted: CountRequest): Promise<CountReply | undefined> {
    return new Promise((resolve) => {
      this.#findGroup(wanted).waiting.push(resolve);
    });
  }

  #findGroup(wanted: CountRequest): Group {
    const last = this.#groupOf.get(wanted.state);
    if (last !== undefined && isSame(last.wanted, wanted)) return last;
    if (this.#groups.length >= groupsMax) void this.#send();
    else if (this.#groups.length === 0) setImmediate(() => void this.#send());
    const group: Group = { wanted, waiting: [] };
    this.#groups.push(group);
    this.#groupOf.set(wanted.state, group);
    return group;
  }

  async #send(): Promise<void> {
    const groups = this.#groups;
    this.#groups = [];
    this.#groupOf.clear();
    const answers = await this.#call(groups);
    for (const [at, { waiting }] of groups.entries()) resolveAll(waiting, answers?.[at]);
  }

  /** Calls the script; a second time, with the counts that Redis has lost, if its generation is another one. */
  async #call(groups: readonly Group[], triesLeft = 1): Promise<readonly Answer[] | undefined> {
    const { redis } = this.#parts;
    const generation = this.#generation;
    const nowMs = this.#parts.now();
    const reports = groups.map(({ wanted: { state } }) =>
      state.redis.takeReport(generation, state.recent, nowMs),
    );
    const keys = groups.flatMap(({ wanted }) => keysOf(wanted.state));
    const values = groups.flatMap((group, at) => valuesOf(group, reports[at] ?? 0));
    const callers = groups.reduce((sum, { waiting }) => sum + waiting.length, 0);
    const answer = await redis.runScript(
      chargeCounts,
      [generationKey, ...keys],
      [generation, randomUUID(), ...values],
      { callers },
    );
    if (answer === undefined || (typeof answer === 'string' && triesLeft === 0)) {
      const failedAtMs = this.#parts.now();
      for (const [at, { wanted }] of groups.entries()) {
        wanted.state.redis.addUnreported(failedAtMs, reports[at] ?? 0);
      }
      return undefined;
    }
    if (typeof answer !== 'string') return answer as readonly Answer[];
    // Several calls may be under way.
    if (generation !== '' && this.#generation === generation) redis.noteDataLoss();
    this.#generation = answer;
    if (generation === '') return this.#call(groups, triesLeft - 1);
    // Other replicas may not have reported theirs yet, so Redis does not decide.
    await this.#call(groups.map(onlyReported), triesLeft - 1);
    return undefined;
  }
}

/** The same requests without a charge: the script adds what the replica reports. */
function onlyReported({ wanted, waiting }: Group): Group {
  return { wanted: { ...wanted, cost: 0 }, waiting };
}

function isSame(one: CountRequest, other: CountRequest): boolean {
  return (
    one.limits.rateLimit === other.limits.rateLimit &&
    one.limits.quota === other.limits.quota &&
    costOf(one.cost).rateLimit === costOf(other.cost).rateLimit &&
    costOf(one.cost).quota === costOf(other.cost).quota
  );
}

/** Resolves the first requests as charged, as many as the answer says, and all others with the answer's reply. */
function resolveAll(waiting: Group['waiting'], answer: Answer | undefined): void {
  if (answer === undefined) {
    for (const resolve of waiting) resolve(undefined);
    return;
  }
  const [kind, nowMs, usedInMinute, usedInMonth, waitMs, chargedCount] = answer;
  const reply: CountReply = { kind, nowMs, usedInMinute, usedInMonth, waitMs };
  const charged: CountReply = { ...reply, kind: 'charged', waitMs: 0 };
  for (const [at, resolve] of waiting.entries()) resolve(at < chargedCount ? charged : reply);
}

/** The Redis keys of an API key's minute and month. */
function keysOf({ keyId, month }: LimitState): readonly [string, string] {
  const monthName = formatInstant(month.startsMs).slice(0, 7);
  return [`${prefix}minute:${keyId}`, `${prefix}month:${keyId}:${monthName}`];
}

function valuesOf({ wanted, waiting }: Group, unreported: number): readonly (string | number)[] {
  const { state, limits } = wanted;
  const { rateLimit, quota } = costOf(wanted.cost);
  return [
    limits.rateLimit === 'none' ? -1 : limits.rateLimit,
    limits.quota === 'none' ? -1 : limits.quota,
    unreported,
    state.usedInMonth,
    waiting.length,
    rateLimit,
    quota,
  ];
}
