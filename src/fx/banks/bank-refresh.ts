import type { PublicationJob, WantedWithdrawal } from '../../platform/publication/data-set.ts';
import type { Approved } from '../../platform/publication/held-store.ts';
import { type JobParts, JobRuns } from '../../platform/publication/job-runs.ts';
import type { Run, RunReport } from '../../platform/schedule/run-log.ts';
import { addDays, type IsoDate } from '../../platform/time/time.ts';
import { pause, systemTimers } from '../../platform/time/timers.ts';
import { UpstreamError } from '../../platform/upstream/upstream-error.ts';
import { countBefore, judgeAbsence, type Known, listUnproved } from '../absences/absence.ts';
import { readKnown } from '../follow.ts';
import { publishOffers, type PublishParts } from '../publishing/publish.ts';
import { publishApproved } from '../publishing/publish-approved.ts';
import type { Bank, Span } from './bank.ts';
import { bankDataSets } from './data-sets.ts';
import { type BankSource, fetchSpan } from './fetch-span.ts';

export type BankRefreshParts = PublishParts &
  JobParts & {
    readonly bank: Bank;
    readonly source: BankSource;
    /** The least time between two requests. */
    readonly pauseMs: number;
  };

/**
 * The job of a national bank: it asks for the days since the last one through which it has asked, for some before, and for each
 * day of which it is not proved that it has no publication, however old (rule N7b).
 *
 * On a first start these are all days, in many requests. Each answer is published as a run of its own, in one transaction
 * with what it shows about days without a publication. So a crash loses one answer, and the next run goes on.
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
      const { spans, news } = await this.#listSpans();
      for (const [at, span] of spans.entries()) {
        if (at > 0) await pause(systemTimers, pauseMs, signal);
        const isLast = at === news - 1;
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

  /** The spans of this run: those with news, oldest first, then those around days that are not decided. */
  async #listSpans(): Promise<{ readonly spans: readonly Span[]; readonly news: number }> {
    const { db, clock, bank, series, log } = this.#parts;
    const { timetable, client } = bank;
    const { firstPublicationDate } = timetable.days;
    const nowMs = clock.now();
    const known = await readKnown(db, series);
    const { completeThrough: through } = known;
    const begun = addDays(through ?? firstPublicationDate, -client.rereadDays);
    const from = begun < firstPublicationDate ? firstPublicationDate : begun;
    const to = timetable.today(nowMs);
    // The clock may have been ahead before.
    const news = client.listSpans({ from: from < to ? from : to, to });

    const undecided = through === undefined ? [] : listUnproved(known, through, nowMs);
    const earlier = undecided.filter(
      (day) => judgeAbsence(day, known, nowMs).kind === 'provedByLess',
    );
    if (earlier.length > 0) {
      log.warn(
        { bank: bank.name, days: earlier },
        'answers rest on one answer of the bank to version 0.3: two runs an hour apart ask for these days again',
      );
    }
    const spans = [...news];
    for (const day of undecided) {
      const isAsked = ({ from: first, to: last }: Span): boolean => first <= day && day <= last;
      if (!spans.some(isAsked)) spans.push(...client.listSpans(around(day, known)));
    }
    return { spans, news: news.length };
  }

  async #readSpan(run: Run, span: Span, isLast: boolean): Promise<void> {
    const { clock, bank, source, signal } = this.#parts;
    const answer = await fetchSpan(bank, source, { span, signal, clock });
    const { publications, inputDigest, madeMs } = answer;
    await publishOffers(this.#parts, run, {
      offers: publications.map((snapshot) => ({ snapshot, isFromHistory: true })),
      inputDigest,
      answer: { ...span, isLast, publications, madeMs, refuse: (found) => this.#refuse(found) },
    });
  }

  #refuse(found: string): UpstreamError {
    const { bank, source } = this.#parts;
    const at = { upstream: source.upstream.name, operation: 'publications' };
    return new UpstreamError('empty', at, `the answer has ${found}; check ${bank.variable}`);
  }
}

/** A day with the stored publications around it: an answer that has them is one of the bank. */
function around(day: IsoDate, { dates }: Known): Span {
  const at = countBefore(dates, day);
  return { from: dates[at - 1] ?? day, to: dates[at] ?? day };
}
