import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCodeOf } from '../../platform/log/errors.ts';
import { isProcess } from '../installation/embedded-database.ts';

/** Files that SQLite puts beside a database. */
const besides = ['', '-wal', '-shm', '-journal'] as const;

/** A file that a command writes before it gives it the name of another one. */
export type Draft = {
  readonly file: string;
  /** Undefined in a name of 0.2. */
  readonly pid: number | undefined;
};

/** Chooses the name of a draft beside a file. It has the process, so that a draft of a killed one is found. */
export function nameDraft(file: string, command: 'backup' | 'restore'): string {
  return `${file}.${command}-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** Lists the drafts beside a file, with the files that SQLite put beside them. */
export function listDrafts(file: string): readonly Draft[] {
  const form = /^\.(?:backup|restore)-(?:(\d+)-)?[0-9a-f]{8}(?:-wal|-shm|-journal)?$/;
  return listBeside(file).flatMap((name) => {
    const match = form.exec(name.slice(basename(file).length));
    if (match === null) return [];
    const pid = match[1] === undefined ? undefined : Number(match[1]);
    return [{ file: join(dirname(file), name), pid }];
  });
}

/** Lists the old files that restores have kept beside a file. */
export function listKept(file: string): readonly string[] {
  const kept = listBeside(file).filter((name) =>
    name.slice(basename(file).length).startsWith('.before-restore-'),
  );
  return kept.map((name) => join(dirname(file), name));
}

/** Removes the drafts beside a file whose processes have ended, and returns their names. */
export function removeLeftDrafts(file: string): readonly string[] {
  const left = listDrafts(file).filter(({ pid }) => pid === undefined || !isOther(pid));
  for (const draft of left) rmSync(draft.file, { force: true });
  return left.map((draft) => draft.file);
}

/** Removes a draft, with the files that SQLite put beside it. */
export function removeDraft(draft: string): void {
  for (const end of besides) rmSync(draft + end, { force: true });
}

function listBeside(file: string): readonly string[] {
  try {
    const names = readdirSync(dirname(file)).filter((name) =>
      name.startsWith(`${basename(file)}.`),
    );
    return names.toSorted();
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Whether another process has this number. This one, in a container that is started again, often has it again. */
function isOther(pid: number): boolean {
  return pid !== process.pid && isProcess(pid);
}
