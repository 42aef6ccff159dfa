import { type Operator, writeAudit } from '../database/audit.ts';
import type { Db, Tx } from '../database/database.ts';
import { replaceEncrypted } from './encrypted-columns.ts';
import { lockKeyInUse, setKeyInUse } from './key-in-use.ts';
import { idOfKey, opensWith, seal } from './secret-box.ts';
import { makeNextKey, replaceKeyFile, type SecretKeys } from './secret-keys.ts';

/** The outcome of a rotation. */
export type Rotation = {
  /** `done before`: every secret was encrypted with the new key already. */
  readonly kind: 'rotated' | 'done before';
  /** Number of secrets that were encrypted again. */
  readonly secrets: number;
  /** The id of the key now in use. */
  readonly keyId: string;
};

type Wanted = {
  readonly keys: SecretKeys;
  readonly at: string;
  readonly by?: Operator;
  /** Throws if a server could not open the secrets afterwards. */
  readonly refuse: (tx: Tx) => Promise<void>;
};

/**
 * Encrypts every stored secret again, with a configured new key, in one transaction. Throws, and changes nothing, if
 * a stored secret does not open.
 */
export async function rotateTo(db: Db, newKey: Buffer, wanted: Wanted): Promise<Rotation> {
  return db.transaction().execute(async (tx) => {
    const inUse = await lockKeyInUse(tx);
    await wanted.refuse(tx);
    return encryptAgain(tx, { ...wanted, inUse, newKey });
  });
}

/**
 * Encrypts every stored secret again, with a new key that replaces the key file beside an embedded database.
 *
 * The new key is written to `<key file>.next` before the transaction, and replaces the file after it. So the key in
 * use is in one of the two files whenever the process ends. Another call finishes an interrupted rotation.
 */
export async function rotateKeyFile(db: Db, keyFile: string, wanted: Wanted): Promise<Rotation> {
  const rotation = await db.transaction().execute(async (tx) => {
    const inUse = await lockKeyInUse(tx);
    await wanted.refuse(tx);
    const newKey = makeNextKey(keyFile);
    return encryptAgain(tx, { ...wanted, inUse, newKey });
  });
  await db.transaction().execute(async (tx) => {
    const inUse = await lockKeyInUse(tx);
    if (inUse !== null) replaceKeyFile(keyFile, inUse);
  });
  return rotation;
}

async function encryptAgain(
  tx: Tx,
  wanted: Wanted & { readonly newKey: Buffer; readonly inUse: string | null },
): Promise<Rotation> {
  const { keys, newKey, inUse, at, by } = wanted;
  const keyId = idOfKey(newKey);
  const secrets = await replaceEncrypted(tx, (text) => {
    if (opensWith(newKey, text)) return undefined;
    const { sealed, context } = text;
    return seal(newKey, keys.open(sealed, context), context);
  });
  if (secrets === 0 && inUse === keyId) return { kind: 'done before', secrets, keyId };

  await setKeyInUse(tx, keyId);
  const detail = { from: inUse, to: keyId, secrets };
  await writeAudit(tx, { at, by, action: 'secrets.rotate', subject: 'SECRET_KEY', detail });
  return { kind: 'rotated', secrets, keyId };
}
