import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../../platform/files/files.ts';
import { explainFullDisk } from '../../platform/files/full-disk.ts';
import { errorCodeOf } from '../../platform/log/errors.ts';
import { nameFile } from '../name-file.ts';
import { CommandFailure, sentenceOf } from '../report.ts';

/** The end of the attempt to write a file: one with the same bytes may be there already; others are never replaced. */
export type WriteEnd = 'written' | 'same' | 'differs';

/** Makes the folder of an export, readable for its owner only, unless it exists. */
export function makeFolder(folder: string): void {
  try {
    createFolder(folder);
  } catch (cause) {
    throw new CommandFailure(
      `the folder ${folder} cannot be made: ${sentenceOf(explainFullDisk(cause, folder))}`,
    );
  }
}

/**
 * Writes a file that is complete or absent whenever the process ends, readable for its owner only.
 *
 * The bytes are written under another name first.
 */
export function writeWhole(folder: string, name: string, bytes: string): WriteEnd {
  const file = join(folder, name);
  const part = join(folder, `.${name}.${randomBytes(6).toString('hex')}.part`);
  try {
    writeFileSync(part, bytes, { mode: 0o600, flag: 'wx' });
    nameFile(part, file);
    return 'written';
  } catch (cause) {
    if (errorCodeOf(cause) !== 'EEXIST') {
      throw new CommandFailure(
        `${file} cannot be written: ${sentenceOf(explainFullDisk(cause, folder))}`,
      );
    }
    return readFileSync(file, 'utf8') === bytes ? 'same' : 'differs';
  } finally {
    rmSync(part, { force: true });
  }
}
