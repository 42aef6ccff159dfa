import { jobOf } from '../composition/core.ts';
import { allKinds } from '../platform/publication/data-set-kinds.ts';
import type { RunReport } from '../platform/schedule/run-log.ts';
import { CommandFailure, type Io, type Report, UsageError } from './report.ts';
import { readLimit } from './options.ts';
import { createProgress } from './progress.ts';
import { busyFailure, leaseWaitMs, withCore } from './with-core.ts';

/** Runs a job now. Missed days come first, each as a run of its own. */
export async function runJob(io: Io, name: string): Promise<Report> {
  const job = allKinds.find((known) => known === name);
  if (job === undefined)
    throw new UsageError(`${name} is not a job, expected ${allKinds.join(', ')}`);
  using progress = createProgress(io.stderr);
  progress.show(`running the job ${job} …`);
  const reports = await withCore(io, async (core) => {
    if (!core.kinds.includes(job)) {
      throw new CommandFailure(`the bank ${job} is not enabled; add it to FX_BANKS`);
    }
    return jobOf(core, job).refresh(leaseWaitMs, progress.show);
  });
  const last = reports?.at(-1);
  if (reports === undefined || last === undefined) throw busyFailure(job);
  return {
    document: { ...last, earlierRuns: reports.slice(0, -1) },
    text: reports.map(describe).join('\n'),
    failure: last.outcome === 'failed' ? `the job ${job} failed: ${last.detail}` : undefined,
  };
}

/** Lists the newest runs. */
export async function listRuns(io: Io, options: { readonly limit: string }): Promise<Report> {
  const limit = readLimit(options.limit);
  const newest = await withCore(io, async ({ runs: log }) => log.list(limit));
  return {
    document: newest,
    text: {
      rows: newest.map((r) => ({
        job: r.job,
        version: r.version,
        started: r.startedAt,
        ended: r.endedAt,
        outcome: r.outcome ?? 'running',
        changes: r.changes,
        stored: r.published,
        input: r.inputDigest?.slice(0, 12) ?? null,
        detail: r.detail,
      })),
      empty: 'No job has run yet.',
    },
  };
}

function describe(run: RunReport): string {
  const counts = `${run.changes} changes, ${run.published} stored`;
  const detail = run.detail === null ? '' : ` (${run.detail})`;
  return `${run.job} ${run.version ?? ''}: ${run.outcome}, ${counts}${detail}`;
}
