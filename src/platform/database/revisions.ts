import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSetKind } from '../data-set-kinds.ts';
import { withTimeout } from '../with-timeout.ts';
import type { Db, Tx } from './database.ts';
import { engineOf } from './dialect.ts';
import {
  FollowedTopic,
  readNamedChanges,
  type TopicListener,
  unchanged,
} from './followed-topic.ts';

/** The things that a process follows, whichever process changes them. */
export type Topic = DataSetKind | 'keys' | 'replicas';

/** How many of the latest changes a topic's row names. A process that missed more treats all as changed. */
const namedChangesMax = 100;

/**
 * Tells every process, this one included, that a topic has changed once `tx` is committed.
 *
 * `subject` is the id of what changed, so that listeners need not read everything again. Without it the
 * whole topic counts as changed.
 */
export async function bumpRevision(tx: Tx, topic: Topic, subject?: string): Promise<void> {
  const { revision, subjects } = await tx
    .insertInto('revisions')
    .values({ topic, revision: 1 })
    .onConflict((c) =>
      c.column('topic').doUpdateSet((e) => ({ revision: e('revisions.revision', '+', 1) })),
    )
    .returning(['revision', 'subjects'])
    .executeTakeFirstOrThrow();
  if (subject !== undefined) {
    // The statement before has locked the row, so no other change can come in between.
    const named = [...readNamedChanges(subjects), [revision, subject] as const];
    await tx
      .updateTable('revisions')
      .set({ subjects: JSON.stringify(named.slice(-namedChangesMax)) })
      .where('topic', '=', topic)
      .execute();
  }
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

/**
 * Watches for what any process writes: one small read twice a second.
 *
 * It is why a command beside a running server shows within 2 s (contract C8) and a revoked key stops
 * working within 5 s (contract C25). Each topic is followed by itself: if its listener fails, the error is
 * reported and the listener is called again at the next look, while other topics are followed as before.
 */
export class RevisionWatch {
  readonly #db: Db;
  readonly #onLook: (error: unknown, topic?: Topic) => void;
  readonly #topics = new Map<string, FollowedTopic>();
  #timer: NodeJS.Timeout | undefined;
  /** The reads under way, one after the other. */
  #reads: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #lastReadMs = performance.now();

  /**
   * `onLook` is called after each read of the database, without a topic, and after each time that a topic's
   * listeners were called. `error` is undefined if that succeeded.
   */
  constructor(db: Db, onLook: (error: unknown, topic?: Topic) => void) {
    this.#db = db;
    this.#onLook = onLook;
  }

  /** Calls the listener after a change of the topic; again at the next look if it fails. */
  on(topic: Topic, listener: TopicListener): void {
    let followed = this.#topics.get(topic);
    if (followed === undefined) {
      followed = new FollowedTopic((error) => this.#onLook(error, topic));
      this.#topics.set(topic, followed);
    }
    followed.add(listener);
  }

  start(intervalMs = pollMs): void {
    this.#timer = setInterval(() => void this.#look(), intervalMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await withTimeout(
      stopMs,
      this.#reads.then(async () => this.#settle()),
    ).catch(() => {});
  }

  /**
   * Looks now, not counting a look that has begun already; resolves when the listeners of all that is
   * new are done. Never rejects.
   */
  async poll(): Promise<void> {
    await this.#look();
    await this.#settle();
  }

  /**
   * Waits until every process that watches has looked since this one saw the topic change: from then on all
   * of them answer it. Resolves immediately if that was long ago.
   */
  async untilAllFollow(topic: Topic): Promise<void> {
    const sinceMs = performance.now() - (this.#topics.get(topic)?.changedAtMs ?? -Infinity);
    if (sinceMs < followMs) await sleep(followMs - sinceMs);
  }

  /** Milliseconds since the database last answered. */
  get ageMs(): number {
    return performance.now() - this.#lastReadMs;
  }

  /** Milliseconds since the database was read in a state that all listeners of the topic have followed. */
  ageOf(topic: Topic): number {
    return performance.now() - (this.#topics.get(topic)?.followedAtMs ?? this.#lastReadMs);
  }

  /** Whether the database has not answered for so long that it is taken for lost. */
  get isLost(): boolean {
    return this.ageMs >= lostMs;
  }

  async #look(): Promise<void> {
    // One read that has not begun serves all who wait: a database that hangs must not gather a queue.
    this.#next ??= this.#reads.then(async () => {
      this.#next = undefined;
      await this.#read();
    });
    this.#reads = this.#next;
    await this.#next;
  }

  async #settle(): Promise<void> {
    await Promise.all([...this.#topics.values()].map(async (topic) => topic.settle()));
  }

  async #read(): Promise<void> {
    try {
      const rows = await this.#db.selectFrom('revisions').selectAll().execute();
      this.#lastReadMs = performance.now();
      const stored = new Map(rows.map((row) => [row.topic, row]));
      for (const [name, topic] of this.#topics) {
        topic.follow(stored.get(name) ?? unchanged, this.#lastReadMs);
      }
      this.#onLook(undefined);
    } catch (error) {
      this.#onLook(error);
    }
  }
}
