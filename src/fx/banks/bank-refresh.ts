import type { PublicationJob, WantedWithdrawal } from '../../platform/publication/data-set.ts';
import type { Approved } from '../../platform/publication/held-store.ts';
import { type JobParts, JobRuns } from '../../platform/publication/job-runs.ts';
import type { Run, RunReport } from '../../platform/schedule/run-log.ts';
import { addDays, type IsoDate } from '../../platform/time/time.ts';
import { pause, systemTimers } from '../../platform/time/timers.ts';
import { UpstreamError } from '../../platform/upstream/upstream-error.ts';
import { findCompleteThrough } from '../completeness.ts';
import { publishApproved, publishOffers, type PublishParts } from '../publish.ts';
import { inOrderOf } from '../series.ts';
import type { FxSnapshot } from '../snapshot.ts';
import type { Bank, Span } from './bank.ts';
import { bankDataSets } from './data-sets.ts';
import { type BankAnswer, type BankSource, fetchSpan } from './fetch-span.ts';

export type BankRefreshParts = PublishParts &
  JobParts & {
    readonly bank: Bank;
    readonly source: BankSource;
    /** The least time between two requests. */
    readonly pauseMs: number;
  };

/**
 * The job of a national bank: it asks for the days since the last one that is known completely, and for some before.
 *
 * On a first start these are all days, in many requests. Each answer is published as a run of its own, in one transaction
 * with the day through which the bank's publications are known now. So a crash loses one answer, and the next run goes on.
 */
export class BankRefresh implements PublicationJob {
  readonly #parts: BankRefreshParts;
  readonly #runs: JobRuns;

  constructor(parts: BankRefreshParts) {
    this.#parts = parts;
    this.#runs = new JobRuns(parts, bankDataSets[parts.bank.name]);
  }

  async refresh(
    waitMs: number,
    onProgress: (sentence: string) => void = () => {},
  ): Promise<RunReport[] | undefined> {
    const { bank, pauseMs, signal } = this.#parts;
    return this.#runs.underLease(waitMs, async (lease) => {
      const reports: RunReport[] = [];
      const spans = await this.#listSpans();
      for (const [at, span] of spans.entries()) {
        if (at > 0) await pause(systemTimers, pauseMs, signal);
        const isLast = at === spans.length - 1;
        const report = await this.#runs.record({ version: undefined, lease }, async (run) =>
          this.#readSpan(run, span, isLast),
        );
        reports.push(report);
        if (report.outcome === 'failed') break;
        onProgress(`${bank.title} has been read through ${span.to} …`);
      }
      return reports;
    });
  }

  async refreshDue(): Promise<RunReport[] | undefined> {
    return this.refresh(0);
  }

  async publishHeld(held: Approved, waitMs: number): Promise<RunReport | undefined> {
    return publishApproved(this.#runs, this.#parts.series, { held, waitMs });
  }

  async withdraw(
    wanted: WantedWithdrawal,
    waitMs: number,
  ): Promise<readonly IsoDate[] | undefined> {
    return this.#runs.withdraw(wanted, waitMs);
  }

  /** The spans of this run, oldest first. */
  async #listSpans(): Promise<readonly Span[]> {
    const { db, clock, bank, series } = this.#parts;
    const { timetable, client } = bank;
    const { firstPublicationDate } = timetable.days;
    const through = await findCompleteThrough(db, series.kind);
    const begun = addDays(through ?? firstPublicationDate, -client.rereadDays);
    const from = begun < firstPublicationDate ? firstPublicationDate : begun;
    const to = timetable.today(clock.now());
    // The clock may have been ahead before.
    return client.listSpans({ from: from < to ? from : to, to });
  }

  async #readSpan(run: Run, span: Span, isLast: boolean): Promise<void> {
    const { clock, bank, source, signal } = this.#parts;
    // Before the request: the answer shows what the days had that had ended by then.
    const yesterday = addDays(bank.timetable.today(clock.now()), -1);
    const answer = await fetchSpan(bank, source, { span, signal });
    const last = span.to < yesterday ? span.to : yesterday;
    await publishOffers(this.#parts, run, {
      offers: answer.publications.map((snapshot) => ({ snapshot, isFromHistory: true })),
      inputDigest: answer.inputDigest,
      span: {
        from: span.from,
        judge: (stored) => {
          if (isLast && answer.publications.length === 0 && stored.length === 0) {
            throw this.#refuse(`no publication since ${bank.timetable.days.firstPublicationDate}`);
          }
          const isWhole = this.#isWhole(answer, span, stored);
          return isWhole && last >= span.from ? last : undefined;
        },
      },
    });
  }

  /**
   * Whether an answer has all stored publications of its days: otherwise it is no proof that a day has none. Throws if it
   * lacks all of them, as an answer of the wrong address does.
   */
  #isWhole({ publications }: BankAnswer, span: Span, stored: readonly FxSnapshot[]): boolean {
    const { bank, log, series } = this.#parts;
    const isSame = inOrderOf(series);
    const expected = stored.filter(({ date }) => date >= span.from && date <= span.to);
    const lacking = expected
      .filter((one) => !publications.some((given) => isSame(given, one) === 0))
      .map(({ date }) => date);
    if (lacking.length === 0) return true;
    if (lacking.length === expected.length) {
      throw this.#refuse(
        `none of the ${lacking.length} publications of these days that are stored`,
      );
    }
    log.warn({ bank: bank.name, lacking }, 'answer of a bank lacks stored publications');
    return false;
  }

  #refuse(found: string): UpstreamError {
    const { bank, source } = this.#parts;
    const at = { upstream: source.upstream.name, operation: 'publications' };
    return new UpstreamError('empty', at, `the answer has ${found}; check ${bank.variable}`);
  }
}
