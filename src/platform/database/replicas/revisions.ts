import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { DataSetKind } from '../../publication/data-set-kinds.ts';
import { withTimeout } from '../../time/timers.ts';
import type { Db, Tx } from '../database.ts';
import { engineOf } from '../dialect.ts';
import { FollowedTopic, type TopicListener } from './followed-topic.ts';
import {
  createToken,
  namedChangesMax,
  readNamedChanges,
  tokensCharsMax,
  unchanged,
} from './stored-revision.ts';
import { DatabaseUnavailableError } from '../unavailable.ts';

/** A kind of data that every process follows, whichever process changes it. */
export type Topic = DataSetKind | 'block' | 'errata' | 'forgotten' | 'held' | 'keys' | 'replicas';

/**
 * Reports to every process, this one included, that a topic has changed, once `tx` is committed. The revision gets a random
 * token, by which a process notices that the database went back (rule E8).
 *
 * `subject` is the id of what changed, so that listeners need not read everything again. Without it the
 * whole topic counts as changed.
 */
export async function bumpRevision(tx: Tx, topic: Topic, subject?: string): Promise<void> {
  const token = createToken();
  const { revision, subjects } = await tx
    .insertInto('revisions')
    .values({ topic, revision: 1, tokens: token })
    .onConflict((c) =>
      c.column('topic').doUpdateSet((e) => ({
        revision: e('revisions.revision', '+', 1),
        tokens: appendToken(token),
      })),
    )
    .returning(['revision', 'subjects'])
    .executeTakeFirstOrThrow();
  if (subject !== undefined) {
    // The statement before has locked the row, so no other transaction can change it in between.
    const named = [...readNamedChanges(subjects), [revision, subject] as const];
    await tx
      .updateTable('revisions')
      .set({ subjects: JSON.stringify(named.slice(-namedChangesMax)) })
      .where('topic', '=', topic)
      .execute();
  }
}

/** The tokens of a row with one more, without the oldest one of a full row. */
function appendToken(token: string) {
  const before = sql`coalesce(revisions.tokens, '')`;
  return sql<string>`case when length(${before}) < ${sql.lit(tokensCharsMax)} then ${before}
    else substr(${before}, ${sql.lit(token.length + 1)}) end || ${token}`;
}

/** What a process remembers of the database beside the revisions (rule E8). */
export type DatabaseMemory = {
  /** Whether the database lacks something that this process has read from it. */
  isContradicted(): Promise<boolean>;
  /** Called after each read of the revisions. Never rejects. */
  settle(hasGoneBack: boolean): Promise<void>;
};

/** A stop does not wait for a database that hangs. */
const stopMs = 2_000;
/** Time without an answer after which the database counts as lost. */
const lostMs = 5_000;
/** Interval between two reads of the revisions. */
const pollMs = 250;
/** Time in which every process has read the revisions: one interval and the read itself. A replica of version 0.2 polls each 500 ms. */
const followMs = 700;

/**
 * Watches for changes that any process writes, with one small statement each 250 ms for all topics.
 *
 * This is why a command beside a running server shows within 2 s (contract C8) and a revoked key stops
 * working within 5 s (contract C25). Topics are independent: if a listener fails, the error is
 * reported and the listener is called again after the next read, while other topics are followed as before.
 *
 * If the database went back to an earlier state, by a topic or by the memory of {@link RevisionWatch.remember}, all listeners
 * of all topics are called: everything in memory is read again (rule E8).
 */
export class RevisionWatch {
  readonly #db: Db;
  readonly #onLook: (error: unknown, topic?: Topic) => void;
  readonly #topics = new Map<string, FollowedTopic>();
  readonly #onGoneBack: (() => void)[] = [];
  #memory: DatabaseMemory | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Ends when the reads that were requested so far have ended; they run one after the other. */
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

  /** Calls the listener after a change of the topic, and again after the next read if it fails. */
  on(topic: Topic, listener: TopicListener): void {
    let followed = this.#topics.get(topic);
    if (followed === undefined) {
      followed = new FollowedTopic((error) => this.#onLook(error, topic));
      this.#topics.set(topic, followed);
    }
    followed.add(listener);
  }

  /** Calls back when the database went back, after the calls of the listeners have begun; to forget what no topic is about. */
  onGoneBack(call: () => void): void {
    this.#onGoneBack.push(call);
  }

  /** Compares a further memory with each read. */
  remember(memory: DatabaseMemory): void {
    this.#memory = memory;
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
   * Reads the revisions now, also if another read has begun already. Resolves when the listeners of all changes
   * have ended. Never rejects.
   */
  async poll(): Promise<void> {
    await this.#look();
    await this.#settle();
  }

  /**
   * Waits until every process has read the revisions since this one saw the topic change: from then on all of them
   * answer with the new state. Resolves immediately if the change was long ago.
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
    // All callers share one read that has not begun, so that no queue of reads grows while a database hangs.
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
      const readAtMs = performance.now();
      const byTopic = new Map(rows.map((row) => [row.topic, row]));
      const followed = [...this.#topics].map(([name, topic]) => {
        return { topic, stored: byTopic.get(name) ?? unchanged };
      });
      const isContradicted = followed.some(({ topic, stored }) => topic.isContradictedBy(stored));
      const hasGoneBack = isContradicted || (await this.#memory?.isContradicted()) === true;
      if (hasGoneBack) await this.#refuseStandby();
      this.#lastReadMs = readAtMs;
      for (const { topic, stored } of followed) topic.follow({ stored, readAtMs, hasGoneBack });
      if (hasGoneBack) for (const call of this.#onGoneBack) call();
      await this.#memory?.settle(hasGoneBack);
      this.#onLook(undefined);
    } catch (error) {
      this.#onLook(error);
    }
  }

  /** Throws for a standby: it may be behind the server that it follows, and get the missing commits yet. */
  async #refuseStandby(): Promise<void> {
    const found = await engineOf(this.#db).standby?.execute(this.#db);
    if (found?.rows[0]?.isStandby !== true) return;
    throw new DatabaseUnavailableError(
      'database: a standby answers that lacks commits which were read before',
    );
  }
}
