import { join } from 'node:path';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { connectDatabase, type Db } from '../../../src/platform/database/database.ts';
import { addDays, isoDate } from '../../../src/platform/time/time.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { temporaryFolder } from '../../support/temporary-database.ts';
import { MovableClock } from './movable-clock.ts';
import { type Environment, type Finished, runVatfx, runVatfxForJson } from './run-vatfx.ts';
import { startServe, type ServeProcess } from './serve-process.ts';

/** Working days of the ECB that follow each other. */
export const days = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'] as const;

/** An installation that an earlier release and the present program work on, in turn or at the same time. */
export class UpgradeWorld {
  readonly clock: MovableClock;
  readonly sandbox: Sandbox;
  /** The settings of all processes. */
  readonly env: Environment;
  readonly #earlier: string;

  /** `earlier` is the path of the earlier program; `settings` may have another database than a new file. */
  static async start(earlier: string, settings: Environment = {}): Promise<UpgradeWorld> {
    const clock = new MovableClock(momentOf(days[0]));
    const historyFrom = addDays(isoDate(days[0]), -20);
    const sandbox = await startSandbox({ brief: true, historyFrom, clock });
    onTestFinished(async () => sandbox.close());
    const env = {
      DATABASE_URL: `file:${join(temporaryFolder(), 'vatfx.db')}`,
      PORT: '0',
      OPS_PORT: '0',
      JOBS: 'off',
      FX_BANKS: 'nbp,cnb',
      WEBHOOK_ALLOW_HTTP: 'on',
      WEBHOOK_ALLOW_PORTS: new URL(sandbox.url).port,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
      WEBHOOK_RETRY_SCHEDULE: '0,3600,3600',
      ...sandbox.environment,
      ...clock.env,
      ...settings,
    };
    return new UpgradeWorld({ clock, sandbox, env, earlier });
  }

  private constructor(parts: {
    readonly clock: MovableClock;
    readonly sandbox: Sandbox;
    readonly env: Environment;
    readonly earlier: string;
  }) {
    this.clock = parts.clock;
    this.sandbox = parts.sandbox;
    this.env = parts.env;
    this.#earlier = parts.earlier;
  }

  /** Moves all processes and the upstreams to the time of a day at which both data sets of it are published. */
  moveTo(day: string): void {
    this.clock.set(momentOf(day));
  }

  async runEarlier(args: readonly string[], extra: Environment = {}): Promise<Finished> {
    return runVatfx(args, { ...this.env, ...extra }, { program: this.#earlier });
  }

  /** Runs a command of the earlier program and reads its document; throws unless the exit code is 0. */
  async readEarlier<T>(args: readonly string[]): Promise<T> {
    return runVatfxForJson(args, this.env, { program: this.#earlier });
  }

  async serveEarlier(extra: Environment = {}): Promise<ServeProcess> {
    return startServe({ ...this.env, ...extra }, { program: this.#earlier });
  }

  async run(args: readonly string[], extra: Environment = {}): Promise<Finished> {
    return runVatfx(args, { ...this.env, ...extra });
  }

  /** Runs a command of the present program and reads its document; throws unless the exit code is 0. */
  async read<T>(args: readonly string[]): Promise<T> {
    return runVatfxForJson(args, this.env);
  }

  async serve(extra: Environment = {}): Promise<ServeProcess> {
    return startServe({ ...this.env, ...extra });
  }

  /** A connection of the test's own, which migrates nothing. */
  connect(): Db {
    const db = connectDatabase(this.env['DATABASE_URL'] ?? '');
    onTestFinished(async () => db.destroy());
    return db;
  }
}

function momentOf(day: string): string {
  return `${day}T16:30:00Z`;
}

/** Reads all rows of a table as text, in an order of their own. */
export async function readRows(db: Db, table: string): Promise<readonly string[]> {
  const { rows } = await sql`select * from ${sql.table(table)}`.execute(db);
  return rows.map((row) => JSON.stringify(row)).toSorted();
}
