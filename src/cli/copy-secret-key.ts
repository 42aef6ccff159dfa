import { existsSync } from 'node:fs';
import type { Config } from '../platform/config/options.ts';
import type { Db } from '../platform/database/database.ts';
import { keyFileOf } from '../platform/database/embedded-file.ts';
import { open } from '../webhooks/secret-box.ts';
import { loadSecretKey } from '../webhooks/secret-key.ts';

/** Where the key of the webhook secrets is, which is not in the database. */
export type SecretKeyPlace = {
  /** The file beside the embedded database; null where another one is configured, or there is none. */
  readonly file: string | null;
  /** What to do with it on the replicas. */
  readonly step: string;
  /** Why secrets that are stored cannot be read, as things are. */
  readonly warning?: string;
};

/** Finds the key without making one, and tries it on a secret. */
export async function findSecretKey(
  db: Db,
  config: Pick<Config, 'databaseUrl' | 'secretKey'>,
  databaseFile: string,
): Promise<SecretKeyPlace> {
  const sealed = await db
    .selectFrom('webhook_secrets')
    .select(['subscription_id', 'sealed'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const keyFile = keyFileOf(databaseFile);
  const isConfigured = config.secretKey !== undefined;
  if (!isConfigured && !existsSync(keyFile)) {
    const step = 'set SECRET_KEY on every replica; make one with: openssl rand -hex 32';
    if (sealed === undefined) return { file: null, step };
    return {
      file: null,
      step: 'set SECRET_KEY on every replica to the key that webhook secrets were encrypted with',
      warning:
        `webhook secrets are stored, but SECRET_KEY is not set and ${keyFile} is not there: ` +
        'without the key that they were encrypted with, no replica starts',
    };
  }

  const place = isConfigured
    ? { file: null, step: 'set SECRET_KEY on every replica to what it is here' }
    : {
        file: keyFile,
        step: `set SECRET_KEY_FILE=${keyFile} (or SECRET_KEY to what is in it) on every replica`,
      };
  if (sealed === undefined) return place;
  try {
    const key = loadSecretKey({
      configured: config.secretKey,
      databaseUrl: config.databaseUrl.reveal(),
    });
    open(key, sealed.sealed, sealed.subscription_id);
    return place;
  } catch (error) {
    return { ...place, warning: error instanceof Error ? error.message : String(error) };
  }
}
