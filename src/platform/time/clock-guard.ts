import type { Log } from '../log/log.ts';
import type { Clock } from './time.ts';

/** A larger difference between two looks is a jump; smaller ones are corrections of NTP. */
const jumpMs = 60_000;
/** The clock and the `Date` of an upstream may differ by this much (contract C17a). */
const dateToleranceMs = 3_600_000;
/** A clock that did not jump for this long is trusted, unless the last `Date` of an upstream contradicts it. */
const settleMs = 10 * 60_000;

/** The reason why the clock is not trusted. */
export type ClockDoubt = {
  /**
   * `started`: the process has just started, and nothing has confirmed the clock yet. `jumped`: the clock has moved
   * against elapsed time. `contradicted`: the `Date` of an upstream differs by more than an hour.
   */
  readonly reason: 'started' | 'jumped' | 'contradicted';
  /** Seconds by which the clock is ahead of the expected time, negative if it is behind; 0 after a start. */
  readonly aheadSeconds: number;
};

/** The part of a guard that work needs which a wrong clock would do too early. */
export type ClockTrust = Pick<ClockGuard, 'isTrusted' | 'isDoubted'>;

/** The time by a clock, at a moment of elapsed time. */
type Reading = { readonly wallMs: number; readonly uptimeMs: number };

/**
 * Says whether the clock of this machine can be trusted: whether it agrees with elapsed time, and with the `Date` of
 * the upstreams.
 *
 * Work that cannot be undone and that depends on the clock (expiry, deletion) waits while it is not trusted. The clock is
 * trusted again as soon as the `Date` of an upstream agrees with it, or it is back where it was, or it has not jumped for
 * ten minutes. So a machine that was suspended, and a service without upstreams, only wait. Only a clock that the last
 * `Date` contradicts is never trusted by itself: it has to be set.
 */
export class ClockGuard {
  readonly #clock: Clock;
  readonly #uptime: () => number;
  readonly #log: Log;
  /** The last reading that was trusted, or the last `Date` that contradicted the clock; and how exact it is. */
  #expected: Reading & { readonly toleranceMs: number };
  #last: Reading;
  #steadySinceMs: number;
  /** Upstreams whose newest answer had no `Date`; each is logged once. */
  readonly #undated = new Set<string>();
  #reason: ClockDoubt['reason'] | undefined = 'started';

  /** `uptime` is elapsed time in milliseconds, which no change of the clock moves. */
  constructor(parts: { readonly clock: Clock; readonly uptime: () => number; readonly log: Log }) {
    this.#clock = parts.clock;
    this.#uptime = parts.uptime;
    this.#log = parts.log;
    this.#last = this.#read();
    this.#expected = { ...this.#last, toleranceMs: jumpMs };
    this.#steadySinceMs = this.#last.uptimeMs;
  }

  /** Whether work may be done that cannot be undone. */
  get isTrusted(): boolean {
    return this.doubt === undefined;
  }

  /** Whether something speaks against the clock; false after a start, although the clock is not trusted yet. */
  get isDoubted(): boolean {
    const reason = this.doubt?.reason;
    return reason !== undefined && reason !== 'started';
  }

  /** The reason why the clock is not trusted now; undefined if it is. */
  get doubt(): ClockDoubt | undefined {
    const aheadMs = this.#look();
    const reason = this.#reason;
    if (reason === undefined) return undefined;
    return { reason, aheadSeconds: reason === 'started' ? 0 : Math.round(aheadMs / 1_000) };
  }

  /**
   * Compares the clock with the `Date` of an answer that has arrived now. Returns the milliseconds by which the clock is
   * ahead, negative if it is behind, and whether that is more than an hour; undefined for an answer without `Date`.
   */
  compare(
    upstream: string,
    dateMs: number | undefined,
  ): { readonly aheadMs: number; readonly isWrong: boolean } | undefined {
    if (dateMs === undefined) {
      if (!this.#undated.has(upstream)) {
        this.#log.warn(
          { upstream },
          'answers have no Date, so the clock is not compared with them',
        );
      }
      this.#undated.add(upstream);
      return undefined;
    }
    this.#undated.delete(upstream);
    this.#look();
    const { wallMs, uptimeMs } = this.#last;
    const aheadMs = wallMs - dateMs;
    const isWrong = Math.abs(aheadMs) > dateToleranceMs;
    if (isWrong) {
      this.#expected = { wallMs: dateMs, uptimeMs, toleranceMs: dateToleranceMs };
      this.#become('contradicted', { upstream, aheadSeconds: Math.round(aheadMs / 1_000) });
    } else this.#trust();
    return { aheadMs, isWrong };
  }

  /** Reads both times and judges the clock; returns the milliseconds by which it is ahead of the expected time. */
  #look(): number {
    const before = this.#last;
    const now = this.#read();
    this.#last = now;
    if (Math.abs(aheadOf(before, now)) > jumpMs) {
      this.#steadySinceMs = now.uptimeMs;
      // The `Date` that contradicted the clock was compared with another time than the clock has now.
      if (this.#reason === 'contradicted') this.#reason = 'jumped';
    }
    const aheadMs = aheadOf(this.#expected, now);
    const isExpected = Math.abs(aheadMs) <= this.#expected.toleranceMs;
    const isSteady = now.uptimeMs - this.#steadySinceMs >= settleMs;
    if (this.#reason === 'contradicted') {
      if (isExpected) this.#trust();
    } else if (isSteady || (isExpected && this.#reason !== 'started')) this.#trust();
    else if (this.#reason === undefined) {
      this.#become('jumped', { aheadSeconds: Math.round(aheadMs / 1_000) });
    }
    return aheadMs;
  }

  #trust(): void {
    this.#expected = { ...this.#last, toleranceMs: jumpMs };
    if (this.#reason === 'jumped' || this.#reason === 'contradicted') {
      this.#log.info('clock of this machine is trusted again');
    }
    this.#reason = undefined;
  }

  #become(reason: 'jumped' | 'contradicted', fields: Readonly<Record<string, unknown>>): void {
    if (this.#reason === reason) return;
    this.#reason = reason;
    const text =
      reason === 'jumped'
        ? 'clock of this machine has jumped: background work waits until an upstream confirms it, or ten minutes'
        : 'clock of this machine differs from that of an upstream by more than an hour: set it; background work waits';
    this.#log.error(fields, text);
  }

  #read(): Reading {
    return { wallMs: this.#clock.now(), uptimeMs: this.#uptime() };
  }
}

/** Milliseconds by which the clock has moved more than elapsed time since a reading; negative for less. */
function aheadOf(then: Reading, now: Reading): number {
  return now.wallMs - then.wallMs - (now.uptimeMs - then.uptimeMs);
}
