import type { Timers } from '../../platform/time/timers.ts';

export type BreakerState = 'closed' | 'open' | 'half-open';

/** How a call that a breaker let pass has ended; `unknown` if a bug of ours ended it. */
export type CallEnd = 'answered' | 'failed' | 'unknown';

/**
 * Breaker: stops calls to a registry that keeps failing (contract C24).
 *
 * States: `closed` lets calls pass and counts failures in a row. `open` lets none pass for `openMs`. `half-open` has
 * let one call pass, the trial, and lets no other pass until it has ended.
 *
 * Transitions: closed → open with the last of `failuresToOpen` failures in a row. Open → half-open when a call begins
 * after `openMs`. Half-open → closed when the trial was answered; → open for another `openMs` when it failed; → open
 * when its end is unknown, so that the next call is a trial immediately.
 *
 * Invariants: only a call that was made and answered closes it. There is one trial at a time. The end of a call that
 * began before the breaker opened changes nothing while it is open. A process that crashed begins with it closed.
 */
export class Breaker {
  readonly #limits: { readonly failuresToOpen: number; readonly openMs: number };
  readonly #timers: Timers;
  #failures = 0;
  /** Undefined while it is closed. */
  #openedAtMs: number | undefined;
  #isTrying = false;

  constructor(
    limits: { readonly failuresToOpen: number; readonly openMs: number },
    timers: Timers,
  ) {
    this.#limits = limits;
    this.#timers = timers;
  }

  get state(): BreakerState {
    if (this.#isTrying) return 'half-open';
    return this.#openedAtMs === undefined ? 'closed' : 'open';
  }

  /** Milliseconds until a call may pass: 0 if one may now, undefined while a trial is under way. */
  get waitMs(): number | undefined {
    if (this.#isTrying) return undefined;
    const { openMs } = this.#limits;
    return Math.max(0, (this.#openedAtMs ?? -openMs) + openMs - this.#timers.now());
  }

  /** Lets a call pass, which is made immediately; only if `waitMs` is 0. The result is called once, at its end. */
  begin(): (end: CallEnd) => void {
    const isTrial = this.#openedAtMs !== undefined;
    this.#isTrying = isTrial;
    return (end) => {
      if (isTrial) this.#isTrying = false;
      if (end === 'unknown' || (!isTrial && this.#openedAtMs !== undefined)) return;
      this.#failures = end === 'failed' ? this.#failures + 1 : 0;
      const isOpen = this.#failures >= this.#limits.failuresToOpen;
      this.#openedAtMs = isOpen ? this.#timers.now() : undefined;
    };
  }
}
