import type { Tx } from '../platform/database/database.ts';
import { mapPortions } from '../platform/database/portions.ts';
import type {
  PublicationJob,
  WantedWithdrawal,
  DataSet,
} from '../platform/publication/data-set.ts';
import { type Approved, listHeld } from '../platform/publication/held-store.ts';
import { type JobParts, JobRuns } from '../platform/publication/job-runs.ts';
import type { RunReport } from '../platform/schedule/run-log.ts';
import type { IsoDate } from '../platform/time/time.ts';
import { UpstreamError } from '../platform/upstream/upstream-error.ts';
import { readCandidateSets } from './categories/publish-categories.ts';
import type { CategorySet } from './categories/category-sets.ts';
import { readCategories } from './categories/read-categories.ts';
import { compareHeldRates } from './held-rates.ts';
import { publishAnswer, type PublishParts, publishSnapshot } from './publish.ts';
import { parseSnapshot } from './snapshot.ts';
import { findLatest, deleteVersions, rateSnapshots } from './store.ts';
import type { TedbClient } from './tedb-client.ts';
import { readNationalRates, type TedbRow } from './tedb-rows.ts';
import {
  askedAgainMs,
  newestDueVersion,
  versionAt,
  versionsToAsk,
  isRunDue,
  missedVersions,
  nextRunMs,
} from './timetable.ts';
import { findFirstWithCategories } from './categories/category-store.ts';
import { ratesTable } from './csv.ts';
import { snapshotRoutes } from './definitions.ts';

export type RatesRefreshParts = PublishParts &
  JobParts & {
    readonly tedb: TedbClient;
    /** Deletes the events of versions that are taken back, with their deliveries. */
    readonly deleteEventsOf: (tx: Tx, versions: readonly string[]) => Promise<void>;
  };

/**
 * The daily rate refresh: fetch, compare, record.
 *
 * One run for each version since the newest published one. A run reads the upstream, then writes the
 * outcome in one transaction. A failed run ends the series, because the days after it are compared
 * with it; the next series begins with it again.
 */
export class RatesRefresh implements PublicationJob {
  readonly #parts: RatesRefreshParts;
  readonly #runs: JobRuns;

  constructor(parts: RatesRefreshParts) {
    this.#parts = parts;
    this.#runs = new JobRuns(parts, ratesDataSet);
  }

  async refresh(waitMs: number): Promise<RunReport[] | undefined> {
    return this.refreshTo(versionAt(this.#parts.clock.now()), waitMs);
  }

  /** The first snapshot is today's; after that, the timetable says which ones are due. */
  async refreshDue(newest: IsoDate | undefined): Promise<RunReport[] | undefined> {
    const nowMs = this.#parts.clock.now();
    return this.refreshTo(newest === undefined ? versionAt(nowMs) : newestDueVersion(nowMs), 0);
  }

  /**
   * Brings the snapshots up to a version; the reports are in the order of their versions.
   *
   * Undefined if another process holds the lease for longer than `waitMs`.
   */
  async refreshTo(until: IsoDate, waitMs: number): Promise<RunReport[] | undefined> {
    return this.#runs.underLease(waitMs, async (lease) => {
      const { db, signal } = this.#parts;
      const latest = await findLatest(db);
      const held = (await listHeld(db, 'rates')).map(({ version }) => version);
      const reports: RunReport[] = [];
      for (const version of versionsToAsk({ newest: latest?.date, until, held })) {
        const report = await this.#runs.record({ version, lease }, async (run) => {
          const { rows, inputDigest, remarks } = await this.#parts.tedb.fetchRows(version, signal);
          this.#refuseLaterThanToday(version);
          const reading = readNationalRates(rows);
          const categories = await readCategoriesInTurns(rows);
          const answer = { version, reading, categories, inputDigest, remarks };
          await publishAnswer(this.#parts, run, answer);
        });
        reports.push(report);
        if (report.outcome === 'failed') break;
      }
      return reports;
    });
  }

  /** The clock may have been set right since the versions were counted (contract C17a). */
  #refuseLaterThanToday(version: IsoDate): void {
    const today = versionAt(this.#parts.clock.now());
    if (version <= today) return;
    const at = { upstream: 'tedb', operation: version };
    throw new UpstreamError('clock', at, `today is ${today}, so this version is not published`);
  }

  /** Publishes a held snapshot, compared with the snapshot that is the latest now (contract C15). */
  async publishHeld(held: Approved, waitMs: number): Promise<RunReport | undefined> {
    const snapshot = parseSnapshot(held.candidate);
    const { inputDigest } = held;
    return this.#runs.publishHeld(held, waitMs, async (tx, run, { latest, detail }) => {
      const previous = latest === undefined ? undefined : parseSnapshot(latest.body);
      // Only the candidate is held; the next answer is not compared with its age.
      const publication = {
        snapshot,
        previous,
        categories: readCandidateSets(held.candidate),
        newSets: [],
        situationDate: undefined,
        inputDigest,
        detail,
      };
      await publishSnapshot(tx, this.#parts, run, publication);
    });
  }

  async withdraw(
    wanted: WantedWithdrawal,
    waitMs: number,
  ): Promise<readonly IsoDate[] | undefined> {
    return this.#runs.withdraw(wanted, waitMs, this.#parts.deleteEventsOf);
  }
}

/** Reads the rows of one Member State per turn of the event loop, so that requests are answered in between. */
async function readCategoriesInTurns(rows: readonly TedbRow[]): Promise<readonly CategorySet[]> {
  const ofMemberStates = [...Map.groupBy(rows, ({ memberState }) => memberState).values()];
  const sets = await mapPortions(ofMemberStates, 1, ([own = []]) => readCategories(own));
  return sets.sort((a, b) => (a.country < b.country ? -1 : 1));
}

/** The VAT rates of the Member States, from TEDB (interface 4.1). */
export const ratesDataSet: DataSet = {
  kind: 'rates',
  snapshots: rateSnapshots,
  publishedTables: { rate_snapshots: 'rate snapshots', rate_changes: 'rate changes' },
  deleteVersions,
  findLatest,
  today: versionAt,
  countMissed: missedVersions,
  isRunDue,
  nextRunMs,
  askedAgainMs,
  compareHeld: compareHeldRates,
  correctionAdvice:
    'nothing to do: published rates do not change, and the next version has the new values',
  api: {
    path: '/rates',
    routes: snapshotRoutes,
    toTable: ratesTable,
    readMoreOfDates: async (db) => ({
      categoriesFrom: (await findFirstWithCategories(db)) ?? null,
    }),
    noneYet: 'noRatesYet',
    notFound: 'snapshotNotFound',
  },
};
