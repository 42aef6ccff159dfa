import { stderr } from 'node:process';
import { firstPublicationDate } from '../fx/calendar.ts';
import { type IsoDate, parseIsoDate } from '../platform/time.ts';
import { backfillRates, firstVersion, newestBackfillDate } from '../rates/backfill.ts';
import { createProgress } from './progress.ts';
import { CommandFailure, report, tell, UsageError } from './report.ts';
import { leaseWaitMs, withCore } from './with-core.ts';

/** Stores earlier rate snapshots, newest first. */
export async function backfillRatesCommand(options: {
  readonly from: string;
  readonly to?: string;
  readonly json?: boolean;
}): Promise<void> {
  const from = readDate('--from', options.from);
  if (from < firstVersion) {
    throw new UsageError(`--from is ${from}, but TEDB has nothing before ${firstVersion}`);
  }
  const wanted = options.to === undefined ? undefined : readDate('--to', options.to);
  const progress = createProgress();
  // Where nobody is looking it is a long batch, of which a log may tell.
  const follow = stderr.isTTY ? progress.tell : tell;
  const done = await withCore(async (core, signal) => {
    const newest = await newestBackfillDate(core.db, core.clock.now());
    const to = wanted ?? newest;
    if (to > newest)
      throw new UsageError(`--to is ${to}, later days than ${newest} are the daily job's`);
    if (from > to) throw new UsageError(`--from is ${from}, expected a day up to ${to}`);
    const result = await backfillRates(
      { from, to },
      {
        db: core.db,
        tedb: core.tedb,
        clock: core.clock,
        signal,
        flagCdnUrl: core.config.flagCdnUrl,
        onProgress: ({ version, daysLeft }) => follow(`back to ${version}, ${daysLeft} days left`),
      },
    );
    return { ...result, interrupted: signal.aborted };
  }).finally(progress.end);
  const text =
    `${done.stored} days stored, ${done.skipped} were there already` +
    done.refused.map((r) => `\n${r.version} refused: ${r.reasons.join('; ')}`).join('');
  report(options.json, done, text);
  if (done.interrupted) throw new CommandFailure('interrupted; call it again to go on');
  if (done.refused.length > 0) throw new CommandFailure('some days could not be stored');
}

/** Stores the publications that are missing, from the full history. */
export async function backfillFxCommand(options: {
  readonly from: string;
  readonly json?: boolean;
}): Promise<void> {
  const from = readDate('--from', options.from);
  if (from < firstPublicationDate) {
    throw new UsageError(`--from is ${from}, the first publication is of ${firstPublicationDate}`);
  }
  const run = await withCore(async ({ fx }) => {
    tell('reading the full history');
    return fx.backfill(from, leaseWaitMs);
  });
  if (run === undefined) {
    throw new CommandFailure('another process has been running the job fx for over a minute');
  }
  report(options.json, run, `${run.published} publications stored`);
  if (run.outcome === 'failed') throw new CommandFailure(`the backfill failed: ${run.detail}`);
}

function readDate(name: string, text: string): IsoDate {
  const date = parseIsoDate(text);
  if (date === null) throw new UsageError(`${name} is ${text}, expected YYYY-MM-DD`);
  return date;
}
