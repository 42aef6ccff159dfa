import { type Clock, endOfUtcDay } from '../../platform/time/time.ts';
import { pause, type Timers, resultWithin } from '../../platform/time/timers.ts';
import { type AnswerCache, type CachedAnswer, toKey } from './cache.ts';
import type { CallerCalls } from '../calls/caller-calls.ts';
import type { CheckMetrics } from './check-metrics.ts';
import { type Answer, type Outcome, withoutProof } from '../registries/outcome.ts';
import type { AskedRegistry } from '../calls/asked-registry.ts';
import { isGroupFault } from '../calls/faults.ts';
import type { Protected } from '../calls/protection.ts';
import { usualRegistry } from '../registries/registry-code.ts';
import { RetryBudget } from '../calls/retry-budget.ts';
import type { SharedAnswer, SharedAnswers } from './shared-answers.ts';
import type { VatNumber } from '../numbers/vat-number.ts';
import { alone } from '../registries/registry.ts';
import type { RegistryName } from '../registries/registry.ts';

/** The result of a check. */
export type CheckResult =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly cached: CachedAnswer }
  | { readonly kind: 'unanswered'; readonly outcome: Outcome; readonly retryAfterSeconds: number }
  /** The key has used its calls of the day: the registry was not called (rule K21b). */
  | { readonly kind: 'spent'; readonly retryAfterSeconds: number };

/** The caller of a check. */
export type CheckCaller = {
  readonly keyId: string;
  /** The age of its request. */
  readonly elapsedMs: number;
};

/** When a caller may try again after an outage whose end is not known. */
const retryAfterSeconds = { down: 60, throttled: 10, timedOut: 30 } as const;
const timedOut: CheckResult = {
  kind: 'unanswered',
  outcome: { kind: 'timedOut' },
  retryAfterSeconds: retryAfterSeconds.timedOut,
};
/** A look-up counts for the key of the caller that began it. */
type LookUpLimits = { readonly keyId: string; readonly deadlineAtMs: number };

/** A second call is made after a pause, and only if enough time for its answer is left. */
const retry = { pauseMs: 200, leastLeftMs: 1_500 } as const;

type Asked = Pick<AskedRegistry, 'registry' | 'ask' | 'protection' | 'pace'>;

/** The call of a registry whose calls no number of a key bounds. */
const uncounted = { count: () => {}, end: () => {} };

type Parts = {
  readonly registryOf: (name: RegistryName) => Asked;
  readonly cache: AnswerCache;
  /** Undefined without Redis: each process then looks numbers up for itself. */
  readonly shared: SharedAnswers | undefined;
  readonly metrics: CheckMetrics;
  /** Called when a Member State or another registry has faulted. It must not wait for anything. */
  readonly onGroupFault: (group: string) => void;
  readonly calls: Pick<CallerCalls, 'begin'>;
  readonly clock: Clock;
  /** The hard timeout, from the arrival of the request to its answer. */
  readonly timeoutMs: number;
  readonly timers: Timers;
  /** Aborted when no request is left: a stop lets running checks finish. */
  readonly closing: AbortSignal;
};

/**
 * VAT checks: the cache, then one look-up per number for all callers of this process that check it at the same time
 * (contract C22 to C24).
 *
 * A look-up in flight belongs to no caller: if one hangs up, the others still get the answer. It ends by its deadline,
 * even if the registry does not answer.
 */
export class VatChecks {
  readonly #parts: Parts;
  readonly #retries = new RetryBudget();
  readonly #inFlight = new Map<string, Promise<CheckResult>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The answer in this process's cache: never charged (interface 4.5). */
  findCached(vatNumber: VatNumber): CachedAnswer | undefined {
    const { cache, metrics } = this.#parts;
    const cached = cache.find(vatNumber);
    if (cached !== undefined) metrics.cached(vatNumber.registryCode);
    return cached;
  }

  /** The answer of another replica, never charged either; without Redis undefined, and no promise. */
  findShared(vatNumber: VatNumber): Promise<CachedAnswer | undefined> | undefined {
    return this.#parts.shared?.find(vatNumber).then((found) =>
      // If no replica has shared one, a look-up of this process may have ended meanwhile.
      found === undefined ? this.findCached(vatNumber) : this.#adopt(vatNumber, found),
    );
  }

  /**
   * Looks a number up at the registry, or joins the look-up of the same number that is in flight, which takes no
   * further place. A request that is older than the hard timeout ends without a look-up.
   */
  async lookUp(vatNumber: VatNumber, { keyId, elapsedMs }: CheckCaller): Promise<CheckResult> {
    const { timeoutMs, timers } = this.#parts;
    if (elapsedMs >= timeoutMs) return timedOut;
    const deadlineAtMs = timers.now() + timeoutMs - elapsedMs;
    const key = toKey(vatNumber);
    const joined = this.#inFlight.get(key);
    if (joined !== undefined) {
      const result = await this.#withinDeadline(joined, deadlineAtMs);
      if (result.kind !== 'spent') return result;
      // The calls of another key are used up, not those of this one.
      return this.lookUp(vatNumber, {
        keyId,
        elapsedMs: timeoutMs - (deadlineAtMs - timers.now()),
      });
    }
    const begun = this.#query(vatNumber, { keyId, deadlineAtMs });
    // The caller does not wait for Redis.
    void this.#share(vatNumber, begun);
    const lookUp = this.#withinDeadline(begun, deadlineAtMs).finally(() =>
      this.#inFlight.delete(key),
    );
    this.#inFlight.set(key, lookUp);
    return lookUp;
  }

  #adopt(vatNumber: VatNumber, found: SharedAnswer): CachedAnswer {
    this.#parts.metrics.cached(vatNumber.registryCode);
    return this.#parts.cache.adopt(vatNumber, found);
  }

  async #share(vatNumber: VatNumber, pending: Promise<CheckResult>): Promise<void> {
    const result = await pending.catch(() => undefined);
    if (result?.kind !== 'answered') return;
    await this.#parts.shared?.keep(vatNumber, result.answer, result.cached.leftMs);
  }

  /** Queries the registry when there is a place, unless a breaker is open. */
  async #query(vatNumber: VatNumber, limits: LookUpLimits): Promise<CheckResult> {
    const { metrics, timers, closing, calls, clock, onGroupFault } = this.#parts;
    const { keyId, deadlineAtMs } = limits;
    const asked = this.#parts.registryOf(usualRegistry(vatNumber.registryCode));
    const { registry, protection, pace } = asked;
    const group = registry.group(vatNumber);
    const turn = await pace?.take(closing);
    if (turn?.kind === 'refused') return paced(turn);
    // VIES_CALLS_PER_DAY is of VIES alone (rule M7).
    const counted = pace === undefined ? await calls.begin(keyId) : uncounted;
    if (counted === undefined) {
      const nowMs = clock.now();
      const retryAfterSeconds = Math.ceil((endOfUtcDay(nowMs) - nowMs) / 1_000);
      return { kind: 'spent', retryAfterSeconds };
    }
    const startedMs = timers.now();
    const overdue = new AbortController();
    const cancel = timers.after(deadlineAtMs - startedMs, () => overdue.abort());
    const signal = AbortSignal.any([overdue.signal, closing]);
    try {
      const within = { keyId, deadlineAtMs, signal, onCall: counted.count };
      const ended = await protection.run(group, { keyId, deadlineAtMs, signal }, async () =>
        this.#call(vatNumber, asked, within),
      );
      metrics.ended(group, ended, timers.now() - startedMs);
      if (ended.kind === 'called' && isGroupFault(registry.name, ended.outcome)) {
        onGroupFault(group);
      }
      return this.#toResult(vatNumber, ended);
    } finally {
      counted.end();
      cancel();
    }
  }

  /** Calls the registry; a second time if the connection failed, and time and budget allow it. */
  async #call(
    vatNumber: VatNumber,
    asked: Asked,
    within: {
      readonly keyId: string;
      readonly deadlineAtMs: number;
      readonly signal: AbortSignal;
      readonly onCall: () => void;
    },
  ): Promise<Outcome> {
    const { metrics, timers, closing } = this.#parts;
    const { keyId, deadlineAtMs, signal, onCall } = within;
    const call = async () => {
      onCall();
      const deadlineMs = Math.max(1, Math.ceil(deadlineAtMs - timers.now()));
      const limits = { keyId, deadlineMs, signal: closing };
      const { outcome, ...result } = await asked.ask(alone(vatNumber), limits);
      metrics.differed(asked.registry.group(vatNumber), result);
      return { ...result, outcome: withoutProof(outcome) };
    };
    const first = await call();
    this.#retries.earn();
    const leftMs = deadlineAtMs - timers.now();
    // A second call to a registry with a pace would need a turn of its own.
    const mayRetry = first.mayRetry && asked.pace === undefined;
    if (!mayRetry || leftMs < retry.leastLeftMs || !this.#retries.spend()) {
      return first.outcome;
    }
    await pause(timers, retry.pauseMs, signal);
    const isOver = signal.aborted || timers.now() >= deadlineAtMs;
    return isOver ? first.outcome : (await call()).outcome;
  }

  #toResult(vatNumber: VatNumber, ended: Protected): CheckResult {
    if (ended.kind === 'cancelled') return timedOut;
    if (ended.kind === 'refused') {
      const kind = ended.by === 'memberState' ? 'memberStateUnavailable' : 'serviceUnavailable';
      return {
        kind: 'unanswered',
        outcome: { kind, because: 'down' },
        retryAfterSeconds: ended.retryAfterSeconds,
      };
    }
    const { outcome } = ended;
    if (outcome.kind !== 'answered') {
      return { kind: 'unanswered', outcome, retryAfterSeconds: retryAfter(outcome) };
    }
    const { answer, maxAgeSeconds } = outcome;
    return {
      kind: 'answered',
      answer,
      cached: this.#parts.cache.keep(vatNumber, answer, maxAgeSeconds),
    };
  }

  /**
   * Ends by a caller's own deadline, even if the look-up goes on: the caller that joined may have arrived before the
   * one that began the look-up, and waited for Redis longer.
   */
  async #withinDeadline(lookUp: Promise<CheckResult>, deadlineAtMs: number): Promise<CheckResult> {
    const { timers } = this.#parts;
    return (await resultWithin(deadlineAtMs - timers.now(), lookUp, timers)) ?? timedOut;
  }
}

/** The end of a look-up for which the pace of the registry has no turn soon (rule M7). */
function paced(turn: { readonly retryAfterSeconds: number }): CheckResult {
  const { retryAfterSeconds } = turn;
  const outcome = { kind: 'serviceUnavailable', because: 'throttled' } as const;
  return { kind: 'unanswered', outcome, retryAfterSeconds };
}

function retryAfter(outcome: Outcome): number {
  return 'because' in outcome ? retryAfterSeconds[outcome.because] : retryAfterSeconds.timedOut;
}
