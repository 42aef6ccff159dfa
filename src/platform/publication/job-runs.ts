import type { Db, Tx } from '../database/database.ts';
import type { Lease, Leases } from '../schedule/lease.ts';
import type { Run, RunLog, RunReport } from '../schedule/run-log.ts';
import type { StoredBody } from '../http/responses/published-snapshots.ts';
import type { DataSet } from './data-set.ts';
import { type Approved, decideHeld } from './held-store.ts';

export type JobParts = {
  readonly db: Db;
  readonly runs: RunLog;
  readonly leases: Leases;
  /** Called after each run, so that this process answers with what the run has just published. */
  readonly onPublished: () => Promise<void>;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
};

/**
 * Runs one data set's job: under its lease, recorded in the run log, and followed by a refresh of the published
 * snapshots in this process.
 */
export class JobRuns {
  readonly #parts: JobParts;
  readonly #dataSet: Pick<DataSet, 'kind' | 'findLatest'>;

  constructor(parts: JobParts, dataSet: Pick<DataSet, 'kind' | 'findLatest'>) {
    this.#parts = parts;
    this.#dataSet = dataSet;
  }

  /** Does `work` under the lease; undefined if another process holds it for longer than `waitMs`. */
  async underLease<Result>(
    waitMs: number,
    work: (lease: Lease) => Promise<Result>,
  ): Promise<Result | undefined> {
    return this.#parts.leases.withLease(this.#dataSet.kind, waitMs, work);
  }

  /** Records one run; a run that throws is recorded as failed. */
  async record(
    started: { readonly version: string | undefined; readonly lease: Lease },
    work: (run: Run) => Promise<void>,
  ): Promise<RunReport> {
    const job = this.#dataSet.kind;
    const report = await this.#parts.runs.record({ job, ...started }, work);
    await this.#parts.onPublished();
    return report;
  }

  /**
   * Publishes a held snapshot as a run of its own, in one transaction with the operator's decision
   * (contract C15).
   *
   * The run fails if a newer version is published, or if the held one has been decided meanwhile. `publish` ends
   * the run with `detail`.
   */
  async publishHeld(
    { id, version, by }: Approved,
    waitMs: number,
    publish: (
      tx: Tx,
      run: Run,
      approved: { readonly latest: StoredBody | undefined; readonly detail: string },
    ) => Promise<void>,
  ): Promise<RunReport | undefined> {
    const work = async (run: Run): Promise<void> =>
      this.#parts.db.transaction().execute(async (tx) => {
        const latest = await this.#dataSet.findLatest(tx);
        if (latest !== undefined && version <= latest.date) {
          throw new Error(
            `${id}: a newer version, ${latest.date}, has been published; this one can only be rejected`,
          );
        }
        const decided = await decideHeld(tx, { id, state: 'approved', at: run.at, by });
        if (!decided) throw new Error(`${id} is no longer held`);
        await publish(tx, run, { latest, detail: `approved by an operator: ${id}` });
      });
    return this.underLease(waitMs, async (lease) => this.record({ version, lease }, work));
  }
}
