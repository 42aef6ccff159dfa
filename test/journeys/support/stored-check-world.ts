import { onTestFinished } from 'vitest';
import { createKey } from '../../../src/access/authentication/key-changes.ts';
import { type Db, openDatabase } from '../../../src/platform/database/database.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts';
import type { PrintedCheck } from '../../../src/vat-check/stored/print-check.ts';
import { brokenEnvironment } from '../../support/broken-environment.ts';
import { databaseSettings, temporaryDatabaseUrl } from '../../support/temporary-database.ts';
import { registerTraders } from '../../support/sandbox/scripts.ts';
import type { Environment } from './run-vatfx.ts';
import { type ServeProcess, startServe } from './serve-process.ts';

/** A registry whose even numbers are registered, and servers that check them, in the machine's time. */
export class StoredCheckWorld {
  readonly sandbox: Sandbox;
  readonly db: Db;
  readonly key: string;
  readonly keyId: string;
  readonly #env: Environment;

  static async start(count: number, extra: Environment = {}): Promise<StoredCheckWorld> {
    const sandbox = await startSandbox({ brief: true });
    onTestFinished(async () => sandbox.close());
    const numbers = Array.from({ length: count }, (_, n) => numberOf(n));
    const registered = numbers.filter((_, n) => n % 2 === 0);
    registerTraders(
      sandbox.scenario,
      ...registered.map((number) => ({ country: 'DE', number, name: 'X', address: 'Y' })),
    );
    const settings = databaseSettings(temporaryDatabaseUrl());
    const db = await openDatabase(settings['DATABASE_URL'] ?? '');
    onTestFinished(async () => db.destroy());
    const limits = { rateLimit: 'none', quota: 'none' } as const;
    const at = new Date().toISOString();
    const { id, key } = await createKey(db, { name: 'test', ...limits, at });
    const env = {
      ...settings,
      PORT: '0',
      OPS_PORT: '0',
      TEDB_URL: sandbox.settings.tedbUrl,
      ECB_URL: sandbox.settings.ecbUrl,
      VIES_URL: sandbox.settings.viesUrl,
      VIES_TIMEOUT_MS: '2000',
      VIES_BACKGROUND_PER_SECOND: '50',
      WEBHOOK_ALLOW_HTTP: 'on',
      WEBHOOK_ALLOW_PORTS: new URL(sandbox.url).port,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
      ...brokenEnvironment('short minutes of checks'),
      ...extra,
    };
    return new StoredCheckWorld({ sandbox, db, key, keyId: id, env });
  }

  private constructor(parts: {
    readonly sandbox: Sandbox;
    readonly db: Db;
    readonly key: string;
    readonly keyId: string;
    readonly env: Environment;
  }) {
    this.sandbox = parts.sandbox;
    this.db = parts.db;
    this.key = parts.key;
    this.keyId = parts.keyId;
    this.#env = parts.env;
  }

  get databaseUrl(): string {
    return this.#env['DATABASE_URL'] ?? '';
  }

  async serve(extra: Environment = {}): Promise<ServeProcess> {
    return startServe({ ...this.#env, ...extra });
  }

  /** Creates the check of a number; throws unless it is stored. */
  async post({ apiUrl }: ServeProcess, n: number, own: object = {}): Promise<PrintedCheck> {
    const response = await fetch(`${apiUrl}/vatchecks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}` },
      body: JSON.stringify({ countryCode: 'DE', vatNumber: numberOf(n), ...own }),
    });
    const text = await response.text();
    if (response.status !== 201 && response.status !== 202) throw new Error(text);
    return JSON.parse(text) as PrintedCheck;
  }

  /** All checks of the key, over the API. */
  async list({ apiUrl }: ServeProcess): Promise<readonly PrintedCheck[]> {
    const response = await fetch(`${apiUrl}/vatchecks?limit=500`, {
      headers: { authorization: `Bearer ${this.key}` },
    });
    return ((await response.json()) as { readonly checks: readonly PrintedCheck[] }).checks;
  }

  async countPending(): Promise<number> {
    const rows = await this.db
      .selectFrom('vat_checks')
      .select('id')
      .where('status', '=', 'pending')
      .execute();
    return rows.length;
  }
}

/** The number of a check; even ones are registered. */
export function numberOf(n: number): string {
  return String(100_000_000 + n);
}

/** Whether the registry has a number. */
export function isRegistered(number: string): boolean {
  return Number(number) % 2 === 0;
}
