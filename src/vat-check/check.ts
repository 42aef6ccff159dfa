import { pause, type Timers } from '../platform/timers.ts';
import { NotDoneInTime, withTimeout } from '../platform/with-timeout.ts';
import { type AnswerCache, type CachedAnswer, toKey } from './cache.ts';
import type { CheckObserver } from './check-metrics.ts';
import type { Answer, Outcome } from './outcome.ts';
import type { Protected, Protection } from './protection.ts';
import { RetryBudget } from './retry-budget.ts';
import type { VatNumber } from './vat-number.ts';
import type { Flight, SharedAnswers } from './shared-answers.ts';
import type { ViesClient } from './vies-client.ts';

/** What a caller gets to hear. */
export type CheckResult =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly cached: CachedAnswer }
  | { readonly kind: 'unanswered'; readonly outcome: Outcome; readonly retryAfterSeconds: number };

/** The caller of a check. */
export type CheckCaller = {
  readonly keyId: string;
  /** The age of its request. */
  readonly elapsedMs: number;
};

/** What a caller may do after an outage of which nothing more is known. */
const retryAfterSeconds = { down: 60, throttled: 10, timedOut: 30 } as const;
const timedOut: CheckResult = {
  kind: 'unanswered',
  outcome: { kind: 'timedOut' },
  retryAfterSeconds: retryAfterSeconds.timedOut,
};
/** A flight counts for the key of the caller that began it. */
type FlightLimits = { readonly keyId: string; readonly deadlineAtMs: number };

/** A second call needs a moment to make sense, and time for its answer. */
const retry = { pauseMs: 200, leastLeftMs: 1_500 } as const;

/**
 * VAT checks: cache, then one call per number however many ask (contract C22 to C24).
 *
 * A flight belongs to nobody: a caller that goes away cancels nothing for the others. It ends by its
 * deadline whatever the registry does.
 */
export class VatChecks {
  readonly #vies: ViesClient;
  readonly #cache: AnswerCache;
  readonly #shared: SharedAnswers | undefined;
  readonly #protection: Protection;
  readonly #observer: CheckObserver;
  readonly #timeoutMs: number;
  readonly #timers: Timers;
  readonly #closing: AbortSignal;
  readonly #retries = new RetryBudget();
  readonly #flights = new Map<string, Promise<CheckResult>>();

  constructor(parts: {
    readonly vies: ViesClient;
    readonly cache: AnswerCache;
    /** Undefined where each process asks for itself. */
    readonly shared: SharedAnswers | undefined;
    readonly protection: Protection;
    readonly observer: CheckObserver;
    /** The hard timeout, from the arrival of the request to its answer. */
    readonly timeoutMs: number;
    readonly timers: Timers;
    /** Aborted when nobody is left to answer: a stop lets running checks finish. */
    readonly signal: AbortSignal;
  }) {
    this.#vies = parts.vies;
    this.#cache = parts.cache;
    this.#shared = parts.shared;
    this.#protection = parts.protection;
    this.#observer = parts.observer;
    this.#timeoutMs = parts.timeoutMs;
    this.#timers = parts.timers;
    this.#closing = parts.signal;
  }

  /** The answer that is known already: never charged (interface 4.5). */
  findCached(vatNumber: VatNumber): CachedAnswer | undefined {
    const cached = this.#cache.find(vatNumber);
    if (cached !== undefined) this.#observer.cached(vatNumber.registryCode);
    return cached;
  }

  /** The answer that another replica has got; undefined at once where nothing is shared. Never charged either. */
  findShared(vatNumber: VatNumber): Promise<CachedAnswer | undefined> | undefined {
    return this.#shared === undefined ? undefined : this.#findIn(this.#shared, vatNumber);
  }

  async #findIn(shared: SharedAnswers, vatNumber: VatNumber): Promise<CachedAnswer | undefined> {
    const found = await shared.find(vatNumber);
    // What was asked for here in the meantime is known now.
    if (found === undefined) return this.findCached(vatNumber);
    this.#observer.cached(vatNumber.registryCode);
    return this.#cache.adopt(vatNumber, found);
  }

  /**
   * Queries the registry, or joins the check of the same number that is in flight and takes no place then. A request
   * that is older than the hard timeout ends without a query.
   */
  async ask(vatNumber: VatNumber, { keyId, elapsedMs }: CheckCaller): Promise<CheckResult> {
    if (elapsedMs >= this.#timeoutMs) return timedOut;
    const deadlineAtMs = this.#timers.now() + this.#timeoutMs - elapsedMs;
    const key = toKey(vatNumber);
    const joined = this.#flights.get(key);
    if (joined !== undefined) return this.#withinDeadline(joined, deadlineAtMs);
    const flying = this.#flyOnce(vatNumber, { keyId, deadlineAtMs });
    const flight = this.#withinDeadline(flying, deadlineAtMs).finally(() =>
      this.#flights.delete(key),
    );
    this.#flights.set(key, flight);
    return flight;
  }

  /** One flight for all replicas, as far as they can agree. */
  async #flyOnce(vatNumber: VatNumber, limits: FlightLimits): Promise<CheckResult> {
    const leftMs = limits.deadlineAtMs - this.#timers.now();
    const begun = await this.#shared?.begin(vatNumber, { waitMs: leftMs - retry.leastLeftMs });
    if (begun !== undefined && 'answer' in begun) {
      this.#observer.cached(vatNumber.registryCode);
      return {
        kind: 'answered',
        answer: begun.answer,
        cached: this.#cache.adopt(vatNumber, begun),
      };
    }
    const flying = this.#fly(vatNumber, limits);
    // The caller does not wait for Redis.
    void this.#share(vatNumber, flying, begun);
    return flying;
  }

  /** The answer first, so that whoever sees that the flight has landed finds it. */
  async #share(
    vatNumber: VatNumber,
    flying: Promise<CheckResult>,
    flight: Flight | undefined,
  ): Promise<void> {
    const result = await flying.catch(() => undefined);
    if (result?.kind === 'answered') {
      await this.#shared?.keep(vatNumber, result.answer, result.cached.leftMs);
    }
    await flight?.land();
  }

  async #fly(vatNumber: VatNumber, limits: FlightLimits): Promise<CheckResult> {
    const { keyId, deadlineAtMs } = limits;
    const { registryCode } = vatNumber;
    const startedMs = this.#timers.now();
    // Waiting for Redis may have taken all the time that there was.
    if (startedMs >= deadlineAtMs) return timedOut;
    const overdue = new AbortController();
    const cancel = this.#timers.after(deadlineAtMs - startedMs, () => overdue.abort());
    const signal = AbortSignal.any([overdue.signal, this.#closing]);
    try {
      const ended = await this.#protection.run(
        registryCode,
        { keyId, deadlineAtMs, signal },
        async () => this.#call(vatNumber, deadlineAtMs, signal),
      );
      this.#observer.asked(registryCode, ended, this.#timers.now() - startedMs);
      return this.#toResult(vatNumber, ended);
    } finally {
      cancel();
    }
  }

  /** Calls the registry, and once more where the connection failed and time and budget allow. */
  async #call(vatNumber: VatNumber, deadlineAtMs: number, signal: AbortSignal): Promise<Outcome> {
    const call = async () => {
      const deadlineMs = Math.max(1, Math.ceil(deadlineAtMs - this.#timers.now()));
      const result = await this.#vies.check(vatNumber, { deadlineMs, signal: this.#closing });
      this.#observer.differed(vatNumber.registryCode, result.differences);
      return result;
    };
    const first = await call();
    this.#retries.earn();
    const leftMs = deadlineAtMs - this.#timers.now();
    if (!first.mayRetry || leftMs < retry.leastLeftMs || !this.#retries.spend()) {
      return first.outcome;
    }
    await pause(this.#timers, retry.pauseMs, signal);
    const isOver = signal.aborted || this.#timers.now() >= deadlineAtMs;
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
    if (outcome.kind === 'answered') {
      const { answer, maxAgeSeconds } = outcome;
      return {
        kind: 'answered',
        answer,
        cached: this.#cache.keep(vatNumber, answer, maxAgeSeconds),
      };
    }
    return { kind: 'unanswered', outcome, retryAfterSeconds: retryAfter(outcome) };
  }

  /**
   * Ends by a caller's own deadline, whatever the flight does: a caller that waited for Redis may have come before
   * the one that began the flight.
   */
  async #withinDeadline(flight: Promise<CheckResult>, deadlineAtMs: number): Promise<CheckResult> {
    try {
      return await withTimeout(deadlineAtMs - this.#timers.now(), flight, this.#timers);
    } catch (error) {
      if (error instanceof NotDoneInTime) return timedOut;
      throw error;
    }
  }
}

function retryAfter(outcome: Outcome): number {
  return 'because' in outcome ? retryAfterSeconds[outcome.because] : retryAfterSeconds.timedOut;
}
