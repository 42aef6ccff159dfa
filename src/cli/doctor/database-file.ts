import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  existingFolder,
  findFileProblem,
  keyFileOf,
  listReadableByOthers,
} from '../../platform/database/sqlite/embedded-file.ts';
import { findTables } from '../../platform/database/sqlite/sqlite.ts';
import { explainFullDisk } from '../../platform/files/full-disk.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { listDrafts, listKept } from '../backup/drafts.ts';
import { followLink } from '../backup/replace-file.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';
import { isFile } from '../installation/embedded-database.ts';
import { sentenceOf } from '../command/report.ts';

const megabyte = 1_000_000;

/** Checks the file of an embedded database, read-only, because it may belong to another program. */
export function checkDatabaseFile(file: string): Finding {
  const check = 'database';
  const problem = findFileProblem(file);
  if (problem !== undefined) return wrong(check, problem.found, problem.advice);
  if (!isFile(file)) return noneYet(`there is none yet at ${file}`);
  const advice = `set DATABASE_URL to the right file, or bring a backup back: ${vatfx('restore FILE')}`;
  // Before a connection that may make files beside one of another program.
  const tables = findTables(file);
  if (tables === 'nobody') return noneYet(`${file} is empty`);
  if (tables === 'another program') return wrong(check, `${file} has tables of ${tables}`, advice);
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 2_000 });
    const [damage] = Object.values(database.prepare('pragma quick_check(1)').get() ?? {});
    if (damage !== 'ok') {
      return wrong(check, `${file} is damaged (${String(damage)})`, advice);
    }
    const [version] = Object.values(database.prepare('select sqlite_version()').get() ?? {});
    const size = (sizeOf(file) / megabyte).toFixed(1);
    return ok(check, `SQLite ${String(version)}, ${file}, ${size} MB`);
  } catch (error) {
    const reason = explainFullDisk(error, dirname(file));
    return wrong(check, `${file}: ${sentenceOf(reason)}`, advice);
  }
}

function noneYet(found: string): Finding {
  const advice = 'normal before the first start, which makes it; otherwise set DATABASE_URL';
  return warning('database', found, advice);
}

/** Warns of database files that other users can read; the key file has its own check. */
export function checkPermissions(file: string): readonly Finding[] {
  if (!isFile(file)) return [];
  const check = 'files';
  const readable = listReadableByOthers(file).filter((one) => one !== keyFileOf(file));
  if (readable.length === 0) {
    return [ok(check, 'only their owner can read the files of the database')];
  }
  const found = `other users can read ${readable.join(', ')}`;
  const advice = 'start the server, which makes them private, or run chmod 600 on them';
  return [warning(check, found, advice)];
}

/** Names the copies that restores have made beside the files of a database; nothing else does. */
export function checkCopies(file: string): readonly Finding[] {
  const check = 'copies';
  const files = [file, keyFileOf(file)].map(followLink);
  const drafts = files.flatMap(listDrafts).map((draft) => draft.file);
  const kept = files.flatMap(listKept);
  return [
    drafts.length === 0
      ? []
      : warning(
          check,
          `drafts of a backup or a restore, with all data: ${drafts.join(', ')}`,
          'if neither runs, it was killed: delete them, or the next one does',
        ),
    kept.length === 0
      ? []
      : ok(check, `old files of restores, to be deleted when everything works: ${kept.join(', ')}`),
  ].flat();
}

/** Checks the free space of the disk. */
export function checkDisk(file: string): Finding {
  const check = 'disk';
  const folder = existingFolder(dirname(file));
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  const found = `${(freeBytes / megabyte).toFixed(0)} MB free in ${folder}`;
  const advice = 'free some space: without it nothing can be published';
  if (freeBytes < 100 * megabyte) return wrong(check, found, advice);
  if (freeBytes < Math.max(1_000 * megabyte, 2 * sizeOf(file))) {
    return warning(check, found, advice);
  }
  return ok(check, found);
}

/** Size of the file and of its write-ahead log. */
function sizeOf(file: string): number {
  const sizes = [file, `${file}-wal`].map((one) => statSync(one, { throwIfNoEntry: false })?.size);
  return sizes.reduce((sum: number, size) => sum + (size ?? 0), 0);
}
