import type { ClockTrust } from '../../../platform/time/clock-guard.ts';
import { FailureLog } from '../../../platform/log/log.ts';
import { Ticker } from '../../../platform/schedule/ticker.ts';
import type { RequestLimit } from '../../../platform/http/request-cost.ts';
import { oneByOne } from '../../../platform/database/portions.ts';
import { type Clock, endOfUtcDay } from '../../../platform/time/time.ts';
import type { Timers } from '../../../platform/time/timers.ts';
import type { Protection } from '../../calls/protection.ts';
import { isTurnFree } from '../../calls/call-pace.ts';
import type { EnabledRegistries } from '../../registries/enabled.ts';
import { registries } from '../../registries/registries.ts';
import type { RegistryName } from '../../registries/registry.ts';
import { isBudgetSpent, prolongWaiting } from './call-budget.ts';
import {
  type ClaimedCheck,
  claimNext,
  claimNextOf,
  type ClaimRequest,
  listDueRegistries,
  listWithDue,
} from './claim-next.ts';
import { endExpired } from './expiry.ts';
import { repairTimes } from './repair-times.ts';
import { KnownShares, listSpentKeys, sharedFrom } from './shares.ts';
import type { ClaimReturns } from './claim-returns.ts';
import { type AttemptParts, makeAttempt } from './make-attempt.ts';

/** Interval between passes while nothing is due. */
const pollMs = 500;
/** Interval between two looks for expired checks, unless one has found more than it may end. */
const expiryMs = 5_000;
/** Time of a claim beyond the timeout of its attempt: enough to write the result. */
export const claimSpareMs = 20_000;

type Parts = AttemptParts & {
  readonly clock: Clock;
  readonly clockGuard: ClockTrust;
  readonly timers: Timers;
  readonly protectionOf: (name: RegistryName) => Pick<Protection, 'roomForBackground'>;
  readonly enabled: EnabledRegistries;
  readonly returns: Pick<ClaimReturns, 'release' | 'keep' | 'retry'>;
  /** The longest time of an attempt. */
  readonly timeoutMs: number;
  /** VIES_BACKGROUND_PER_SECOND, of all Member States and replicas together. */
  readonly perSecond: number;
  /** VIES_CALLS_PER_DAY, of the same. */
  readonly perDay: RequestLimit;
};

/**
 * Makes the background attempts of stored checks (rules K8 and M7).
 *
 * A pass claims at most one due check of each Member State, as far as the pace and the budget of the day allow, and one of each
 * other registry, as far as its own pace allows, and begins its attempt if the protection has room. Keys take turns, and the Member States of a key, so that none delays another. A
 * crash leaves the claim, which ends; the attempt is then repeated, and only one result is written. Checks that expire, or
 * whose key ends, are ended in the same passes. While something speaks against the clock, a pass does nothing.
 */
export class CheckWorker {
  readonly #parts: Parts;
  readonly #underWay = new Set<Promise<unknown>>();
  /** The key and the Member State that were served last. */
  #lastKey = '';
  #lastState = '';
  /** The key that was served last at each other registry. */
  readonly #lastKeys = new Map<RegistryName, string>();
  readonly #ticker: Ticker;
  readonly #expiryFailures: FailureLog;
  #expiryAtMs = -Infinity;
  /** Whether times that a wrong clock has written were repaired since the clock was last not trusted. */
  #isRepaired = false;
  readonly #shares: KnownShares;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#shares = new KnownShares(parts.db, parts.perDay);
    // Twice as often as the pace, so that little of it is lost.
    const pacedMs = Math.min(pollMs, Math.ceil(500 / parts.perSecond));
    const tick = async () => ((await this.pass()) ? pacedMs : pollMs);
    const failure = 'attempts of stored checks not begun';
    this.#ticker = new Ticker(tick, { ...parts, intervalMs: pollMs, failure });
    this.#expiryFailures = new FailureLog(parts.log, 'expired checks not ended');
  }

  start(): void {
    this.#ticker.start();
  }

  /** Begins no further attempts; resolves when those under way have ended and their results are written. */
  async stop(): Promise<void> {
    await this.#ticker.stop();
    await this.settle();
  }

  /** Resolves when the attempts that are under way now have ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /**
   * Ends what has expired, and begins one attempt of each Member State that has room; returns whether another one may be
   * possible as soon as the pace allows it.
   */
  async pass(): Promise<boolean> {
    const { clock, clockGuard, enabled, returns } = this.#parts;
    await returns.retry();
    const nowMs = clock.now();
    if (!clockGuard.isTrusted) this.#isRepaired = false;
    if (clockGuard.isDoubted) return false;
    if (nowMs >= this.#expiryAtMs || nowMs < this.#expiryAtMs - expiryMs) {
      const isMore = await this.#endExpired(nowMs);
      if (!isMore) this.#expiryAtMs = nowMs + expiryMs;
    }
    let isBusy = await this.#serveVies(nowMs);
    for (const name of enabled.names) {
      if (name !== 'vies') isBusy = (await this.#serveOther(name, nowMs)) || isBusy;
    }
    return isBusy;
  }

  /** Begins one attempt of each Member State that has room. */
  async #serveVies(nowMs: number): Promise<boolean> {
    const { db, protectionOf, perDay } = this.#parts;
    const protection = protectionOf('vies');
    if (await isBudgetSpent(db, nowMs, perDay)) return false;
    const shares = await this.#shares.at(nowMs);
    const budget = { shares, spentKeys: await listSpentKeys(db, nowMs, shares) };
    const { claimable, isPaced } = await listDueRegistries(db, nowMs);
    let isBusy = isPaced;
    const served = new Set<string>();
    while (!this.#ticker.isStopping) {
      const waiting = claimable.filter(
        (state) => !served.has(state) && protection.roomForBackground(state) > 0,
      );
      const state = waiting.length === 0 ? undefined : await this.#beginNext(waiting, budget);
      if (state === undefined) break;
      isBusy = true;
      served.add(state);
    }
    return isBusy;
  }

  /** Begins one attempt at a registry other than VIES; returns whether another check is due there. */
  async #serveOther(registry: RegistryName, nowMs: number): Promise<boolean> {
    const { db, enabled, protectionOf, timeoutMs, returns } = this.#parts;
    if (this.#ticker.isStopping) return false;
    const codes = await listWithDue(db, enabled.storedCodes(registry), nowMs);
    if (codes.length === 0 || protectionOf(registry).roomForBackground(registry) === 0)
      return false;
    if (!(await isTurnFree(db, registry, nowMs))) return true;
    const wanted = {
      registry,
      registryCodes: codes,
      nowMs,
      untilMs: nowMs + timeoutMs + claimSpareMs,
      perSecond: registries[registry].callsPerSecond ?? 1,
      afterKey: this.#lastKeys.get(registry) ?? '',
    };
    const claimed = await claimNextOf(db, wanted, (error, last) => returns.keep(error, last));
    if (claimed === undefined) return false;
    this.#lastKeys.set(registry, claimed.keyId);
    this.#begin(claimed);
    return true;
  }

  #begin(claimed: ClaimedCheck): void {
    const running = makeAttempt(claimed, this.#parts).finally(() => this.#underWay.delete(running));
    this.#underWay.add(running);
  }

  /** Ends what has expired; returns whether there may be more. A failure does not keep attempts from being made. */
  async #endExpired(nowMs: number): Promise<boolean> {
    const { db, clockGuard, onEnded } = this.#parts;
    const { isTrusted } = clockGuard;
    try {
      if (isTrusted && !this.#isRepaired) {
        await repairTimes(db, nowMs);
        this.#isRepaired = true;
      }
      if (isTrusted) await this.#prolong(nowMs);
      const isMore = await endExpired(db, { nowMs, isClockTrusted: isTrusted, onEnded });
      this.#expiryFailures.succeeded();
      return isMore;
    } catch (error) {
      this.#expiryFailures.failed(error);
      return false;
    }
  }

  /** Prolongs the checks that wait because the budget of today, or the share of their key, is used up. */
  async #prolong(nowMs: number): Promise<void> {
    const { db, perDay } = this.#parts;
    if (await isBudgetSpent(db, nowMs, perDay)) {
      await prolongWaiting(db, { nowMs, untilMs: endOfUtcDay(nowMs) });
      return;
    }
    const spentKeys = await listSpentKeys(db, nowMs, await this.#shares.at(nowMs));
    const untilMs = sharedFrom(nowMs);
    await oneByOne(spentKeys, async (keyId) => prolongWaiting(db, { nowMs, untilMs, keyId }));
  }

  /** Claims the next check of these Member States, and begins its attempt; returns its Member State. */
  async #beginNext(
    states: readonly string[],
    budget: Pick<ClaimRequest, 'shares' | 'spentKeys'>,
  ): Promise<string | undefined> {
    const { db, clock, timeoutMs, perSecond, perDay, returns } = this.#parts;
    const nowMs = clock.now();
    const wanted = {
      registryCodes: inTurn(states, this.#lastState),
      nowMs,
      untilMs: nowMs + timeoutMs + claimSpareMs,
      perSecond,
      perDay,
      ...budget,
      afterKey: this.#lastKey,
    };
    const claimed = await claimNext(db, wanted, (error, last) => returns.keep(error, last));
    const registryCode = claimed?.queried?.registryCode;
    if (claimed === undefined || registryCode === undefined) return undefined;
    this.#lastKey = claimed.keyId;
    this.#lastState = registryCode;
    this.#begin(claimed);
    return registryCode;
  }
}

/** The Member States after the last one that was served, and then the others. */
function inTurn(states: readonly string[], last: string): readonly string[] {
  return [...states.filter((code) => code > last), ...states.filter((code) => code <= last)];
}
