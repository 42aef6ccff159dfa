import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Clock, formatInstant } from '../../time/time.ts';
import { withTimeout } from '../../time/timers.ts';
import type { Db, Tx } from '../database.ts';
import { bumpRevision, type RevisionWatch } from './revisions.ts';
import type { WriteWatch } from '../write-watch.ts';

/** Interval in which a process renews its row. */
const renewMs = 2_500;
/** Time after its last renewal for which a process counts as serving. */
const keptMs = 15_000;
/** The same for shares of limits (contract C26): with the interval, a crash is known to all within 10 s. */
const countedMs = 7_500;
/** A row that was renewed for later than this was written by a clock that was wrong; its process renews it if it serves. */
const renewedWithinMs = 3_600_000;
/** A stop does not wait for a database that hangs. */
const leaveMs = 2_000;

/** A process that serves from the database. */
export type Replica = {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: string;
  /** Ids of the secret keys that it has; undefined for a version before their rotation. */
  readonly secretKeys: readonly string[] | undefined;
};

/** Lists the processes that serve now, the oldest first. */
export async function listReplicas(db: Db, nowMs: number): Promise<Replica[]> {
  const rows = await db
    .selectFrom('replicas')
    .selectAll()
    .where('seen_until', '>', formatInstant(nowMs))
    .where('seen_until', '<=', formatInstant(nowMs + renewedWithinMs))
    .orderBy('started_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    host: row.host,
    pid: row.pid,
    startedAt: row.started_at,
    secretKeys: row.secret_keys?.split(','),
  }));
}

/**
 * Records that this process serves, and counts the processes that do.
 *
 * A process that crashes is listed for 15 s more, and counted for at most 10 s. While the database is away, the last count
 * stays.
 */
export class Presence {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #id = randomUUID();
  readonly #secretKeys: string | undefined;
  readonly #writes: WriteWatch | undefined;
  #count = 1;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> = Promise.resolve();

  /** `clock` is the machine's own, also if the service runs in simulated time. */
  constructor(parts: {
    readonly db: Db;
    readonly clock: Clock;
    readonly watch: RevisionWatch;
    /** Ids of the secret keys that this process has. */
    readonly secretKeys?: readonly string[];
    /** Told whether this process could renew its row. */
    readonly writes?: WriteWatch;
  }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#secretKeys = parts.secretKeys?.join(',');
    this.#writes = parts.writes;
    parts.watch.on('replicas', async () => this.#recount());
  }

  /** Count of the processes that serve, this one included; at least 1. */
  get count(): number {
    return this.#count;
  }

  /** Counts this process as serving until `leave`. */
  async join(): Promise<void> {
    const startedAt = formatInstant(this.#clock.now());
    await this.#db.transaction().execute(async (tx) => {
      await tx.deleteFrom('replicas').where('seen_until', '<=', startedAt).execute();
      await this.#write(tx, startedAt);
      await bumpRevision(tx, 'replicas');
    });
    await this.#recount();
    this.#timer = setInterval(() => {
      this.#renewing = this.#renew(startedAt).catch((error: unknown) =>
        this.#writes?.noteRenewalFailure(error),
      );
    }, renewMs).unref();
  }

  /** Removes this process from the count; gives up after 2 s if the database does not answer. */
  async leave(): Promise<void> {
    clearInterval(this.#timer);
    // An error is not reported here: `RevisionWatch` reports that the database is away.
    await withTimeout(leaveMs, this.#leave()).catch(() => {});
  }

  async #leave(): Promise<void> {
    await this.#renewing;
    await this.#db.transaction().execute(async (tx) => {
      await tx.deleteFrom('replicas').where('id', '=', this.#id).execute();
      await bumpRevision(tx, 'replicas');
    });
  }

  async #renew(startedAt: string): Promise<void> {
    await this.#db.transaction().execute(async (tx) => this.#write(tx, startedAt));
    this.#writes?.noteRenewal();
    await this.#recount();
  }

  /** Writes the whole row, because other processes remove the row of a process that did not renew it in time. */
  async #write(tx: Tx, startedAt: string): Promise<void> {
    const seenUntil = formatInstant(this.#clock.now() + keptMs);
    await tx
      .insertInto('replicas')
      .values({
        id: this.#id,
        host: hostname(),
        pid: process.pid,
        started_at: startedAt,
        seen_until: seenUntil,
        secret_keys: this.#secretKeys ?? null,
      })
      .onConflict((c) => c.column('id').doUpdateSet({ seen_until: seenUntil }))
      .execute();
  }

  async #recount(): Promise<void> {
    const replicas = await listReplicas(this.#db, this.#clock.now() + keptMs - countedMs);
    this.#count = Math.max(1, replicas.length);
  }
}
