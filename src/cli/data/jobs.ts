import { textForm } from '../../platform/fields/field.ts';
import { jobOf } from '../../composition/core.ts';
import { allKinds } from '../../platform/publication/data-set-kinds.ts';
import type { RunReport } from '../../platform/schedule/run-log.ts';
import { type NamedCommand, reporting } from '../command/command.ts';
import { CommandFailure, UsageError } from '../command/report.ts';
import { limit } from '../command/options.ts';
import { createProgress } from '../running/progress.ts';
import { busyFailure, leaseWaitMs, withCore } from '../running/with-core.ts';

/** Missed days come first, each as a run of its own. */
const run = reporting({
  words: 'run <job>',
  says: 'run a job now',
  examples: ['jobs run rates'],
  argument: {
    says: allKinds.join(', '),
    form: textForm(allKinds.join(', '), (text) => {
      const job = allKinds.find((known) => known === text);
      if (job !== undefined) return job;
      throw new UsageError(`${text} is not a job, expected ${allKinds.join(', ')}`);
    }),
  },
  run: async (io, { argument: job }) => {
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
  },
});

const list = reporting({
  words: 'list',
  says: 'the last runs: start, end, outcome, counts, digest of the input',
  examples: ['jobs list --limit 5', 'jobs list --json'],
  options: { limit },
  run: async (io, { options }) => {
    const newest = await withCore(io, async ({ runs: log }) => log.list(options.limit));
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
  },
});

export const jobCommands: readonly NamedCommand[] = [run, list];

function describe(run: RunReport): string {
  const counts = `${run.changes} changes, ${run.published} stored`;
  const detail = run.detail === null ? '' : ` (${run.detail})`;
  return `${run.job} ${run.version ?? ''}: ${run.outcome}, ${counts}${detail}`;
}
