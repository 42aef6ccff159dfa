import { readConfig } from '../../src/platform/config/config.ts';
import type { Config } from '../../src/platform/config/options.ts';

type SecretSettings = Pick<Config, 'databaseUrl' | 'redisUrl' | 'secretKey'>;

/** Settings whose secrets are plain texts, so that a test can use them; empty if none is set. */
export type PlainConfig = Omit<Config, keyof SecretSettings> &
  Readonly<Record<keyof SecretSettings, string>>;

/** The defaults, with plain texts for secrets. */
export function plainDefaults(): PlainConfig {
  const { config } = readConfig({}, '');
  return { ...config, databaseUrl: config.databaseUrl.reveal(), redisUrl: '', secretKey: '' };
}

/** Settings in the form that the service expects. */
export function sealConfig(plain: PlainConfig): Config {
  const environment = {
    DATABASE_URL: plain.databaseUrl,
    REDIS_URL: plain.redisUrl,
    SECRET_KEY: plain.secretKey,
  };
  const { databaseUrl, redisUrl, secretKey } = readConfig(environment, '').config;
  return { ...plain, databaseUrl, redisUrl, secretKey };
}
