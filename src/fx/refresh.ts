import { sha256 } from '../platform/digest.ts';
import { decideHeld, type HeldSnapshot } from '../platform/publication/held-store.ts';
import type { Leases } from '../platform/schedule/lease.ts';
import type { Run, RunLog, RunReport } from '../platform/schedule/run-log.ts';
import type { IsoDate } from '../platform/time.ts';
import { countPublicationDays, isPublicationDay } from './calendar.ts';
import type { EcbAnswer, EcbClient, EcbFile } from './ecb-client.ts';
import type { Offer } from './plan.ts';
import { countMoves, publishOffers, type PublishParts, storePublications } from './publish.ts';
import { type FxSnapshot, parseSnapshot } from './snapshot.ts';
import { findLatest } from './store.ts';

export type FxRefreshParts = PublishParts & {
  readonly ecb: EcbClient;
  readonly runs: RunLog;
  readonly leases: Leases;
  /** Called after each commit, so that this process answers with what it has just published. */
  readonly onPublished: () => Promise<void>;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
};

/**
 * The exchange-rate refresh: the daily file for what is new, the 90-day file for gaps and corrections,
 * the full history for a first start and for long gaps (contract C18 to C20).
 *
 * Files are asked for with the Last-Modified of what was last processed to the end; a run that fails
 * remembers nothing, so the next one reads everything again.
 */
export class FxRefresh {
  readonly #parts: FxRefreshParts;
  readonly #validators = new Map<EcbFile, string>();

  constructor(parts: FxRefreshParts) {
    this.#parts = parts;
  }

  /** Brings the publications up to date; undefined when the lease was not free within `waitMs`. */
  async refresh(waitMs: number): Promise<RunReport | undefined> {
    return this.#asRun(waitMs, null, async (run) => this.#refresh(run));
  }

  /**
   * Loads the full history and stores every day from `from` on that is missing (contract C17).
   *
   * Undefined when the lease was not free within `waitMs`.
   */
  async backfill(from: IsoDate, waitMs: number): Promise<RunReport | undefined> {
    return this.#asRun(waitMs, null, async (run) => {
      const history = await this.#fetch('history');
      // "Not modified" was not asked for; should it come all the same, there is nothing to store.
      const isRead = history.kind === 'publications';
      const offers = (isRead ? history.publications : [])
        .filter(({ date }) => date >= from)
        .map((snapshot) => ({ snapshot, isFromHistory: true }));
      await publishOffers(this.#parts, run, {
        offers,
        inputDigest: isRead ? history.inputDigest : null,
      });
    });
  }

  /** Publishes a held publication, unless a newer one has come (contract C15, C19). */
  async publishHeld(held: HeldSnapshot, waitMs: number): Promise<RunReport | undefined> {
    const snapshot = parseSnapshot(held.candidate);
    return this.#asRun(waitMs, snapshot.date, async (run) => {
      await this.#parts.db.transaction().execute(async (tx) => {
        const latest = await findLatest(tx);
        if (latest !== undefined && snapshot.date <= latest.date) {
          throw new Error(
            `${held.id}: a newer publication, ${latest.date}, is published; ` +
              'this one can only be rejected',
          );
        }
        const decided = await decideHeld(tx, { id: held.id, state: 'approved', at: run.at });
        if (!decided) throw new Error(`${held.id} is no longer held`);
        await storePublications(tx, [snapshot], run.at);
        const previous = latest === undefined ? null : parseSnapshot(latest.body);
        await run.finish(tx, {
          outcome: 'published',
          version: snapshot.date,
          changes: countMoves(previous, snapshot),
          published: 1,
          inputDigest: held.inputDigest,
          detail: `approved by an operator: ${held.id}`,
        });
      });
    });
  }

  async #refresh(run: Run): Promise<void> {
    const latest = await findLatest(this.#parts.db);
    const daily = await this.#fetch('daily', latest);
    const ninetyDays = await this.#fetch('ninetyDays', latest);
    const [oldest] = ninetyDays.kind === 'publications' ? ninetyDays.publications : [];
    const isShort =
      latest === undefined || (oldest !== undefined && hasGap(latest.date, oldest.date));
    const history = isShort ? await this.#fetch('history') : undefined;

    // Files of past days have the last word, because they are mended.
    const answers = [daily, history, ninetyDays].flatMap((a) =>
      a?.kind === 'publications' ? [{ ...a, isFromHistory: a !== daily }] : [],
    );
    const digests = [daily, ninetyDays, history].flatMap((a) =>
      a?.kind === 'publications' ? [a.inputDigest] : [],
    );
    const inputDigest = digests.length > 0 ? sha256(digests.join('\n')) : null;
    await publishOffers(this.#parts, run, { offers: mergeOffers(answers), inputDigest });
    this.#remember('daily', daily);
    this.#remember('ninetyDays', ninetyDays);
  }

  async #fetch(file: EcbFile, latest?: object): Promise<EcbAnswer> {
    // Without a stored publication there is nothing that a file could be "not modified" against.
    const ifModifiedSince = latest === undefined ? null : (this.#validators.get(file) ?? null);
    const { ecb, signal } = this.#parts;
    return ecb.fetchFile(file, { ifModifiedSince, signal });
  }

  #remember(file: EcbFile, answer: EcbAnswer): void {
    if (answer.kind === 'publications' && answer.lastModified !== null) {
      this.#validators.set(file, answer.lastModified);
    }
  }

  async #asRun(
    waitMs: number,
    version: IsoDate | null,
    work: (run: Run) => Promise<void>,
  ): Promise<RunReport | undefined> {
    const { leases, runs, onPublished } = this.#parts;
    return leases.withLease('fx', waitMs, async (lease) => {
      const report = await runs.record({ job: 'fx', version, lease }, work);
      await onPublished();
      return report;
    });
  }
}

/** One offer per date, oldest first; of two for the same date the later in the list. */
function mergeOffers(
  answers: readonly {
    readonly publications: readonly FxSnapshot[];
    readonly isFromHistory: boolean;
  }[],
): Offer[] {
  const byDate = new Map<string, Offer>();
  for (const { publications, isFromHistory } of answers) {
    for (const snapshot of publications) byDate.set(snapshot.date, { snapshot, isFromHistory });
  }
  return [...byDate.values()].sort((a, b) => (a.snapshot.date < b.snapshot.date ? -1 : 1));
}

/** Whether a publication day lies between two publications. */
function hasGap(latest: IsoDate, oldest: IsoDate): boolean {
  const days = countPublicationDays(latest, oldest);
  return days > (isPublicationDay(oldest) ? 1 : 0);
}
