import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startThread } from '../../../test/support/start-thread.ts';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../test/support/temporary-database.ts';
import type { Db } from './database.ts';
import { bumpRevision } from './revisions.ts';
import { createSqliteDialect } from './sqlite.ts';

type Numbers = { numbers: { value: number } };

async function openNumbers(): Promise<Kysely<Numbers>> {
  const file = temporaryDatabaseUrl({ isEmpty: true }).slice('file:'.length);
  const db = new Kysely<Numbers>({ dialect: createSqliteDialect(file) });
  onTestFinished(async () => db.destroy());
  await sql`create table numbers (value integer primary key)`.execute(db);
  return db;
}

async function pragma(db: Db, name: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db);
  return rows[0]?.[name];
}

describe('createSqliteDialect', () => {
  it('refuses a database that cannot use WAL, and names the expected file system', () => {
    expect(() => createSqliteDialect(':memory:')).toThrow(
      'database: :memory: cannot be used safely (journal_mode memory, synchronous 2); ' +
        'expected a local file system with WAL',
    );
  });

  it('returns rows of a query, and the count of changed rows of any other statement', async () => {
    const db = await openNumbers();

    const inserted = await db.insertInto('numbers').values({ value: 1 }).executeTakeFirst();
    const returned = await db.deleteFrom('numbers').returning('value').execute();

    expect(inserted.numInsertedOrUpdatedRows).toBe(1n);
    expect(returned).toEqual([{ value: 1 }]);
  });

  it('prepares a repeated statement once, also after many others', async () => {
    const db = await openNumbers();
    for (let value = 0; value < 600; value += 1) {
      await sql`select ${sql.lit(value)}`.execute(db);
    }
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
    onTestFinished(() => prepare.mockRestore());

    await sql`select 'now'`.execute(db);
    await sql`select 'now'`.execute(db);

    expect(prepare).toHaveBeenCalledTimes(1);
  });
});

describe('openDatabase, of a file', () => {
  it('uses WAL and flushes each commit to the disk', async () => {
    const db = await openTemporaryDatabase(temporaryDatabaseUrl({ isEmpty: true }));

    expect(await pragma(db, 'journal_mode')).toBe('wal');
    expect(await pragma(db, 'synchronous')).toBe(2);
  });

  it('waits for another process that creates the same file', async () => {
    const url = temporaryDatabaseUrl({ isEmpty: true });
    const other = new DatabaseSync(url.slice('file:'.length));
    onTestFinished(() => other.close());
    other.exec('create table first (x)');
    other.exec('begin immediate');

    const thread = startThread(
      `
        const { DatabaseSync } = await import('node:sqlite');
        const { openDatabase } = await import(data.module);
        const { exec } = DatabaseSync.prototype;
        DatabaseSync.prototype.exec = function (statement) {
          try {
            exec.call(this, statement);
          } catch (error) {
            tell('locked');
            throw error;
          }
        };
        await (await openDatabase(data.url)).destroy();
        tell('opened');
      `,
      { url, module: import.meta.resolve('./database.ts') },
    );
    let heard = await thread.hear();
    expect(heard).toBe('locked');
    other.exec('commit');
    while (heard === 'locked') heard = await thread.hear();

    expect(heard).toBe('opened');
  });
});

describe('a transaction on SQLite', () => {
  it('takes the write lock when it begins, so no other write comes between its read and its write', async () => {
    const url = temporaryDatabaseUrl();
    const [one, other] = [await openTemporaryDatabase(url), await openTemporaryDatabase(url)];
    const order: string[] = [];
    let second: Promise<void> | undefined;

    await one.transaction().execute(async (tx) => {
      await tx.selectFrom('revisions').selectAll().execute();
      second = other.transaction().execute(async (begun) => {
        order.push('second begins');
        await bumpRevision(begun, 'fx');
      });
      // Several times the pause of the second between two tries.
      await sleep(50);
      await bumpRevision(tx, 'rates');
      order.push('first ends');
    });
    await second;

    expect(order).toEqual(['first ends', 'second begins']);
    expect(await other.selectFrom('revisions').select('topic').orderBy('topic').execute()).toEqual([
      { topic: 'fx' },
      { topic: 'rates' },
    ]);
  });

  it('does not block its process while it waits for a transaction of another process', async () => {
    const url = temporaryDatabaseUrl();
    const db = await openTemporaryDatabase(url);
    const other = new DatabaseSync(url.slice('file:'.length));
    onTestFinished(() => other.close());
    other.exec('begin immediate');

    let hasBegun = false;
    const waiting = db.transaction().execute(async (tx) => {
      hasBegun = true;
      await bumpRevision(tx, 'fx');
    });
    // This line runs only if the process is not blocked.
    await sleep(50);
    expect(hasBegun).toBe(false);
    other.exec('commit');
    await waiting;

    expect(await db.selectFrom('revisions').selectAll().execute()).toMatchObject([
      { topic: 'fx', revision: 1 },
    ]);
  });

  it('waits a shorter time after one has timed out, and the full time after one has begun', async () => {
    const url = temporaryDatabaseUrl();
    const db = await openTemporaryDatabase(url);
    const other = new DatabaseSync(url.slice('file:'.length));
    onTestFinished(() => other.close());
    const write = async (): Promise<unknown> =>
      db.transaction().execute(async (tx) => bumpRevision(tx, 'fx'));
    const timeFailure = async (): Promise<number> => {
      const startedMs = performance.now();
      await expect(write()).rejects.toThrow('database is locked');
      return performance.now() - startedMs;
    };
    other.exec('begin immediate');

    const firstMs = await timeFailure();
    const nextMs = await timeFailure();
    other.exec('commit');
    await write();
    other.exec('begin immediate');
    const afterwards = write();
    const isStillWaiting = await Promise.race([afterwards, sleep(2 * nextMs, 'waiting')]);
    other.exec('commit');
    await afterwards;

    expect(nextMs).toBeLessThan(firstMs / 2);
    expect(isStillWaiting).toBe('waiting');
  });
});
