import type { DataSetKind } from '../data-set-kinds.ts';
import type { Db, Tx } from '../database/database.ts';
import type { Lease, Leases } from '../schedule/lease.ts';
import type { Run, RunLog, RunReport } from '../schedule/run-log.ts';
import type { IsoDate } from '../time.ts';
import type { StoredBody } from '../http/responses/published-snapshots.ts';
import { decideHeld, type HeldSnapshot } from './held-store.ts';

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
  readonly #kind: DataSetKind;

  constructor(parts: JobParts, kind: DataSetKind) {
    this.#parts = parts;
    this.#kind = kind;
  }

  /** Does `work` under the lease; undefined if another process holds it for longer than `waitMs`. */
  async underLease<Result>(
    waitMs: number,
    work: (lease: Lease) => Promise<Result>,
  ): Promise<Result | undefined> {
    return this.#parts.leases.withLease(this.#kind, waitMs, work);
  }

  /** Records one run; a run that throws is recorded as failed. */
  async record(
    version: IsoDate | null,
    lease: Lease,
    work: (run: Run) => Promise<void>,
  ): Promise<RunReport> {
    const report = await this.#parts.runs.record({ job: this.#kind, version, lease }, work);
    await this.#parts.onPublished();
    return report;
  }

  /**
   * Publishes a held snapshot as a run of its own, in one transaction with the operator's decision
   * (contract C15).
   *
   * The run fails if a newer snapshot is published, or if the held one has been decided meanwhile.
   */
  async publishHeld<Latest extends StoredBody>(
    held: HeldSnapshot,
    waitMs: number,
    parts: {
      readonly version: IsoDate;
      /** The word for the newest snapshot in the error message. */
      readonly noun: string;
      readonly findLatest: (tx: Tx) => Promise<Latest | undefined>;
      /** Publishes the snapshot and ends the run with `detail`. */
      readonly publish: (
        tx: Tx,
        run: Run,
        approved: { readonly latest: Latest | undefined; readonly detail: string },
      ) => Promise<void>;
    },
  ): Promise<RunReport | undefined> {
    const { version, noun, findLatest, publish } = parts;
    const work = async (run: Run): Promise<void> =>
      this.#parts.db.transaction().execute(async (tx) => {
        const latest = await findLatest(tx);
        if (latest !== undefined && version <= latest.date) {
          throw new Error(
            `${held.id}: a newer ${noun}, ${latest.date}, has been published; ` +
              'this one can only be rejected',
          );
        }
        const decided = await decideHeld(tx, { id: held.id, state: 'approved', at: run.at });
        if (!decided) throw new Error(`${held.id} is no longer held`);
        await publish(tx, run, { latest, detail: `approved by an operator: ${held.id}` });
      });
    return this.underLease(waitMs, async (lease) => this.record(version, lease, work));
  }
}
