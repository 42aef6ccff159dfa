import { ecbDays } from '../fx/ecb/calendar.ts';
import * as rates from '../rates/backfill.ts';
import { backfillCategories } from '../rates/categories/backfill-categories.ts';
import { versionAt } from '../rates/timetable.ts';
import { type Io, type Report, printToStderr, UsageError } from './report.ts';
import { readDate } from './options.ts';
import { createProgress } from './progress.ts';
import { busyFailure, leaseWaitMs, withCore } from './with-core.ts';

/** Stores earlier rate snapshots, newest first; or adds the rows by goods category to stored ones. */
export async function backfillRates(
  io: Io,
  options: { readonly from: string; readonly to?: string; readonly categories?: true },
): Promise<Report> {
  const from = readDate('--from', options.from);
  const isForCategories = options.categories === true;
  if (from < rates.firstVersion) {
    throw new UsageError(`--from is ${from}, but TEDB has nothing before ${rates.firstVersion}`);
  }
  const wanted = options.to === undefined ? undefined : readDate('--to', options.to);
  using progress = createProgress(io.stderr);
  // Without a terminal each step is a line of its own, so that the log of a long batch shows where it is.
  const follow =
    io.stderr.isTTY === true ? progress.show : (sentence: string) => printToStderr(io, sentence);
  const done = await withCore(io, async (core, signal) => {
    const { db, tedb, clock } = core;
    const newest = isForCategories
      ? versionAt(clock.now())
      : await rates.newestBackfillDate(db, clock.now());
    const to = wanted ?? newest;
    if (to > newest) {
      throw new UsageError(
        `--to is ${to}, expected ${newest} or earlier: the daily job publishes later days`,
      );
    }
    if (from > to) throw new UsageError(`--from is ${from}, expected a day up to ${to}`);
    const run = isForCategories ? backfillCategories : rates.backfillRates;
    const result = await run(
      { from, to },
      {
        db,
        tedb,
        clock,
        signal,
        flagCdnUrl: core.config.flagCdnUrl,
        onProgress: ({ version, daysLeft }) => follow(`back to ${version}, ${daysLeft} days left`),
      },
    );
    return { ...result, interrupted: signal.aborted };
  });
  return {
    document: done,
    text:
      `${done.stored} days stored, ${done.skipped} ${isForCategories ? 'had goods categories' : 'were stored'} already` +
      done.refused.map((r) => `\n${r.version} refused: ${r.reasons.join('; ')}`).join(''),
    failure: failureOf(done),
  };
}

function failureOf(done: {
  readonly interrupted: boolean;
  readonly refused: readonly unknown[];
}): string | undefined {
  if (done.interrupted) return 'interrupted; call the command again to continue';
  return done.refused.length > 0 ? 'some days could not be stored' : undefined;
}

/** Stores missing publications of the exchange rates, from the full history. */
export async function backfillFx(io: Io, options: { readonly from: string }): Promise<Report> {
  const from = readDate('--from', options.from);
  const { firstPublicationDate } = ecbDays;
  if (from < firstPublicationDate) {
    throw new UsageError(`--from is ${from}, the first publication is of ${firstPublicationDate}`);
  }
  const run = await withCore(io, async ({ jobs }) => {
    printToStderr(io, 'reading the full history');
    return jobs.fx.backfill(from, leaseWaitMs);
  });
  if (run === undefined) throw busyFailure('fx');
  return {
    document: run,
    text: `${run.published} publications stored`,
    failure: run.outcome === 'failed' ? `the backfill failed: ${run.detail}` : undefined,
  };
}
