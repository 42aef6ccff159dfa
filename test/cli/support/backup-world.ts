import { join } from 'node:path';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { type Db, openDatabase } from '../../../src/platform/database/database.ts';
import { addDays, isoDate } from '../../../src/platform/time/time.ts';
import { temporaryFolder } from '../../support/temporary-database.ts';
import { making } from '../../support/making.ts';

const at = '2026-01-01T00:00:00.000Z';
const firstDay = isoDate('2020-01-01');

/** An embedded database. Between `start` and `stop` it publishes one day after the other without a pause. */
export class BusyDatabase {
  readonly file: string;
  readonly url: string;
  readonly #db: Db;
  #days = 0;
  #isStopped = false;
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string, db: Db) {
    this.file = file;
    this.url = `file:${file}`;
    this.#db = db;
  }

  static async open(): Promise<BusyDatabase> {
    const file = join(temporaryFolder(), 'vatfx.db');
    const db = await openDatabase(`file:${file}`, making);
    const database = new BusyDatabase(file, db);
    onTestFinished(async () => {
      await database.stop();
      await db.destroy();
    });
    return database;
  }

  /** Days that were published so far. */
  get days(): number {
    return this.#days;
  }

  start(): void {
    this.#isStopped = false;
    this.#writing = this.#write();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#writing;
  }

  /** Publishes a day in one transaction: rates, two changes and exchange rates. */
  async publish(): Promise<void> {
    const day = addDays(firstDay, this.#days);
    const body = JSON.stringify({ date: day, rates: `${'x'.repeat(500)}${this.#days}` });
    await this.#db.transaction().execute(async (tx) => {
      const snapshot = { version: day, origin: 'job' as const, body, situation_date: day };
      await tx
        .insertInto('rate_snapshots')
        .values({ ...snapshot, input_digest: 'd', stored_at: at })
        .execute();
      const change = { snapshot_date: day, country: 'HU', old: '25', new: '27', detected_at: at };
      const fields = ['standard', 'reduced[0]'];
      const rows = fields.map((field) => ({ id: `chg_${day}_${field}`, field, ...change }));
      await tx.insertInto('rate_changes').values(rows).execute();
      await tx.insertInto('fx_snapshots').values({ date: day, body, stored_at: at }).execute();
    });
    this.#days += 1;
  }

  /** Copies the first days by `vacuum into`, independently of the tested code. */
  async copyFirstDays(days: number): Promise<Db> {
    const file = join(temporaryFolder(), 'cut.db');
    await sql`vacuum into ${file}`.execute(this.#db);
    const cut = await openDatabase(`file:${file}`);
    const end = addDays(firstDay, days);
    await cut.deleteFrom('rate_snapshots').where('version', '>=', end).execute();
    await cut.deleteFrom('rate_changes').where('snapshot_date', '>=', end).execute();
    await cut.deleteFrom('fx_snapshots').where('date', '>=', end).execute();
    return cut;
  }

  async #write(): Promise<void> {
    while (!this.#isStopped) {
      await this.publish();
      // Lets other code of the test run.
      await new Promise(setImmediate);
    }
  }
}
