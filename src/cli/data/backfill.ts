import { ecbDays } from '../../fx/ecb/calendar.ts';
import * as rates from '../../rates/backfill.ts';
import { backfillCategories } from '../../rates/categories/backfill-categories.ts';
import { versionAt } from '../../rates/timetable.ts';
import {
  flag,
  type NamedCommand,
  option,
  reporting,
  required,
  withDefault,
} from '../command/command.ts';
import { printToStderr, UsageError } from '../command/report.ts';
import { dateField } from '../../platform/fields/dates.ts';
import { createProgress } from '../running/progress.ts';
import { busyFailure, leaseWaitMs, withCore } from '../running/with-core.ts';

const { firstPublicationDate } = ecbDays;

/** Snapshots are stored newest first; with `--categories` the stored ones get their rows by goods category. */
const ofRates = reporting({
  words: 'rates',
  says: 'earlier rate snapshots, from TEDB',
  examples: [
    'backfill rates --from 2020-01-01 --to 2020-12-31',
    'backfill rates --categories --from 2020-01-01',
  ],
  options: {
    from: required('<date>', `first day, ${rates.firstVersion} or later`, dateField),
    to: option(
      '<date>',
      'last day; if left out, the day before the latest snapshot, with --categories today',
      dateField,
    ),
    categories: flag('add the rows by goods category to stored snapshots that have none'),
  },
  run: async (io, { options }) => {
    const { from, to: wanted, categories: isForCategories = false } = options;
    if (from < rates.firstVersion) {
      throw new UsageError(`--from is ${from}, but TEDB has nothing before ${rates.firstVersion}`);
    }
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
          onProgress: ({ version, daysLeft }) =>
            follow(`back to ${version}, ${daysLeft} days left`),
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
  },
});

function failureOf(done: {
  readonly interrupted: boolean;
  readonly refused: readonly unknown[];
}): string | undefined {
  if (done.interrupted) return 'interrupted; call the command again to continue';
  return done.refused.length > 0 ? 'some days could not be stored' : undefined;
}

const ofFx = reporting({
  words: 'fx',
  says: 'missing publications of exchange rates, from the full history of the ECB',
  examples: ['backfill fx', 'backfill fx --from 2015-01-01'],
  options: {
    from: withDefault('<date>', 'first day', { byDefault: firstPublicationDate, form: dateField }),
  },
  run: async (io, { options: { from } }) => {
    if (from < firstPublicationDate) {
      throw new UsageError(
        `--from is ${from}, the first publication is of ${firstPublicationDate}`,
      );
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
  },
});

export const backfillCommands: readonly NamedCommand[] = [ofRates, ofFx];
