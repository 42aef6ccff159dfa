import { describe, expect, it, onTestFinished } from 'vitest';
import { tableNames } from '../../../test/support/table-names.ts';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../test/support/temporary-database.ts';
import { connectDatabase, openDatabase } from './database.ts';
import { bumpRevision } from './revisions.ts';

describe('openDatabase', () => {
  it('keeps committed rows when the database is opened again', async () => {
    const url = temporaryDatabaseUrl();
    const first = await openDatabase(url);
    await first.transaction().execute(async (tx) => bumpRevision(tx, 'fx'));
    await first.destroy();

    const again = await openTemporaryDatabase(url);

    expect(await again.selectFrom('revisions').selectAll().execute()).toMatchObject([
      { topic: 'fx', revision: 1 },
    ]);
  });
});

describe('a transaction', () => {
  it('leaves no rows behind if it fails', async () => {
    const db = await openTemporaryDatabase();

    const failing = db.transaction().execute(async (tx) => {
      await bumpRevision(tx, 'fx');
      throw new Error('halfway');
    });

    await expect(failing).rejects.toThrow('halfway');
    expect(await db.selectFrom('revisions').selectAll().execute()).toEqual([]);
  });

  it('does not show its rows to readers before it is committed, and does not block them', async () => {
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
  it('opens a database without making tables', async () => {
    const db = connectDatabase(temporaryDatabaseUrl({ isEmpty: true }));
    onTestFinished(async () => db.destroy());

    expect(await tableNames(db)).toEqual([]);
  });
});
