import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startThread } from '../../../test/support/start-thread.ts';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
  temporaryFolder,
} from '../../../test/support/temporary-database.ts';
import { connectDatabase, type Db, openDatabase } from './database.ts';
import { bumpRevision } from './revisions.ts';

async function pragma(db: Db, name: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db);
  return rows[0]?.[name];
}

function fileWith(text: string): string {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, text);
  return file;
}

describe('openDatabase', () => {
  it('makes the file and the folders above it', async () => {
    const file = join(temporaryFolder(), 'a', 'b', 'vatfx.db');

    await openTemporaryDatabase(`file:${file}`);

    expect(existsSync(file)).toBe(true);
  });

  it('takes a path relative to the working directory', async () => {
    const home = process.cwd();
    onTestFinished(() => process.chdir(home));
    const folder = temporaryFolder();
    process.chdir(folder);

    await openTemporaryDatabase('file:./data/vatfx.db');

    expect(existsSync(join(folder, 'data', 'vatfx.db'))).toBe(true);
  });

  it('writes ahead and flushes each commit to the disk', async () => {
    const db = await openTemporaryDatabase();

    expect(await pragma(db, 'journal_mode')).toBe('wal');
    expect(await pragma(db, 'synchronous')).toBe(2);
  });

  it('waits for another process that is making the same file', async () => {
    const url = temporaryDatabaseUrl();
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

  it.each([
    ['is a folder', temporaryFolder],
    ['is not a database', () => fileWith('x'.repeat(1_000))],
  ])('refuses what %s', async (_, make) => {
    await expect(openDatabase(`file:${make()}`)).rejects.toThrow(/cannot be opened|not a database/);
  });

  it('keeps what was committed when it is opened again', async () => {
    const url = temporaryDatabaseUrl();
    const first = await openDatabase(url);
    await first.transaction().execute(async (tx) => bumpRevision(tx, 'fx'));
    await first.destroy();

    const again = await openTemporaryDatabase(url);

    expect(await again.selectFrom('revisions').selectAll().execute()).toEqual([
      { topic: 'fx', revision: 1 },
    ]);
  });
});

describe('a transaction', () => {
  it('leaves nothing behind when it fails', async () => {
    const db = await openTemporaryDatabase();

    const failing = db.transaction().execute(async (tx) => {
      await bumpRevision(tx, 'fx');
      throw new Error('halfway');
    });

    await expect(failing).rejects.toThrow('halfway');
    expect(await db.selectFrom('revisions').selectAll().execute()).toEqual([]);
  });

  it('takes the write lock when it begins, so a read in it is not outdated by its write', async () => {
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
      // Several times as long as the second pauses between two tries.
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

  it('lets the process go on while it waits for one of another process', async () => {
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
    // Only a process that goes on gets here, and lets the other one end.
    await sleep(50);
    expect(hasBegun).toBe(false);
    other.exec('commit');
    await waiting;

    expect(await db.selectFrom('revisions').selectAll().execute()).toEqual([
      { topic: 'fx', revision: 1 },
    ]);
  });

  it('is not seen by readers before it is committed, and does not hold them up', async () => {
    const url = temporaryDatabaseUrl();
    const [writer, reader] = [await openTemporaryDatabase(url), await openTemporaryDatabase(url)];
    const seen = async () => reader.selectFrom('revisions').select('topic').execute();

    await writer.transaction().execute(async (tx) => {
      await bumpRevision(tx, 'rates');
      expect(await seen()).toEqual([]);
    });

    expect(await seen()).toEqual([{ topic: 'rates' }]);
  });
});

describe('connectDatabase', () => {
  it('opens a database as it is, without making tables', async () => {
    const db = connectDatabase(temporaryDatabaseUrl());
    onTestFinished(async () => db.destroy());

    const { rows } = await sql`select name from sqlite_master`.execute(db);

    expect(rows).toEqual([]);
  });
});
