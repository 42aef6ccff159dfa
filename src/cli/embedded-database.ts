import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Secret } from '../platform/config/secret.ts';
import { connectDatabase } from '../platform/database/database.ts';
import { embeddedFileOf } from '../platform/database/embedded-file.ts';
import { listReplicas, type Replica } from '../platform/database/replicas.ts';
import { systemClock } from '../platform/time.ts';
import { CommandFailure } from './report.ts';

/** The file of the embedded database; with PostgreSQL the command fails and says `instead`. */
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

/** A server that works with an embedded database; undefined also where the file cannot be asked. */
export async function findServer(file: string): Promise<Replica | undefined> {
  if (!isFile(file)) return undefined;
  try {
    await using db = connectDatabase(`file:${file}`);
    return (await listReplicas(db, systemClock.now())).find(isThere);
  } catch {
    // Damaged, or made by a program that kept no list: whoever has it open is found by its locks.
    return undefined;
  }
}

/** Whoever crashed on this machine need not be waited for. */
export function isThere({ host, pid }: Pick<Replica, 'host' | 'pid'>): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
