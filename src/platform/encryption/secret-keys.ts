import { chownSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../config/options.ts';
import type { Db, Tx } from '../database/database.ts';
import { embeddedFileOf, keyFileOf } from '../database/embedded-file.ts';
import { type EncryptedText, sampleEncrypted } from './encrypted-columns.ts';
import { lockKeyInUse, setKeyInUse, shareKeyInUse } from './key-in-use.ts';
import { idOfKey, open, opensWith, seal } from './secret-box.ts';
import { flushFolder } from '../flush-to-disk.ts';
import { loadSecretKey, makeKey, readKey } from './key-file.ts';

/** Stands among the ids of a process that reads the key file again when it needs to. */
export const followsKeyFile = 'file';

type KeySettings = Pick<Config, 'databaseUrl' | 'secretKey' | 'secretKeyNext'>;

/**
 * The keys that this process can open stored secrets with.
 *
 * Configured ones are read once. Without them the key is in a file beside the embedded database, and a
 * rotation goes through a second file, `<key file>.next`: written, used by the transaction, then renamed.
 * Both files are read again when a secret does not open, so a running server follows. A process that is
 * killed between the transaction and the renaming leaves both files; the next start renames.
 */
export class SecretKeys {
  /** By id; the first is SECRET_KEY, or what the key file held at the start. */
  readonly #keys = new Map<string, Buffer>();
  readonly #first: Buffer;
  readonly #file: string | undefined;

  /** Makes the key file if there is none. Throws, in words for the operator, when there is no key. */
  static load({ secretKey, secretKeyNext, databaseUrl }: KeySettings): SecretKeys {
    const key = loadSecretKey({ configured: secretKey, databaseUrl: databaseUrl.reveal() });
    const database = embeddedFileOf(databaseUrl.reveal());
    const isConfigured = secretKey !== undefined || database === undefined;
    const file = isConfigured ? undefined : keyFileOf(database);
    return new SecretKeys(key, secretKeyNext?.reveal(), file);
  }

  private constructor(key: Buffer, next: Buffer | undefined, file: string | undefined) {
    this.#first = key;
    this.#file = file;
    this.#add(key);
    if (next !== undefined) this.#add(next);
    this.#readFiles();
  }

  /** What other processes are told of the keys: their ids, which reveal nothing of them. */
  get described(): readonly string[] {
    return [...this.#keys.keys(), ...(this.#file === undefined ? [] : [followsKeyFile])];
  }

  /** Decrypts a stored text; throws when none of the keys opens it. */
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
    const id = await shareKeyInUse(tx);
    if (id === null) return seal(this.#first, plain, context);
    if (!this.#keys.has(id)) this.#readFiles();
    const key = this.#keys.get(id);
    if (key !== undefined) return seal(key, plain, context);
    throw new Error(
      'webhooks: stored secrets are encrypted with another SECRET_KEY than this process has; start it ' +
        'with the one that the other processes have',
    );
  }

  /**
   * Finds the key in use when a process starts: the one that opens what is stored. Throws when none does.
   *
   * Ends a replacement of the key file that was interrupted after its transaction.
   */
  async settle(db: Db): Promise<void> {
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
    // Nothing is stored: what a rotation has set stays, unless this process does not have it.
    return known !== null && this.#keys.has(known) ? known : idOfKey(this.#first);
  }

  #find(text: EncryptedText): Buffer | undefined {
    return [...this.#keys.values()].find((key) => opensWith(key, text));
  }

  /** The next key first: once it is renamed, it is found in the other file. */
  #readFiles(): void {
    if (this.#file === undefined) return;
    for (const { key } of readKeyFiles(this.#file)) this.#add(key);
  }

  #add(key: Buffer): void {
    this.#keys.set(idOfKey(key), key);
  }
}

/** The keys beside an embedded database: that of a rotation that has not ended, and the one in its place. */
export function readKeyFiles(
  keyFile: string,
): readonly { readonly file: string; readonly key: Buffer }[] {
  return [nextKeyFileOf(keyFile), keyFile].flatMap((file) => {
    const key = readKey(file);
    return key === undefined ? [] : [{ file, key }];
  });
}

/** Makes the key of a rotation, or gives the one that an interrupted rotation has made. */
export function makeNextKey(keyFile: string): Buffer {
  const file = nextKeyFileOf(keyFile);
  const key = readKey(file) ?? makeKey(file);
  keepOwner(keyFile, file);
  return key;
}

/**
 * Puts the next key in the place of the key file if it is the one in use; else does nothing.
 *
 * To be called while the key in use is locked: no other rotation makes a next key meanwhile.
 */
export function replaceKeyFile(keyFile: string, inUse: string): boolean {
  const next = nextKeyFileOf(keyFile);
  const key = readKey(next);
  if (key === undefined || idOfKey(key) !== inUse) return false;
  renameSync(next, keyFile);
  flushFolder(dirname(keyFile));
  return true;
}

/** A server that runs as another user must be able to read the key that root makes. */
function keepOwner(of: string, file: string): void {
  const owner = statSync(of, { throwIfNoEntry: false });
  if (owner !== undefined && process.getuid?.() === 0) chownSync(file, owner.uid, owner.gid);
}

function nextKeyFileOf(keyFile: string): string {
  return `${keyFile}.next`;
}
