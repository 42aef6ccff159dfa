import { renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../config/options.ts';
import type { Db, Tx } from '../database/database.ts';
import { embeddedFileOf, keyFileOf } from '../database/sqlite/embedded-file.ts';
import { type EncryptedText, sampleEncrypted } from './encrypted-columns.ts';
import { lockKeyInUse, setKeyInUse, lockKeyInUseShared } from './key-in-use.ts';
import { idOfKey, open, opensWith, seal, SecretKeyMismatch } from './secret-box.ts';
import { flushFolder, giveToOwner } from '../files/files.ts';
import { loadSecretKey, makeKey, readKey } from './key-file.ts';

/** Stands among the key ids of a process that reads the key file again if a secret does not open. */
export const followsKeyFile = 'file';

type KeySettings = Pick<Config, 'databaseUrl' | 'secretKey' | 'secretKeyNext'>;

/**
 * The keys with which this process can open stored secrets.
 *
 * Configured keys are read once. Otherwise the key is in a file beside the embedded database. A rotation writes a
 * second file, `<key file>.next`, encrypts with it in a transaction, and then renames it. A running server reads both
 * files again if a secret does not open. If a process is killed between the transaction and the renaming, both files
 * exist, and the next start renames.
 */
export class SecretKeys {
  /** Keys by id; the first is SECRET_KEY, or the key in the key file at the start. */
  readonly #keys = new Map<string, Buffer>();
  readonly #first: Buffer;
  readonly #file: string | undefined;

  /** Loads the keys; makes the key file if it is missing. Throws a sentence for the operator if there is no key. */
  static load({ secretKey, secretKeyNext, databaseUrl }: KeySettings): SecretKeys {
    const url = databaseUrl.reveal();
    const key = loadSecretKey({ configured: secretKey, databaseUrl: url });
    const database = secretKey === undefined ? embeddedFileOf(url) : undefined;
    return new SecretKeys(key, secretKeyNext?.reveal(), database && keyFileOf(database));
  }

  private constructor(key: Buffer, next: Buffer | undefined, file: string | undefined) {
    this.#first = key;
    this.#file = file;
    this.#add(key);
    if (next !== undefined) this.#add(next);
    this.#readFiles();
  }

  /** Ids of the keys, and `followsKeyFile`. Other processes read them; they reveal nothing of the keys. */
  get ids(): readonly string[] {
    return [...this.#keys.keys(), ...(this.#file === undefined ? [] : [followsKeyFile])];
  }

  /** Decrypts a stored text; throws if none of the keys opens it. */
  open(sealed: string, context: string): string {
    let key = this.#find({ sealed, context });
    if (key === undefined) {
      this.#readFiles();
      key = this.#find({ sealed, context });
    }
    return open(key ?? this.#first, sealed, context);
  }

  /** Encrypts with the key in use, which does not change until the transaction ends. */
  async seal(tx: Tx, plain: string, context: string): Promise<string> {
    const id = await lockKeyInUseShared(tx);
    if (id === null) return seal(this.#first, plain, context);
    if (!this.#keys.has(id)) this.#readFiles();
    const key = this.#keys.get(id);
    if (key !== undefined) return seal(key, plain, context);
    throw new SecretKeyMismatch(
      'stored secrets are encrypted with another SECRET_KEY than this process has; start it ' +
        'with the one that the other processes have',
    );
  }

  /**
   * Finds the key in use at the start of a process: the key that opens the stored secrets. Throws if none does.
   * Finishes a replacement of the key file that was interrupted after its transaction.
   */
  async determineKeyInUse(db: Db): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const known = await lockKeyInUse(tx);
      const inUse = await this.#findInUse(tx, known);
      if (inUse !== known) await setKeyInUse(tx, inUse);
      if (this.#file !== undefined) replaceKeyFile(this.#file, inUse);
    });
  }

  async #findInUse(tx: Tx, known: string | null): Promise<string> {
    let inUse: Buffer | undefined;
    for (const text of await sampleEncrypted(tx)) {
      this.open(text.sealed, text.context);
      inUse = this.#find(text);
    }
    if (inUse !== undefined) return idOfKey(inUse);
    // Nothing is stored. The key that a rotation has set stays, unless this process does not have it.
    return known !== null && this.#keys.has(known) ? known : idOfKey(this.#first);
  }

  #find(text: EncryptedText): Buffer | undefined {
    return [...this.#keys.values()].find((key) => opensWith(key, text));
  }

  /** Reads the next key first: if it is renamed meanwhile, the second read finds it. */
  #readFiles(): void {
    if (this.#file === undefined) return;
    for (const { key } of readKeyFiles(this.#file)) this.#add(key);
  }

  #add(key: Buffer): void {
    this.#keys.set(idOfKey(key), key);
  }
}

/** Reads the keys beside an embedded database: that of an unfinished rotation, and the one of the key file. */
export function readKeyFiles(
  keyFile: string,
): readonly { readonly file: string; readonly key: Buffer }[] {
  return [nextKeyFileOf(keyFile), keyFile].flatMap((file) => {
    const key = readKey(file);
    return key === undefined ? [] : [{ file, key }];
  });
}

/** Makes the key of a rotation, or returns the one that an interrupted rotation has made. */
export function makeNextKey(keyFile: string): Buffer {
  const file = nextKeyFileOf(keyFile);
  const key = readKey(file) ?? makeKey(file);
  giveToOwner(file, keyFile);
  return key;
}

/**
 * Replaces the key file by the next key if that is the key in use.
 *
 * Called while the key in use is locked, so that no other rotation makes a next key meanwhile.
 */
export function replaceKeyFile(keyFile: string, inUse: string): void {
  const next = nextKeyFileOf(keyFile);
  const key = readKey(next);
  if (key === undefined || idOfKey(key) !== inUse) return;
  renameSync(next, keyFile);
  flushFolder(dirname(keyFile));
}

function nextKeyFileOf(keyFile: string): string {
  return `${keyFile}.next`;
}
