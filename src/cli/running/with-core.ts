import { createCore, type Core } from '../../composition/core.ts';
import type { DataSetKind } from '../../platform/publication/data-set-kinds.ts';
import type { Io } from '../command/io.ts';
import { CommandFailure } from '../command/report.ts';
import { withInterrupt } from './stop-signal.ts';
import { prepare } from './with-database.ts';

/** Maximum wait if another process is running the same job. */
export const leaseWaitMs = 60_000;

/** The failure of a command that has waited so long. */
export function busyFailure(job: DataSetKind): CommandFailure {
  return new CommandFailure(`another process has been running the job ${job} for over a minute`);
}

/**
 * Runs a command with the database, the jobs and the upstreams, and closes them afterwards.
 *
 * An interrupt aborts `signal` and the requests to upstreams; the command then ends by itself.
 */
export async function withCore<T>(
  io: Io,
  work: (core: Core, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const core = await createCore(await prepare(io));
  try {
    return await withInterrupt(io, async (signal) => {
      signal.addEventListener('abort', () => core.interrupt());
      return work(core, signal);
    });
  } finally {
    await core.stop();
  }
}
