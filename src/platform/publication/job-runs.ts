import { writeAudit } from '../database/audit.ts';
import type { Db, Tx } from '../database/database.ts';
import { bumpRevision } from '../database/replicas/revisions.ts';
import type { Lease, Leases } from '../schedule/lease.ts';
import type { Run, RunLog, RunReport } from '../schedule/run-log.ts';
import type { StoredBody } from '../http/responses/published-snapshots.ts';
import { addDays, type Clock, formatInstant, isoDate, type IsoDate } from '../time/time.ts';
import { withdrawCorrections } from './correction-store.ts';
import type { DataSet, WantedWithdrawal } from './data-set.ts';
import { type Approved, decideHeld } from './held-store.ts';
import { insertWithdrawal } from './withdrawal-store.ts';

export type JobParts = {
  readonly db: Db;
  readonly clock: Clock;
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
  readonly #dataSet: DataSet;

  constructor(parts: JobParts, dataSet: DataSet) {
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
   * The run fails if the version is later than today, if a newer one is published and the data set does not fill gaps, if
   * another one than the operator has seen beside it has been published or taken back, or if the held one has been decided
   * meanwhile. `publish` ends the run with `detail`.
   */
  async publishHeld(
    { id, version, by, comparedWith }: Approved,
    waitMs: number,
    publish: (
      tx: Tx,
      run: Run,
      approved: { readonly latest: StoredBody | undefined; readonly detail: string },
    ) => Promise<void>,
  ): Promise<RunReport | undefined> {
    const work = async (run: Run): Promise<void> =>
      this.#parts.db.transaction().execute(async (tx) => {
        const today = this.#dataSet.today(this.#parts.clock.now());
        if (version > today) {
          throw new Error(
            `${id}: ${version} is later than today, ${today}; it can only be rejected`,
          );
        }
        const { fillsGaps = false, findLatest, snapshots } = this.#dataSet;
        const latest = await findLatest(tx);
        if (!fillsGaps && latest !== undefined && version <= latest.date) {
          throw new Error(
            `${id}: a newer version, ${latest.date}, has been published; this one can only be rejected`,
          );
        }
        const stored = fillsGaps
          ? await snapshots.findBefore(tx, isoDate(version))
          : await snapshots.findLatest(tx);
        if (comparedWith !== undefined && comparedWith !== (stored?.date ?? null)) {
          const isTakenBack = comparedWith !== null && (stored?.date ?? '') < comparedWith;
          const changed = isTakenBack
            ? `${comparedWith} has been taken back`
            : `${stored?.date} has been published`;
          throw new Error(`${id}: ${changed} meanwhile; look again`);
        }
        const decided = await decideHeld(tx, { id, state: 'approved', at: run.at, by });
        if (!decided) throw new Error(`${id} is no longer held`);
        const beside = fillsGaps ? stored : latest;
        await publish(tx, run, { latest: beside, detail: `approved by an operator: ${id}` });
      });
    return this.underLease(waitMs, async (lease) => this.record({ version, lease }, work));
  }

  /**
   * Takes back the versions after a date in one transaction, with their corrections and an entry of the audit; `also`
   * deletes what else was made of them. Running servers follow as after a publication. Returns the versions, the oldest
   * first; undefined if the lease was not free within `waitMs`. Throws for a date before today.
   */
  async withdraw(
    { after, by }: WantedWithdrawal,
    waitMs: number,
    also: (tx: Tx, versions: readonly IsoDate[]) => Promise<void> = async () => {},
  ): Promise<readonly IsoDate[] | undefined> {
    const { kind, snapshots, deleteVersions, today } = this.#dataSet;
    const withdraw = async (tx: Tx, lease: Lease): Promise<readonly IsoDate[]> => {
      await lease.assertHeld(tx);
      const nowMs = this.#parts.clock.now();
      if (after < today(nowMs)) throw new Error(`${after} is before today, ${today(nowMs)}`);
      const versions = await snapshots.listDates(tx, { from: addDays(after, 1), to: undefined });
      if (versions.length === 0) return versions;
      const at = formatInstant(nowMs);
      await bumpRevision(tx, kind);
      await deleteVersions(tx, versions);
      await also(tx, versions);
      await withdrawCorrections(tx, { kind, versions, at });
      await insertWithdrawal(tx, { kind, after, at });
      const detail = { kind, versions };
      await writeAudit(tx, { at, by, action: 'snapshots.withdraw', subject: after, detail });
      return versions;
    };
    const withdrawn = await this.underLease(waitMs, async (lease) =>
      this.#parts.db.transaction().execute(async (tx) => withdraw(tx, lease)),
    );
    await this.#parts.onPublished();
    return withdrawn;
  }
}
