import { subscribe } from 'node:diagnostics_channel';
import { pino } from 'pino';
import { createCore } from '../../../src/composition/core.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import type { Config } from '../../../src/platform/config/options.ts';
import type { BasicKind, DataSetKind } from '../../../src/platform/publication/data-set-kinds.ts';
import { die, type StatementPlan, watchStatements } from './statement-watch.ts';

/**
 * A process that runs a job once, like the product, and may kill itself during the run.
 *
 * It sends `ready` when it has loaded, waits for its task, sends `started` when the run begins, and reports the
 * end of the run. The product needs no change for this: statements are counted in the driver, and the moments of a
 * call to an upstream come from undici's diagnostics channels.
 */
export type JobTask<Job extends DataSetKind = BasicKind> = StatementPlan & {
  readonly databaseUrl: string;
  readonly tedbUrl: string;
  readonly ecbUrl: string;
  /** The time of the service. */
  readonly now: string;
  readonly job: Job;
  /** Settings of national banks; none is enabled without them. */
  readonly banks?: Pick<Config, 'fxBanks' | 'nbpUrl' | 'cnbUrl'>;
  /** The process kills itself at a message of this diagnostics channel. */
  readonly killAtChannel?: string;
};

export type JobMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'started' }
  | {
      readonly kind: 'ended';
      readonly outcomes: readonly (string | null)[];
      /** The statements of the run, in their order. */
      readonly statements: readonly string[];
      readonly durationMs: number;
    };

process.once('message', (task) => void runTask(task as JobTask<DataSetKind>));
tell({ kind: 'ready' });

async function runTask(task: JobTask<DataSetKind>): Promise<void> {
  const { databaseUrl, tedbUrl, ecbUrl } = task;
  const { config } = readConfig({ DATABASE_URL: databaseUrl }, '');
  const nowMs = Date.parse(task.now);
  const core = await createCore({
    onMade: () => {},
    config: { ...config, tedbUrl, ecbUrl, ...task.banks },
    log: pino({ level: 'silent' }),
    clock: { now: () => nowMs },
    retry: { attempts: 1, firstDelayMs: 1 },
    bankPauseMs: 0,
  });
  const statements = await watchStatements(databaseUrl, task);
  if (task.killAtChannel !== undefined) subscribe(task.killAtChannel, die);

  const startedMs = performance.now();
  tell({ kind: 'started' });
  const waitMs = 20_000;
  const reports = await core.jobs[task.job]?.refresh(waitMs);
  const durationMs = performance.now() - startedMs;
  await core.stop();
  const outcomes = (reports ?? []).map((report) => report.outcome);
  tell({ kind: 'ended', outcomes, statements, durationMs });
  process.disconnect?.();
}

function tell(message: JobMessage): void {
  process.send?.(message);
}
