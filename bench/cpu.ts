import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Db } from '../src/platform/database/database.ts';
import type { Child } from './measure.ts';

/**
 * Makes a function that returns the CPU time of a server so far, in ms. With a connection to PostgreSQL, the time
 * of the PostgreSQL processes that serve this server is included.
 */
export function cpuReader(
  { process: child }: Child,
  server: Db | undefined,
): () => Promise<number> {
  return async () => {
    const backends = server === undefined ? [] : await listBackends(server);
    const pids = [child.pid ?? 0, ...backends];
    return pids.map(readProcessCpuMs).reduce((sum, cpuMs) => sum + cpuMs, 0);
  };
}

async function listBackends(db: Db): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(
    db,
  );
  return rows.map(({ pid }) => pid);
}

/** CPU time of all threads of a process, from the kernel's scheduler. */
function readProcessCpuMs(pid: number): number {
  const folder = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(folder).map((thread) =>
    Number(readFileSync(join(folder, thread, 'schedstat'), 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, ns) => sum + ns, 0) / 1e6;
}
