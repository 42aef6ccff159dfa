import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../../test/support/temporary-database.ts';
import type { Db } from '../database.ts';
import { bumpRevision } from '../replicas/revisions.ts';
import { createSqliteDialect } from './sqlite.ts';

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
});

describe('openDatabase, of a file', () => {
  it('uses WAL and flushes each commit to the disk', async () => {
    const db = await openTemporaryDatabase(temporaryDatabaseUrl({ isEmpty: true }));

    expect(await pragma(db, 'journal_mode')).toBe('wal');
    expect(await pragma(db, 'synchronous')).toBe(2);
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
});
