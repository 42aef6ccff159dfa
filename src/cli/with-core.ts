import { composeCore, type Core } from '../compose.ts';
import { loadConfig, type LoadedConfig } from '../platform/config/config.ts';
import { createLog } from '../platform/log.ts';
import { withInterrupt } from './interrupt.ts';
import { tell } from './report.ts';

/** How long a command waits for a run of the same job that is under way elsewhere. */
export const leaseWaitMs = 60_000;

/**
 * Runs a command with the database and the jobs, and closes them again.
 *
 * Its log goes to standard error, where the report of the command is not; only warnings, unless
 * LOG_LEVEL is set. An interrupt lets the command end by itself.
 */
export async function withCore<T>(
  work: (core: Core, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { config, sources } = loadWithWarnings();
  const level = sources.logLevel === 'default' ? 'warn' : config.logLevel;
  const core = await composeCore({ config, log: createLog(level, process.stderr) });
  try {
    return await withInterrupt(
      async (signal) => work(core, signal),
      () => core.interrupt(),
    );
  } finally {
    await core.stop();
  }
}

/** Loads the settings and tells of names that only look like one. */
export function loadWithWarnings(): LoadedConfig {
  const loaded = loadConfig();
  for (const warning of loaded.warnings) tell(`warning: ${warning}`);
  return loaded;
}
