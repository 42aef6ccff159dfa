import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { DataSetKind } from '../publication/data-set-kinds.ts';
import type { Db, Tx } from '../database/database.ts';
import { setMark } from '../database/marks.ts';
import type { Tables } from '../database/tables.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics.ts';
import { messageMax, quote } from '../values/quote.ts';
import { type Clock, formatInstant } from '../time/time.ts';
import type { Lease } from './lease.ts';
import { type RunFailure, runFailureOf } from './run-failure.ts';

export type RunOutcome = 'published' | 'unchanged' | 'held' | 'failed';

/** The result of a run. */
export type RunResult = {
  readonly outcome: Exclude<RunOutcome, 'failed'>;
  readonly version: string | undefined;
  /** Rows written to the change log; for fx, values that moved against the last publication. Default: 0. */
  readonly changes?: number;
  /** Snapshots stored. Default: 0. */
  readonly published?: number;
  /** SHA-256 of the upstream's answer; undefined if it sent nothing new. */
  readonly inputDigest: string | undefined;
  /** A note for the operator, such as the reason why a snapshot was held. */
  readonly detail?: string | undefined;
};

/** A run as `/status` and `--json` print it; `endedAt` and `outcome` are null while it is under way. */
export type RunReport = {
  readonly id: string;
  readonly job: string;
  readonly version: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly outcome: RunOutcome | null;
  readonly changes: number;
  readonly published: number;
  readonly inputDigest: string | null;
  readonly detail: string | null;
  /** The reason of a failure as a code; null if the run did not fail. */
  readonly failure: RunFailure | null;
};

/** One execution of a job: the part that the job gets. */
export interface Run {
  /** The moment of its start, and of everything that it writes. */
  readonly at: string;
  /**
   * Ends the run in the transaction that publishes, so that the result is stored exactly if the publication is
   * committed. Throws if the lease was lost. The end of the run is the mark of the transaction (`database/marks.ts`).
   */
  finish(tx: Tx, result: RunResult): Promise<void>;
}

const keptRuns = 1_000;
/** Characters of a detail: some tens of sentences. */
const detailMax = 8_000;

/** The log of runs: every execution of a job, also those that a crash has ended. */
export class RunLog {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #metrics: Metrics;

  constructor(
    db: Db,
    parts: { readonly clock: Clock; readonly log: Log; readonly metrics: Metrics },
  ) {
    this.#db = db;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#metrics = parts.metrics;
  }

  /**
   * Records `work` as one run. If `work` throws, the run has failed and is logged once; this does not reject for it.
   */
  async record(
    started: {
      readonly job: DataSetKind;
      readonly version: string | undefined;
      readonly lease: Lease;
    },
    work: (run: Run) => Promise<void>,
  ): Promise<RunReport> {
    const id = `run_${randomUUID()}`;
    const at = formatInstant(this.#clock.now());
    await this.#open(id, at, started);
    try {
      await work({
        at,
        finish: async (tx, result) => {
          await started.lease.assertHeld(tx);
          await this.#close(tx, id, result);
          setMark(tx, async (look) => hasEnded(look, id));
        },
      });
    } catch (error) {
      await this.#fail(id, error);
    }
    const recorded = await this.#get(id);
    // If even the failure could not be written, the row is still open, and the caller must not go on.
    const outcome = recorded.outcome ?? 'failed';
    const report = { ...recorded, outcome };
    this.#metrics.runs.inc({ job: report.job, outcome });
    this.#log.info(
      {
        runId: id,
        job: report.job,
        version: report.version,
        outcome,
        changes: report.changes,
        published: report.published,
      },
      'run ended',
    );
    return report;
  }

  /** The newest runs first. */
  async list(limit: number, job?: DataSetKind): Promise<RunReport[]> {
    return listRuns(this.#db, limit, job);
  }

  async #open(
    id: string,
    at: string,
    { job, version }: { readonly job: DataSetKind; readonly version: string | undefined },
  ): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      // This process has the lease, so the processes that left these runs open have ended.
      await tx
        .updateTable('runs')
        .set({
          outcome: 'failed',
          ended_at: at,
          detail: 'the process ended before the run did',
          failure: 'interrupted' satisfies RunFailure,
        })
        .where('job', '=', job)
        .where('outcome', 'is', null)
        .execute();
      const newestToDrop = tx
        .selectFrom('runs')
        .select('started_at')
        .where('job', '=', job)
        .orderBy('started_at', 'desc')
        .offset(keptRuns)
        .limit(1);
      await tx
        .deleteFrom('runs')
        .where('job', '=', job)
        .where('started_at', '<=', newestToDrop)
        .execute();
      await tx
        .insertInto('runs')
        .values({ id, job, version, started_at: at, changes: 0, published: 0 })
        .execute();
    });
  }

  async #close(tx: Tx, id: string, result: RunResult): Promise<void> {
    await tx
      .updateTable('runs')
      // A field that the result leaves undefined keeps its value from the start of the run.
      .set({
        ended_at: formatInstant(this.#clock.now()),
        outcome: result.outcome,
        version: result.version,
        changes: result.changes,
        published: result.published,
        input_digest: result.inputDigest,
        detail: quoteDetail(result.detail),
      })
      .where('id', '=', id)
      .execute();
  }

  async #fail(id: string, error: unknown): Promise<void> {
    const failure = runFailureOf(error);
    if (failure === 'interrupted') this.#log.info({ runId: id }, 'run interrupted by a stop');
    else this.#log.error({ runId: id, err: error }, 'run failed');
    const detail = quote(error instanceof Error ? error.message : String(error), messageMax);
    try {
      await this.#db
        .updateTable('runs')
        .set({
          ended_at: formatInstant(this.#clock.now()),
          outcome: 'failed',
          detail,
          failure,
        })
        .where('id', '=', id)
        // A result that was committed before the error stays.
        .where('ended_at', 'is', null)
        .execute();
    } catch (cause) {
      // With a full disk even this fails; the next run closes the row that is left open.
      this.#log.error({ runId: id, err: cause }, 'run not recorded');
    }
  }

  async #get(id: string): Promise<RunReport> {
    const row = await this.#db
      .selectFrom('runs')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return toReport(row);
  }
}

/** Whether a run has ended; waits for a transaction that ends it. */
async function hasEnded(look: Tx, id: string): Promise<boolean> {
  const run = look.selectFrom('runs').select('ended_at').where('id', '=', id).forUpdate();
  return (await run.executeTakeFirstOrThrow()).ended_at !== null;
}

async function listRuns(db: Db, limit: number, job?: DataSetKind): Promise<RunReport[]> {
  let query = db
    .selectFrom('runs')
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .limit(limit);
  if (job !== undefined) query = query.where('job', '=', job);
  return (await query.execute()).map(toReport);
}

function toReport(row: Selectable<Tables['runs']>): RunReport {
  return {
    id: row.id,
    job: row.job,
    version: row.version,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    outcome: row.outcome as RunOutcome | null,
    changes: row.changes,
    published: row.published,
    inputDigest: row.input_digest,
    // Earlier versions stored details of any length.
    detail: quoteDetail(row.detail ?? undefined) ?? null,
    failure: row.failure as RunFailure | null,
  };
}

function quoteDetail(detail: string | undefined): string | undefined {
  return detail === undefined ? undefined : quote(detail, detailMax);
}

/** The newest run of a job; undefined if it has never run. */
export async function findLastRun(db: Db, job: DataSetKind): Promise<RunReport | undefined> {
  const [last] = await listRuns(db, 1, job);
  return last;
}

/** The detail of the newest run that published something: remarks on the newest version; null for none. */
export async function findRemark(db: Db, job: DataSetKind): Promise<string | null> {
  const newest = await db
    .selectFrom('runs')
    .select('detail')
    .where('job', '=', job)
    .where('published', '>', 0)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return quoteDetail(newest?.detail ?? undefined) ?? null;
}
