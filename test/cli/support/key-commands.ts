import { type Db } from '../../../src/platform/database/database.ts';
import { runForJson, type Environment } from '../../support/run-cli.ts';
import type { TestService } from '../../support/start-service.ts';
import {
  databaseSettings,
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../support/temporary-database.ts';

/** Report of `keys create --json`. */
export type CreatedKey = {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly rateLimit: number | string;
  readonly quota: number | string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
};

/** An empty database, and the settings of a command that works on it. */
export async function openKeyDatabase(): Promise<{ readonly db: Db; readonly env: Environment }> {
  const url = temporaryDatabaseUrl();
  return { db: await openTemporaryDatabase(url), env: databaseSettings(url) };
}

/** The settings of a command beside a running service. */
export function settingsBeside({ config }: TestService): Environment {
  return databaseSettings(config.databaseUrl);
}

/** Creates a key by command. */
export async function createByCommand(
  env: Environment,
  ...options: readonly string[]
): Promise<CreatedKey> {
  return runForJson<CreatedKey>(['keys', 'create', '--name', 'N', ...options], env);
}

/** Status of `/rates` for a key. 404 means that the key is accepted and nothing is published. */
export async function requestStatus(service: TestService, key: string): Promise<number> {
  return (await service.get('/rates', { authorization: `Bearer ${key}` })).status;
}

/** Reads all rows about keys, to compare them before and after a command. */
export async function readStored(db: Db): Promise<unknown> {
  return {
    keys: await db.selectFrom('api_keys').selectAll().orderBy('id').execute(),
    secrets: await db.selectFrom('key_secrets').selectAll().orderBy('secret_hash').execute(),
    audit: await db.selectFrom('audit').selectAll().execute(),
  };
}
