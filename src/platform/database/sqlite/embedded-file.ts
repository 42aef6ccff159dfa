import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createFolder, giveToOwner } from '../../files/files.ts';
import { errorCodeOf } from '../../log/errors.ts';

/** The absolute path of a `file:` URL, which may be relative to the working directory; undefined for PostgreSQL. */
export function embeddedFileOf(databaseUrl: string): string | undefined {
  return databaseUrl.startsWith('file:') ? resolve(databaseUrl.slice('file:'.length)) : undefined;
}

/** The file with the key of stored secrets, beside an embedded database or beside its backup. */
export function keyFileOf(file: string): string {
  return `${file}.secret-key`;
}

/** All files of an embedded database: the database, the two files of SQLite beside it, and the secret key. */
export function embeddedFiles(file: string): readonly string[] {
  return [file, `${file}-wal`, `${file}-shm`, keyFileOf(file)];
}

/** The reason why a path cannot be the embedded database, and advice for the operator. */
export type FileProblem = { readonly found: string; readonly advice: string };

/** The only folder that is made, in the working directory. */
const defaultFolder = 'data';

const owner = 'let the user that vatfx runs as';

/** Checks a path without changing anything; undefined if a database is there or can be made there. */
export function findFileProblem(file: string): FileProblem | undefined {
  const folder = dirname(file);
  const known = lookAt(file);
  if (known === 'closed') {
    const found = `${file} is in a folder that cannot be entered`;
    return { found, advice: `${owner} enter ${folder}, or set DATABASE_URL` };
  }
  if (known === undefined) return findFolderProblem(file);
  if (known.isDirectory()) {
    const advice = `set DATABASE_URL to a file, e.g. file:${join(file, 'vatfx.db')}`;
    return { found: `${file} is a folder, expected a file`, advice };
  }
  if (!known.isFile()) {
    const advice = 'set DATABASE_URL to a file, e.g. file:./data/vatfx.db';
    return { found: `${file} is not a regular file`, advice };
  }
  // A command of another user, such as root, may have made a file beside the database.
  const closed = [file, `${file}-wal`, `${file}-shm`].find(
    (one) => existsSync(one) && !isAllowed(one, constants.R_OK | constants.W_OK),
  );
  if (closed !== undefined) {
    const advice = `${owner} read and write it, or set DATABASE_URL`;
    return { found: `${closed} cannot be read and written`, advice };
  }
  if (!isAllowed(folder, constants.W_OK)) {
    const advice = `${owner} write ${folder}: SQLite makes files beside the database`;
    return { found: `${file} is in a folder that cannot be written`, advice };
  }
  return undefined;
}

/** The folder, or the nearest one above it that exists. */
export function existingFolder(folder: string): string {
  return lookAt(folder) === undefined ? existingFolder(dirname(folder)) : folder;
}

/** Throws a message for the operator if a path cannot be the embedded database. */
export function requireUsableFile(file: string): void {
  refuse(findFileProblem(file));
}

/**
 * Makes the file of an embedded database, unless it is there, and the default folder, readable by their owner only, whatever
 * the umask.
 *
 * SQLite gives the files beside a database the database's own mode.
 */
export function makeEmbeddedFile(file: string): void {
  // An existing file is not opened here: closing it would end the locks that SQLite holds in this process.
  if (isThere(file)) return;
  makeDataFolder(file);
  closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600));
  // SQLite gives the files beside a database the owner of the database.
  giveToOwner(file);
}

/** Makes the default folder if an embedded database is to be in it; root gives it to the owner of the one above. Any other must be there. */
export function makeDataFolder(file: string): void {
  const folder = dirname(file);
  if (isThere(folder)) return;
  refuse(findFolderProblem(file));
  createFolder(folder);
  giveToOwner(folder);
}

/** Whether a path exists, as far as this user can see. */
export function isThere(path: string): boolean {
  return lookAt(path) !== undefined;
}

/** Whether a path is a regular file, or a link to one, that this user can see. */
export function isRegularFile(path: string): boolean {
  const known = lookAt(path);
  return known !== undefined && known !== 'closed' && known.isFile();
}

function refuse(problem: FileProblem | undefined): void {
  if (problem !== undefined) throw new Error(`database: ${problem.found}; ${problem.advice}`);
}

/** Removes the rights of group and others from the files of an embedded database that this process owns. */
export function closeFilesToOthers(file: string): void {
  for (const one of listReadableByOthers(file)) {
    if (statSync(one, { throwIfNoEntry: false })?.uid === process.getuid?.()) makePrivate(one);
  }
}

/** Lists the files of an embedded database that users other than their owner may read or write. */
export function listReadableByOthers(file: string): readonly string[] {
  // Modes have no meaning on Windows.
  if (process.platform === 'win32') return [];
  return embeddedFiles(file).filter((one) => {
    const mode = statSync(one, { throwIfNoEntry: false })?.mode ?? 0;
    return (mode & 0o077) !== 0;
  });
}

/** A missing file is no error: SQLite may remove a file beside the database at any time. */
function makePrivate(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error;
  }
}

function findFolderProblem(file: string): FileProblem | undefined {
  const folder = existingFolder(dirname(file));
  const found = `there is none yet at ${file}, and ${folder}`;
  const known = lookAt(folder);
  if (known !== 'closed' && known?.isDirectory() === false) {
    const advice = 'set DATABASE_URL to a file in a folder, e.g. file:./data/vatfx.db';
    return { found: `${found} is not a folder`, advice };
  }
  // A mistyped path must not become a folder (rule O15).
  if (folder !== dirname(file) && dirname(file) !== resolve(defaultFolder)) {
    const advice = 'make the folder, or set DATABASE_URL';
    return { found: `there is none yet at ${file}, and no folder ${dirname(file)}`, advice };
  }
  if (isAllowed(folder, constants.W_OK | constants.X_OK)) return undefined;
  return { found: `${found} cannot be written`, advice: `${owner} write it, or set DATABASE_URL` };
}

/** Undefined for a path that does not exist; `closed` for one in a folder that this user may not enter. */
function lookAt(path: string): Stats | 'closed' | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return 'closed';
  }
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
