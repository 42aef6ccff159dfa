import { createCore, type Core } from '../composition/core.ts';
import { loadSettings } from '../composition/load-settings.ts';
import type { LoadedConfig } from '../platform/config/config.ts';
import type { DataSetKind } from '../platform/publication/data-set-kinds.ts';
import type { CommitFinding, CommitWatch } from '../platform/database/unknown-commit.ts';
import { openLog, type Log } from '../platform/log/log.ts';
import { withInterrupt } from './stop-signal.ts';
import { type Io, CommandFailure, printToStderr } from './report.ts';

/** Maximum wait if another process is running the same job. */
export const leaseWaitMs = 60_000;

/** How long a command looks for a change of which it does not know whether it was made. */
const commitLookMs = 10_000;

/** The failure of a command that has waited so long. */
export function busyFailure(job: DataSetKind): CommandFailure {
  return new CommandFailure(`another process has been running the job ${job} for over a minute`);
}

/**
 * Runs a command with the database and the jobs, and closes them afterwards.
 *
 * An interrupt aborts `signal` and the requests to upstreams; the command then ends by itself.
 */
export async function withCore<T>(
  io: Io,
  work: (core: Core, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const loaded = loadWithWarnings(io);
  const commits = watchCommits(io);
  const log = await openCommandLog(io, loaded);
  const core = await createCore({ config: loaded.config, log, commits });
  try {
    return await withInterrupt(io, async (signal) => {
      signal.addEventListener('abort', () => core.interrupt());
      return work(core, signal);
    });
  } finally {
    await core.stop();
  }
}

/** Says what becomes of a change that PostgreSQL has not acknowledged, and lets it be looked for (rule C38). */
export function watchCommits(io: Io): CommitWatch {
  return {
    lookForMs: commitLookMs,
    onUnknownCommit: (finding) => {
      if (finding !== 'unknown') printToStderr(io, findings[finding]);
    },
  };
}

const findings = {
  looking:
    'The connection to PostgreSQL broke at the end of a change: it may have been done. Looking for it.',
  done: 'It was done.',
  'not done': 'It was not done, and is now done again.',
} satisfies Record<Exclude<CommitFinding, 'unknown'>, string>;

/** Loads the settings, and warns of names that look like settings but are not, and of a doubtful requester. */
export function loadWithWarnings(io: Io): LoadedConfig {
  const loaded = loadSettings(io.env);
  for (const warning of loaded.warnings) printToStderr(io, `warning: ${warning}`);
  return loaded;
}

/** The log on standard error, apart from the report: only warnings, unless LOG_LEVEL is set. */
export async function openCommandLog(
  { stderr }: Io,
  { config, sources }: LoadedConfig,
): Promise<Log> {
  return openLog(sources.logLevel === 'default' ? 'warn' : config.logLevel, stderr);
}
