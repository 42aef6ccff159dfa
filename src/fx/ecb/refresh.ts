import { sha256 } from '../../platform/values/digest.ts';
import type { PublicationJob, WantedWithdrawal } from '../../platform/publication/data-set.ts';
import type { Approved } from '../../platform/publication/held-store.ts';
import { type JobParts, JobRuns } from '../../platform/publication/job-runs.ts';
import type { Run, RunReport } from '../../platform/schedule/run-log.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import { vatfx } from '../../platform/vatfx.ts';
import type { EcbAnswer, EcbClient, EcbFile } from './client.ts';
import type { Offer } from '../publishing/plan.ts';
import { publishOffers, type PublishParts } from '../publishing/publish.ts';
import { publishApproved } from '../publishing/publish-approved.ts';
import type { FxSnapshot } from '../snapshot.ts';
import { fxTable } from '../csv.ts';
import { publicationRoutes } from '../definitions.ts';
import { ecb } from './ecb.ts';
import { inOrderOf } from '../series.ts';
import { seriesDataSet } from '../series-data-set.ts';
import { ecbDays } from './calendar.ts';

export type FxRefreshParts = Omit<PublishParts, 'series'> & JobParts & { readonly ecb: EcbClient };

/**
 * The exchange-rate refresh: the daily file for what is new, the 90-day file for gaps and corrections,
 * the full history for a first start and for long gaps (contract C18 to C20).
 *
 * Requests carry the Last-Modified of the file that was last processed completely. A run that fails remembers
 * nothing, so the next one reads everything again.
 */
export class FxRefresh implements PublicationJob {
  readonly #parts: FxRefreshParts & PublishParts;
  readonly #runs: JobRuns;
  /** The Last-Modified of each file, and the newest stored publication after it was processed. */
  readonly #validators = new Map<
    EcbFile,
    { readonly lastModified: string; readonly newest: IsoDate }
  >();

  constructor(parts: FxRefreshParts) {
    this.#parts = { ...parts, series: ecb };
    this.#runs = new JobRuns(parts, fxDataSet);
  }

  async refresh(waitMs: number): Promise<RunReport[] | undefined> {
    const report = await this.#asRun(waitMs, async (run) => this.#refresh(run));
    return report === undefined ? undefined : [report];
  }

  async refreshDue(): Promise<RunReport[] | undefined> {
    return this.refresh(0);
  }

  /**
   * Loads the full history and stores every day from `from` on that is missing (contract C17).
   *
   * Undefined if the lease was not free within `waitMs`.
   */
  async backfill(from: IsoDate, waitMs: number): Promise<RunReport | undefined> {
    return this.#asRun(waitMs, async (run) => {
      const history = await this.#fetch('history');
      // The request had no condition; if the answer is "not modified" anyway, there is nothing to store.
      const isRead = history.kind === 'publications';
      const offers = (isRead ? history.publications : [])
        .filter(({ date }) => date >= from)
        .map((snapshot) => ({ snapshot, isFromHistory: true }));
      await publishOffers(this.#parts, run, {
        offers,
        inputDigest: isRead ? history.inputDigest : undefined,
      });
    });
  }

  /** Publishes a held publication, unless a newer one is published (contract C15, C19). */
  async publishHeld(held: Approved, waitMs: number): Promise<RunReport | undefined> {
    return publishApproved(this.#runs, ecb, { held, waitMs });
  }

  async withdraw(
    wanted: WantedWithdrawal,
    waitMs: number,
  ): Promise<readonly IsoDate[] | undefined> {
    return this.#runs.withdraw(wanted, waitMs);
  }

  async #refresh(run: Run): Promise<void> {
    const latest = await ecb.snapshots.findLatest(this.#parts.db);
    const daily = await this.#fetch('daily', latest);
    const ninetyDays = await this.#fetch('ninetyDays', latest);
    const [oldest] = ninetyDays.kind === 'publications' ? ninetyDays.publications : [];
    const isShort =
      latest === undefined || (oldest !== undefined && hasGap(latest.date, oldest.date));
    const history = isShort ? await this.#fetch('history') : undefined;

    // Files of past days override the daily file, because the ECB corrects them.
    const answers = [daily, history, ninetyDays].flatMap((a) =>
      a?.kind === 'publications' ? [{ ...a, isFromHistory: a !== daily }] : [],
    );
    const digests = [daily, ninetyDays, history].flatMap((a) =>
      a?.kind === 'publications' ? [a.inputDigest] : [],
    );
    const inputDigest = digests.length > 0 ? sha256(digests.join('\n')) : undefined;
    await publishOffers(this.#parts, run, { offers: mergeOffers(answers), inputDigest });
    const newest = (await ecb.snapshots.findLatest(this.#parts.db))?.date;
    this.#remember('daily', daily, newest);
    this.#remember('ninetyDays', ninetyDays, newest);
  }

  async #fetch(file: EcbFile, latest?: { readonly date: IsoDate }): Promise<EcbAnswer> {
    const known = this.#validators.get(file);
    // Without a stored publication, and after one was taken back, a file has to be read even if it is not modified.
    const isStored = known !== undefined && latest !== undefined && latest.date >= known.newest;
    const { signal } = this.#parts;
    return this.#parts.ecb.fetchFile(file, {
      ifModifiedSince: isStored ? known.lastModified : undefined,
      signal,
    });
  }

  #remember(file: EcbFile, answer: EcbAnswer, newest: IsoDate | undefined): void {
    if (answer.kind !== 'publications' || newest === undefined) return;
    const { lastModified } = answer;
    if (lastModified !== undefined) this.#validators.set(file, { lastModified, newest });
  }

  async #asRun(waitMs: number, work: (run: Run) => Promise<void>): Promise<RunReport | undefined> {
    return this.#runs.underLease(waitMs, async (lease) =>
      this.#runs.record({ version: undefined, lease }, work),
    );
  }
}

/** One offer per date, oldest first; of two offers for the same date the later in the list counts. */
function mergeOffers(
  answers: readonly {
    readonly publications: readonly FxSnapshot[];
    readonly isFromHistory: boolean;
  }[],
): Offer[] {
  const offers = new Map<string, Offer>();
  for (const { publications, isFromHistory } of answers) {
    for (const snapshot of publications) offers.set(snapshot.date, { snapshot, isFromHistory });
  }
  return [...offers.values()].sort((a, b) => inOrderOf(ecb)(a.snapshot, b.snapshot));
}

/** Whether a publication day lies between two publications. */
function hasGap(latest: IsoDate, oldest: IsoDate): boolean {
  const days = ecbDays.countPublicationDays(latest, oldest);
  return days > (ecbDays.isPublicationDay(oldest) ? 1 : 0);
}

/** The euro reference rates, from the ECB (interface 4.4). */
export const fxDataSet = seriesDataSet(ecb, {
  publishedTables: { fx_snapshots: 'FX snapshots' },
  correctionAdvice: `"${vatfx('fx corrections')}" lists them, "${vatfx('fx correct DATE')}" applies them`,
  api: {
    path: '/fx',
    routes: publicationRoutes,
    toTable: fxTable,
    noneYet: 'noFxYet',
    notFound: 'fxSnapshotNotFound',
  },
});
