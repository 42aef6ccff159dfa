import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createKey as storeKey } from '../../../src/access/authentication/key-changes.ts';
import { type Db, openDatabase } from '../../../src/platform/database/database.ts';
import { addDays, dateIn, type IsoDate, isoDate } from '../../../src/platform/time/time.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { findFreePort } from '../../support/server-process.ts';
import type { Environment } from './run-vatfx.ts';
import { startServe, type ServeProcess } from './serve-process.ts';
import { makeSchema, type SharedEngines } from './shared-engines.ts';
import { making } from '../../support/making.ts';

/** A key: the text for the caller and the id for the operator. */
export type KnownKey = { readonly id: string; readonly key: string };

/** Processes on one PostgreSQL and one Redis, with simulated upstreams in real time. */
export class ReplicaSet {
  readonly sandbox: Sandbox;
  readonly env: Environment;
  /** A connection of the test's own. */
  readonly db: Db;
  /** The date in Brussels, for which the rates are. */
  readonly today: IsoDate;

  static async make(engines: SharedEngines, extra: Environment = {}): Promise<ReplicaSet> {
    const today = isoDate(dateIn('Europe/Brussels', Date.now()));
    const sandbox = await startSandbox({ brief: true, historyFrom: addDays(today, -120) });
    onTestFinished(async () => sandbox.close());
    const url = makeSchema(engines.postgresql);
    const db = await openDatabase(url, making);
    onTestFinished(async () => db.destroy());
    const env = {
      DATABASE_URL: url,
      REDIS_URL: engines.redis.url,
      SECRET_KEY: randomBytes(32).toString('hex'),
      ...sandbox.environment,
      FAILED_AUTH_PER_MINUTE: 'none',
      WEBHOOK_ALLOW_HTTP: 'on',
      WEBHOOK_ALLOW_PORTS: new URL(sandbox.url).port,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
      ...extra,
    };
    return new ReplicaSet({ sandbox, env, db, today });
  }

  private constructor(parts: Pick<ReplicaSet, 'sandbox' | 'env' | 'db' | 'today'>) {
    this.sandbox = parts.sandbox;
    this.env = parts.env;
    this.db = parts.db;
    this.today = parts.today;
  }

  /** A key without limits by default. */
  async createKey(db: Db = this.db): Promise<KnownKey> {
    const limits = { rateLimit: 'none', quota: 'none' } as const;
    const at = new Date().toISOString();
    return storeKey(db, { name: 'test', ...limits, at });
  }

  /** Starts a replica, by default on free ports. */
  async serve(extra: Environment = {}): Promise<ServeProcess> {
    const ports = { PORT: '0', OPS_PORT: '0' };
    return startServe({ ...this.env, ...ports, ...extra });
  }

  /** The settings of a replica that has the same ports after a restart. */
  async place(): Promise<Environment> {
    return { PORT: String(await findFreePort()), OPS_PORT: String(await findFreePort()) };
  }
}
