import { loadSettings } from '../../composition/load-settings.ts';
import { type DatabaseOptions, openLoggedDatabase } from '../../composition/open-database.ts';
import type { LoadedConfig } from '../../platform/config/config.ts';
import type { Db, StartOptions } from '../../platform/database/database.ts';
import type { CommitFinding, CommitWatch } from '../../platform/database/unknown-commit.ts';
import { openLog, type Log } from '../../platform/log/log.ts';
import { type Clock, systemClock } from '../../platform/time/time.ts';
import type { Io } from '../command/io.ts';
import { printToStderr } from '../command/report.ts';
import { withInterrupt } from './stop-signal.ts';

/** How long a command looks for a change of which it does not know whether it was made. */
const commitLookMs = 10_000;

/** What a command has that asks no upstream and runs no job. */
export type DatabaseParts = Pick<DatabaseOptions, 'config' | 'log'> & {
  readonly db: Db;
  readonly clock: Clock;
};

/**
 * Runs a command with the database alone, and closes it afterwards. An interrupt aborts `signal`. The database must be there,
 * unless `made` says that it may be made (rule O15).
 *
 * The program has no other parts of itself loaded then: a command takes two thirds of the time that it takes with `withCore`.
 */
export async function withDatabase<T>(
  io: Io,
  work: (parts: DatabaseParts, signal: AbortSignal) => Promise<T>,
  made: Pick<StartOptions, 'onMade'> = {},
): Promise<T> {
  const options = await prepare(io);
  const { config, log } = options;
  const db = await openLoggedDatabase({ ...options, ...made });
  try {
    const parts = { config, log, db, clock: systemClock };
    return await withInterrupt(io, async (signal) => work(parts, signal));
  } finally {
    await db.destroy();
  }
}

/** Loads the settings, and opens the log of a command. */
export async function prepare(
  io: Io,
): Promise<Required<Pick<DatabaseOptions, 'config' | 'log' | 'commits'>>> {
  const loaded = loadWithWarnings(io);
  const commits = watchCommits(io);
  return { config: loaded.config, commits, log: await openCommandLog(io, loaded) };
}

/** Lets a command make the database, and say so: an operator may not have meant its place. */
export function sayMade(io: Io): Required<Pick<StartOptions, 'onMade'>> {
  return { onMade: (place) => printToStderr(io, `a new database was made: ${place}`) };
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
