import { describe, expect, it } from 'vitest';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../test/support/temporary-database.ts';
import { bumpRevision } from './revisions.ts';

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
