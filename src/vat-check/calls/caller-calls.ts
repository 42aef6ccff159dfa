import type { Db, Tx } from '../../platform/database/database.ts';
import { isDatabaseUnavailable } from '../../platform/database/unavailable.ts';
import { UnsettledCommits } from '../../platform/database/unknown-commit.ts';
import { FailureLog, type Log } from '../../platform/log/log.ts';
import type { RequestLimit } from '../../platform/http/request-cost.ts';
import {
  addDays,
  type Clock,
  dateIn,
  endOfUtcDay,
  type IsoDate,
} from '../../platform/time/time.ts';
import { type CallsOfKey, startDay } from './calls-of-key.ts';
import { addCalls, readKeyCalls } from '../stored/attempts/call-budget.ts';
import { operatorId } from '../stored/owner.ts';

/** Time between two writes. */
const intervalMs = 2_000;
/** The most calls that are counted before they are made. */
const grantMax = 20;
/** How long a number that is used up is believed before the database is read again. */
const believedMs = 2_000;
/** Days for which the calls of keys are kept. */
const keptDays = 35;
/** The part of the budget that is the number of a key without its own. */
const usualPart = 0.25;

type Parts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** VIES_CALLS_PER_DAY. */
  readonly perDay: RequestLimit;
};

/** A call to the registry that a caller waits for, from before its place until its end. */
export type CallerCall = {
  /** Counts one call that is made now. */
  readonly count: () => void;
  /** Its end, also if no call was made. */
  readonly end: () => void;
};

/** The number of a key, and how much of it is used. */
export type CallsOfDay = {
  readonly limit: RequestLimit;
  readonly used: number;
  /** The end of the UTC day, in epoch milliseconds. */
  readonly endsMs: number;
};

/**
 * Counts the calls to the registry that callers wait for, by day and key, and bounds those of a key (rules K21 and K21b).
 *
 * The calls of a key that has a number are counted in the database before they are made: up to 20 at a time, fewer with more
 * replicas and near the number, so that all processes together keep to it. Those that are not used are given back within 2 s.
 * All other calls are counted in memory and written within 2 s, and are lost if the process crashes. Without the database
 * each process gives its part of the number: the number divided by the live replicas. What was written with a COMMIT that was
 * not acknowledged counts as written until that is known (rule C38).
 */
export class CallerCalls {
  readonly #parts: Parts;
  readonly #failures: FailureLog;
  readonly #unsettled = new UnsettledCommits();
  /** By day and key. */
  readonly #ofKeys = new Map<string, CallsOfKey>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #prunedOn = '';
  /** Live processes that serve, this one included. */
  countReplicas: () => number = () => 1;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#failures = new FailureLog(parts.log, 'calls to VIES not counted');
  }

  /** Begins a call of a key; undefined if the number of the key is used up. */
  async begin(keyId: string): Promise<CallerCall | undefined> {
    const of = this.#of(keyId);
    if (!(await this.#hasRoom(of))) return undefined;
    if (of.limit === 'none') return { count: () => this.#count(of), end: () => {} };
    // Another call may have taken the last one meanwhile.
    if (of.granted === 0) return this.begin(keyId);
    of.granted -= 1;
    of.begun += 1;
    let isSettled = false;
    return {
      count: () => {
        // The first one is counted already; a repetition is not.
        if (isSettled) this.#count(of);
        else of.begun -= 1;
        isSettled = true;
      },
      end: () => {
        if (isSettled) return;
        isSettled = true;
        of.begun -= 1;
        of.granted += 1;
        this.#writeSoon();
      },
    };
  }

  /** Whether a call of a key may begin. */
  async hasRoom(keyId: string): Promise<boolean> {
    return this.#hasRoom(this.#of(keyId));
  }

  /** Counts a question that the service asks for itself. It is a key among the others, and never refused. */
  countOwn(): void {
    this.#count(this.#of(operatorId));
  }

  /**
   * The number of a key, and its use by all replicas. While the database is away: as this process has read them last, or else
   * the usual number and the calls of this process.
   */
  async describe(keyId: string): Promise<CallsOfDay> {
    await this.write();
    const of = this.#of(keyId);
    try {
      of.known = await this.#read(this.#parts.db, of);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
    const { limit, used } = of.known ?? { limit: this.#usual, used: 0 };
    const endsMs = endOfUtcDay(this.#parts.clock.now());
    return { limit, used: Math.max(0, used + of.unwritten - of.begun), endsMs };
  }

  /** The calls of today that are not written yet, less those that are written and not made. */
  get unwritten(): number {
    const ofToday = [...this.#ofKeys.values()].filter(({ day }) => day === this.#today);
    return ofToday.reduce((sum, of) => sum + of.unwritten - of.granted - of.begun, 0);
  }

  /** Writes what is not written yet, and resolves when that has ended. Never rejects. */
  async write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(async () => this.#write());
    await this.#writing;
  }

  get #today(): IsoDate {
    return dateIn('UTC', this.#parts.clock.now());
  }

  #of(keyId: string): CallsOfKey {
    const day = this.#today;
    return this.#ofKeys.getOrInsertComputed(`${day} ${keyId}`, () => startDay(keyId, day));
  }

  #count(of: CallsOfKey): void {
    of.unwritten += 1;
    this.#writeSoon();
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.write(), intervalMs).unref();
  }

  async #hasRoom(of: CallsOfKey): Promise<boolean> {
    if (of.limit === 'none') return true;
    if (of.granted > 0) return true;
    if (Math.abs(this.#parts.clock.now() - of.refusedAtMs) < believedMs) return false;
    of.granting ??= this.#grant(of).finally(() => (of.granting = undefined));
    await of.granting;
    const limit: RequestLimit | undefined = this.#of(of.keyId).limit;
    return limit === 'none' || of.granted > 0;
  }

  /** Counts the next calls of a key in the database. */
  async #grant(of: CallsOfKey): Promise<void> {
    let calls = 0;
    try {
      const granted = await this.#parts.db.transaction().execute(async (tx) => {
        calls = 0;
        // The row, which stays locked, even if this is the first call of the day.
        await addCalls(tx, { ...of, calls: 0 });
        const { limit, used } = await this.#read(tx, of);
        of.limit = limit;
        if (limit === 'none' || used >= limit) return 0;
        const share = Math.floor((limit - used) / (4 * this.countReplicas()));
        calls = Math.min(grantMax, Math.max(1, share));
        await addCalls(tx, { ...of, calls });
        return calls;
      });
      of.granted += granted;
      if (granted > 0) this.#writeSoon();
      else if (of.limit !== 'none') of.refusedAtMs = this.#parts.clock.now();
      this.#failures.succeeded();
    } catch (error) {
      // If they were counted, the next write gives them back.
      this.#keep(of, error, (wasCommitted) => {
        if (wasCommitted) of.granted += calls;
      });
      this.#failures.failed(error);
      this.#grantAlone(of);
    }
  }

  /** Grants a call without the database, which counts it later. */
  #grantAlone(of: CallsOfKey): void {
    of.limit ??= this.#usual;
    if (of.limit === 'none') return;
    if (of.unwritten >= Math.max(1, of.limit / this.countReplicas())) {
      of.refusedAtMs = this.#parts.clock.now();
      return;
    }
    of.granted += 1;
    this.#count(of);
  }

  /** The number of a key, which an operator may change, and the calls in the database. */
  async #read(db: Db, of: CallsOfKey): Promise<{ limit: RequestLimit; used: number }> {
    const { own, used } = await readKeyCalls(db, of);
    return { limit: own ?? this.#usual, used };
  }

  get #usual(): RequestLimit {
    const { perDay } = this.#parts;
    return perDay === 'none' ? 'none' : Math.max(1, Math.floor(perDay * usualPart));
  }

  /** Keeps a write of which it is not known whether it was committed, until `#write` has found it out. */
  #keep(of: CallsOfKey, error: unknown, follow: (wasCommitted: boolean) => void): boolean {
    const isUnknown = this.#unsettled.keep(error, (wasCommitted) => {
      of.unsettled -= 1;
      follow(wasCommitted);
    });
    if (isUnknown) of.unsettled += 1;
    if (isDatabaseUnavailable(error)) this.#writeSoon();
    return isUnknown;
  }

  async #write(): Promise<void> {
    try {
      await this.#unsettled.settle();
    } catch (error) {
      this.#failures.failed(error);
      if (isDatabaseUnavailable(error)) this.#writeSoon();
      return;
    }
    const today = this.#today;
    for (const [name, of] of this.#ofKeys) {
      const { granted, unwritten } = of;
      of.granted = 0;
      try {
        if (granted !== unwritten) {
          // In a transaction, which waits for a locked file of SQLite without blocking the process.
          await this.#parts.db.transaction().execute(async (tx) => {
            await addCalls(tx, { ...of, calls: unwritten - granted });
            await this.#prune(tx, today);
          });
        }
        of.unwritten -= unwritten;
        // A change of the number is read again.
        if (of.granting === undefined) of.limit = undefined;
        this.#failures.succeeded();
      } catch (error) {
        const isUnknown = this.#keep(of, error, (wasCommitted) => {
          if (wasCommitted) return;
          of.granted += granted;
          of.unwritten += unwritten;
        });
        if (isUnknown) of.unwritten -= unwritten;
        else of.granted += granted;
        this.#failures.failed(error);
      }
      const isLeft = of.begun + of.unsettled > 0 || of.granted + of.unwritten > 0;
      const isOver = of.day !== today && !isLeft;
      if (isOver) this.#ofKeys.delete(name);
    }
  }

  /** Deletes the calls of keys on days that are no longer kept, once a day. */
  async #prune(tx: Tx, today: IsoDate): Promise<void> {
    if (this.#prunedOn === today) return;
    const oldest = addDays(today, -keptDays);
    await tx.deleteFrom('registry_key_calls').where('day', '<', oldest).execute();
    this.#prunedOn = today;
  }
}
