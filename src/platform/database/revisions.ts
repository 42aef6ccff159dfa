import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Tx } from './database.ts';

/** What a process may want to hear of when another one has written it. */
export type Topic = 'rates' | 'fx' | 'keys';

/** Tells every process, this one included, that a topic has changed once `tx` is committed. */
export async function bumpRevision(tx: Tx, topic: Topic): Promise<void> {
  await tx
    .insertInto('revisions')
    .values({ topic, revision: 1 })
    .onConflict((c) =>
      c.column('topic').doUpdateSet((e) => ({ revision: e('revisions.revision', '+', 1) })),
    )
    .execute();
}

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
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Map<Topic, Listener[]>();
  readonly #seen = new Map<string, number>();
  readonly #changedAtMs = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  /** The reads under way, one after the other. */
  #reads: Promise<void> = Promise.resolve();
  #waiting = 0;
  #lastReadMs = performance.now();

  constructor(db: Db, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  /** Calls back after a change of the topic; a listener that fails is called again at the next poll. */
  on(topic: Topic, listener: Listener): void {
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), listener]);
  }

  start(intervalMs = pollMs): void {
    this.#timer = setInterval(() => {
      // A database that hangs must not gather a queue of reads.
      if (this.#waiting === 0) void this.poll();
    }, intervalMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reads;
  }

  /**
   * Looks now, not counting a look that has begun already; resolves when the listeners of all that is
   * new are done. Never rejects.
   */
  async poll(): Promise<void> {
    this.#waiting += 1;
    this.#reads = this.#reads.then(async () => {
      await this.#read();
      this.#waiting -= 1;
    });
    await this.#reads;
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
    } catch (error) {
      this.#onError(error);
    }
  }
}
