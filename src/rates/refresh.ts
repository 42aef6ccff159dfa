import { decideHeld, type HeldSnapshot, listHeld } from '../platform/publication/held-store.ts';
import type { Lease, Leases } from '../platform/schedule/lease.ts';
import type { Run, RunLog, RunReport } from '../platform/schedule/run-log.ts';
import type { IsoDate } from '../platform/time.ts';
import { findPrevious, publishAnswer, type PublishParts, publishSnapshot } from './publish.ts';
import { parseSnapshot } from './snapshot.ts';
import { findLatest } from './store.ts';
import type { TedbClient } from './tedb-client.ts';
import { readNationalRates } from './tedb-rows.ts';
import { versionsToAsk } from './timetable.ts';

export type RatesRefreshParts = PublishParts & {
  readonly tedb: TedbClient;
  readonly runs: RunLog;
  readonly leases: Leases;
  /** Called after each run, so that this process answers with what it has just published. */
  readonly onPublished: () => Promise<void>;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
};

/**
 * The daily rate refresh: fetch, compare, record.
 *
 * One run for each version since the newest published one. A run reads the upstream, then writes what
 * it came to in one transaction. A failed run ends the series, because the days after it are compared
 * with it; the next series begins with it again.
 */
export class RatesRefresh {
  readonly #parts: RatesRefreshParts;

  constructor(parts: RatesRefreshParts) {
    this.#parts = parts;
  }

  /**
   * Brings the snapshots up to a version; the reports are in the order of their versions.
   *
   * Undefined when another process holds the lease for longer than `waitMs`.
   */
  async refreshTo(until: IsoDate, waitMs: number): Promise<RunReport[] | undefined> {
    return this.#parts.leases.withLease('rates', waitMs, async (lease) => {
      const { db, signal } = this.#parts;
      const latest = await findLatest(db);
      const held = (await listHeld(db, 'rates')).map(({ version }) => version);
      const reports: RunReport[] = [];
      for (const version of versionsToAsk({ newest: latest?.date ?? null, until, held })) {
        const report = await this.#record(version, lease, async (run) => {
          const { rows, inputDigest } = await this.#parts.tedb.fetchRows(version, signal);
          const reading = readNationalRates(rows);
          await publishAnswer(this.#parts, run, { version, reading, inputDigest });
        });
        reports.push(report);
        if (report.outcome === 'failed' || signal.aborted) break;
      }
      return reports;
    });
  }

  /** Publishes a held snapshot, compared anew with what is the latest by now (contract C15). */
  async publishHeld(held: HeldSnapshot, waitMs: number): Promise<RunReport | undefined> {
    const snapshot = parseSnapshot(held.candidate);
    const { version } = snapshot;
    return this.#parts.leases.withLease('rates', waitMs, async (lease) =>
      this.#record(version, lease, async (run) => {
        await this.#parts.db.transaction().execute(async (tx) => {
          const previous = await findPrevious(tx);
          if (previous !== null && version <= previous.version) {
            throw new Error(
              `${held.id}: a newer version, ${previous.version}, has been published; ` +
                'this one can only be rejected',
            );
          }
          const decided = await decideHeld(tx, { id: held.id, state: 'approved', at: run.at });
          if (!decided) throw new Error(`${held.id} is no longer held`);
          const { inputDigest } = held;
          const detail = `approved by an operator: ${held.id}`;
          // What is held is the candidate alone; the next answer is not measured against its age.
          const publication = { snapshot, previous, situationDate: null, inputDigest, detail };
          await publishSnapshot(tx, this.#parts, run, publication);
        });
      }),
    );
  }

  async #record(
    version: IsoDate,
    lease: Lease,
    work: (run: Run) => Promise<void>,
  ): Promise<RunReport> {
    const report = await this.#parts.runs.record({ job: 'rates', version, lease }, work);
    await this.#parts.onPublished();
    return report;
  }
}
