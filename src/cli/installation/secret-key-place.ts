import { existsSync } from 'node:fs';
import type { Config } from '../../platform/config/options.ts';
import { secretKeyCommand } from '../../platform/config/secret-key.ts';
import type { Db } from '../../platform/database/database.ts';
import { keyFileOf } from '../../platform/database/sqlite/embedded-file.ts';
import { findEncrypted } from '../../platform/encryption/encrypted-columns.ts';
import { opensWith } from '../../platform/encryption/secret-box.ts';
import { readKeyFiles, SecretKeys } from '../../platform/encryption/secret-keys.ts';

/** Place of the key that encrypts stored secrets; it is not in the database. */
export type SecretKeyPlace = {
  /** The file beside the embedded database; null if SECRET_KEY is configured or there is no key. */
  readonly file: string | null;
  /** Instruction for the replicas, for an operator. */
  readonly step: string;
  /** Why the stored secrets cannot be decrypted; undefined if they can. */
  readonly warning?: string;
};

/** Finds the key without making one, and tries to decrypt one secret with it. */
export async function findSecretKey(
  db: Db,
  config: Pick<Config, 'databaseUrl' | 'secretKey' | 'secretKeyNext'>,
  databaseFile: string,
): Promise<SecretKeyPlace> {
  const sample = await findEncrypted(db);
  const keyFile = keyFileOf(databaseFile);
  const isConfigured = config.secretKey !== undefined;
  if (!isConfigured && !existsSync(keyFile)) {
    const step = `set SECRET_KEY on every replica; make one with: ${secretKeyCommand}`;
    if (sample === undefined) return { file: null, step };
    return {
      file: null,
      step: 'set SECRET_KEY on every replica to the key that stored secrets were encrypted with',
      warning:
        `secrets are stored, but SECRET_KEY is not set and ${keyFile} does not exist: ` +
        'without the key that encrypted them, no replica starts',
    };
  }

  const place = isConfigured ? configuredPlace(config) : placeOf(keyFile);
  if (sample === undefined) return place;
  try {
    const keys = SecretKeys.load(config);
    keys.open(sample.sealed, sample.context);
    if (isConfigured) return place;
    // During an interrupted rotation the key in use may be in the file of the next key.
    const inUse = readKeyFiles(keyFile).find(({ key }) => opensWith(key, sample));
    return placeOf(inUse?.file ?? keyFile);
  } catch (error) {
    return { ...place, warning: error instanceof Error ? error.message : String(error) };
  }
}

function configuredPlace(config: Pick<Config, 'secretKeyNext'>): SecretKeyPlace {
  const names = config.secretKeyNext === undefined ? '' : ' and SECRET_KEY_NEXT';
  const are = config.secretKeyNext === undefined ? 'its value here' : 'their values here';
  return { file: null, step: `set SECRET_KEY${names} on every replica to ${are}` };
}

function placeOf(file: string): SecretKeyPlace {
  return {
    file,
    step: `set SECRET_KEY_FILE=${file} (or SECRET_KEY to what is in it) on every replica`,
  };
}
