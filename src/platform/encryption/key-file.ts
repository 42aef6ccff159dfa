import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, type linkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { flushFile, flushFolder, giveToOwner, linkOr } from '../files/files.ts';
import { findFullDisk } from '../files/full-disk.ts';
import { readSmallFile } from '../files/small-file.ts';
import { errorCodeOf } from '../log/errors.ts';
import { embeddedFileOf, keyFileOf } from '../database/sqlite/embedded-file.ts';
import type { Secret } from '../config/secret.ts';
import { parseSecretKey, secretKeyCommand, secretKeyForm } from '../config/secret-key.ts';

/**
 * Loads the key that encrypts stored secrets (operator.md, SECRET_KEY): the configured one, or the one in
 * `<database file>.secret-key` beside an embedded database. The first process that needs the file makes it. Without a
 * key it throws a sentence for the operator, which never contains a key.
 */
export function loadSecretKey(options: {
  readonly configured: Secret<Buffer> | undefined;
  readonly databaseUrl: string;
}): Buffer {
  const { configured, databaseUrl } = options;
  if (configured !== undefined) return configured.reveal();
  const database = embeddedFileOf(databaseUrl);
  if (database === undefined) {
    throw new Error(
      'SECRET_KEY is required with PostgreSQL, the same for every process: ' +
        `expected ${secretKeyForm}; make one with: ${secretKeyCommand}`,
    );
  }

  const file = keyFileOf(database);
  return readKey(file) ?? makeKey(file);
}

/** Reads a key file; undefined if it does not exist. */
export function readKey(file: string): Buffer | undefined {
  const read = readSmallFile(file);
  if (!('bytes' in read)) {
    if (read.code === 'ENOENT') return undefined;
    throw new Error(
      `SECRET_KEY: ${file} cannot be read; let the user that vatfx runs as read it, or set SECRET_KEY: ${read.found}`,
    );
  }

  const key = parseSecretKey(read.bytes.toString('utf8'));
  if (key !== undefined) return key;
  throw new Error(
    `SECRET_KEY: ${file} does not hold a key; bring it back from a backup or set SECRET_KEY. If the key is ` +
      'lost, delete the file, and create again what has stored secrets, such as subscriptions',
  );
}

/**
 * Makes the file and returns the key that it then has.
 *
 * The key is written under another name and linked, which fails if the file exists. So processes that start at the
 * same time see either no file or a complete one, and all of them get the same key. Without hard links it is copied:
 * another process may see a part of it, and then does not start.
 */
export function makeKey(file: string, link?: typeof linkSync): Buffer {
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  const copy = (): void => {
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
    giveToOwner(file);
    flushFile(file);
  };
  try {
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    giveToOwner(draft);
    try {
      linkOr(draft, file, copy, link);
    } catch (error) {
      if (errorCodeOf(error) !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
    flushFolder(dirname(file));
  } catch (cause) {
    const full = findFullDisk(cause, dirname(file));
    if (full !== undefined) throw full;
    throw new Error(
      `SECRET_KEY: ${file} cannot be made; let the user that vatfx runs as write that folder, or set SECRET_KEY`,
      { cause },
    );
  }

  const key = readKey(file);
  if (key === undefined) {
    throw new Error(`SECRET_KEY: ${file} is a link to nothing; delete it, or set SECRET_KEY`);
  }
  return key;
}
