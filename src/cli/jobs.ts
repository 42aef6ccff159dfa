import { jobNames, type JobName, type RunReport } from '../platform/schedule/run-log.ts';
import type { Core } from '../compose.ts';
import { versionAt } from '../rates/timetable.ts';
import { readLimit } from './limit-option.ts';
import { createProgress } from './progress.ts';
import { CommandFailure, formatTable, report, UsageError } from './report.ts';
import { leaseWaitMs, withCore } from './with-core.ts';

/** Runs a job now; days that were missed come first, each as a run of its own. */
export async function runJob(name: string, options: { readonly json?: boolean }): Promise<void> {
  const job = jobNames.find((known) => known === name);
  if (job === undefined)
    throw new UsageError(`${name} is not a job, expected ${jobNames.join(' or ')}`);

  const progress = createProgress();
  progress.tell(`running the job ${job} …`);
  const reports = await withCore(async (core) => runs[job](core)).finally(progress.end);
  const last = reports?.at(-1);
  if (reports === undefined || last === undefined) {
    throw new CommandFailure(`another process has been running the job ${job} for over a minute`);
  }
  const earlier = reports.slice(0, -1);
  report(options.json, { ...last, earlierRuns: earlier }, reports.map(describe).join('\n'));
  if (last.outcome === 'failed') throw new CommandFailure(`the job ${job} failed: ${last.detail}`);
}

/** Lists the newest runs. */
export async function listRuns(options: {
  readonly json?: boolean;
  readonly limit: string;
}): Promise<void> {
  const limit = readLimit(options.limit);
  const runs = await withCore(async ({ runs: log }) => log.list(limit));
  const text = formatTable(
    ['job', 'version', 'started', 'ended', 'outcome', 'changes', 'stored', 'input', 'detail'],
    runs.map((r) => [
      r.job,
      r.version,
      r.startedAt,
      r.endedAt,
      r.outcome ?? 'running',
      r.changes,
      r.published,
      r.inputDigest?.slice(0, 12) ?? null,
      r.detail,
    ]),
    'No job has run yet.',
  );
  report(options.json, runs, text);
}

const runs: Readonly<Record<JobName, (core: Core) => Promise<readonly RunReport[] | undefined>>> = {
  rates: async ({ rates, clock }) => rates.refreshTo(versionAt(clock.now()), leaseWaitMs),
  fx: async ({ fx }) => {
    const one = await fx.refresh(leaseWaitMs);
    return one === undefined ? undefined : [one];
  },
};

function describe(run: RunReport): string {
  const counts = `${run.changes} changes, ${run.published} stored`;
  const detail = run.detail === null ? '' : ` (${run.detail})`;
  return `${run.job} ${run.version ?? ''}: ${run.outcome}, ${counts}${detail}`;
}
