import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Secret } from '../../platform/config/secret.ts';
import { connectDatabase } from '../../platform/database/database.ts';
import { embeddedFileOf } from '../../platform/database/sqlite/embedded-file.ts';
import { listReplicas, type Replica } from '../../platform/database/replicas/replicas.ts';
import { errorCodeOf } from '../../platform/log/errors.ts';
import { systemClock } from '../../platform/time/time.ts';
import { CommandFailure } from '../command/report.ts';

/** Returns the file of the embedded database. With PostgreSQL the command fails with the advice `instead`. */
export function embeddedFile(databaseUrl: Secret, instead: string): string {
  const file = embeddedFileOf(databaseUrl.reveal());
  if (file === undefined) {
    throw new CommandFailure(`DATABASE_URL is an address of PostgreSQL; ${instead}`);
  }
  return file;
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Finds a server that uses an embedded database. Undefined also if the file cannot be read. */
export async function findRunningServer(file: string): Promise<Replica | undefined> {
  if (!isFile(file)) return undefined;
  try {
    await using db = connectDatabase(`file:${file}`);
    return (await listReplicas(db, systemClock.now())).find(mayStillRun);
  } catch {
    // The file is damaged, or of a version without a list of servers. The locks then show whether a process has it open.
    return undefined;
  }
}

/** Names a server for an operator, to find its process. */
export function describeServer({ pid, host }: Pick<Replica, 'host' | 'pid'>): string {
  return `process ${pid} on ${host}`;
}

/** Whether a listed server may still run. A process on this machine is checked; on another machine it is assumed to run. */
export function mayStillRun({ host, pid }: Pick<Replica, 'host' | 'pid'>): boolean {
  return host !== hostname() || isProcess(pid);
}

/** Whether a process of this machine has this number. */
export function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCodeOf(error) !== 'ESRCH';
  }
}
