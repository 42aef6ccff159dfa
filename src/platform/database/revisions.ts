import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../within.ts';
import type { Db, Tx } from './database.ts';
import { engineOf } from './dialect.ts';

/** What a process may want to hear of when another one has written it. */
export type Topic = 'rates' | 'fx' | 'keys' | 'replicas';

/** Tells every process, this one included, that a topic has changed once `tx` is committed. */
export async function bumpRevision(tx: Tx, topic: Topic): Promise<void> {
  await tx
    .insertInto('revisions')
    .values({ topic, revision: 1 })
    .onConflict((c) =>
      c.column('topic').doUpdateSet((e) => ({ revision: e('revisions.revision', '+', 1) })),
    )
    .execute();
  await engineOf(tx).notify?.(topic).execute(tx);
}

/** A stop does not wait for a database that hangs. */
const stopMs = 2_000;
/** The database is taken for lost when it has not answered for so long. */
const lostMs = 5_000;
/** How often a process looks. */
const pollMs = 500;
/** In this time every process has looked, the reading included. */
const followMs = 700;

type Listener = () => Promise<void> | void;

/**
 * Watches for what any process writes: one small read twice a second.
 *
 * It is why a command beside a running server shows within 2 s (contract C8) and a revoked key stops
 * working within 5 s (contract C25).
 */
export class RevisionWatch {
  readonly #db: Db;
  readonly #onRead: (error: unknown) => void;
  readonly #listeners = new Map<Topic, Listener[]>();
  readonly #seen = new Map<string, number>();
  readonly #changedAtMs = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  /** The reads under way, one after the other. */
  #reads: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #lastReadMs = performance.now();

  /** `onRead` is told after each look what went wrong; undefined when nothing did. */
  constructor(db: Db, onRead: (error: unknown) => void) {
    this.#db = db;
    this.#onRead = onRead;
  }

  /** Calls back after a change of the topic; a listener that fails is called again at the next poll. */
  on(topic: Topic, listener: Listener): void {
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), listener]);
  }

  start(intervalMs = pollMs): void {
    this.#timer = setInterval(() => void this.poll(), intervalMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await within(stopMs, this.#reads).catch(() => {});
  }

  /**
   * Looks now, not counting a look that has begun already; resolves when the listeners of all that is
   * new are done. Never rejects.
   */
  async poll(): Promise<void> {
    // One that has not begun is for everybody: a database that hangs must not gather a queue of reads.
    this.#next ??= this.#reads.then(async () => {
      this.#next = undefined;
      await this.#read();
    });
    this.#reads = this.#next;
    await this.#next;
  }

  /**
   * Waits until every process that watches has looked since this one saw the topic change: whatever it was,
   * all of them answer it now. At once when that was long ago.
   */
  async untilAllFollow(topic: Topic): Promise<void> {
    const sinceMs = performance.now() - (this.#changedAtMs.get(topic) ?? -Infinity);
    if (sinceMs < followMs) await sleep(followMs - sinceMs);
  }

  /** Milliseconds since the database last answered; what is remembered is at least that fresh. */
  get ageMs(): number {
    return performance.now() - this.#lastReadMs;
  }

  /** Whether the database has not answered for so long that it is taken for lost. */
  get isLost(): boolean {
    return this.ageMs >= lostMs;
  }

  async #read(): Promise<void> {
    try {
      const rows = await this.#db.selectFrom('revisions').selectAll().execute();
      this.#lastReadMs = performance.now();
      for (const { topic, revision } of rows) {
        if (this.#seen.get(topic) === revision) continue;
        for (const listener of this.#listeners.get(topic as Topic) ?? []) await listener();
        this.#seen.set(topic, revision);
        this.#changedAtMs.set(topic, performance.now());
      }
      this.#onRead(undefined);
    } catch (error) {
      this.#onRead(error);
    }
  }
}
