import { afterEach, describe, expect, it } from 'vitest';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../test/support/temporary-database.ts';
import { type IsoDate, isoDate } from '../time.ts';
import { SyncReader } from './sync-reader.ts';

const friday = isoDate('2026-11-20');
const snapshot = { date: friday, body: '{}', stored_at: '2026-11-20T15:00:00.000Z' };

describe.skipIf(isPostgresql)('SyncReader', () => {
  let reads: SyncReader | undefined;
  afterEach(() => reads?.close());

  async function open() {
    const url = temporaryDatabaseUrl();
    const db = await openTemporaryDatabase(url);
    reads = SyncReader.open(url);
    const find = reads?.prepare(
      db
        .selectFrom('fx_snapshots')
        .select('date')
        .where('date', '=', '' as IsoDate),
    );
    return { db, find };
  }

  it('returns a row synchronously, and undefined if there is none', async () => {
    const { db, find } = await open();
    await db.insertInto('fx_snapshots').values(snapshot).execute();

    expect(find?.(friday)).toEqual({ date: friday });
    expect(find?.('2026-11-21')).toBeUndefined();
  });

  it('does not see rows that are not committed', async () => {
    const { db, find } = await open();

    await db.transaction().execute(async (tx) => {
      await tx.insertInto('fx_snapshots').values(snapshot).execute();
      expect(find?.(friday)).toBeUndefined();
    });

    expect(find?.(friday)).toEqual({ date: friday });
  });
});

describe('SyncReader.open', () => {
  it('is undefined for PostgreSQL, which cannot be read synchronously', () => {
    expect(SyncReader.open('postgres://vatfx@127.0.0.1/vatfx')).toBeUndefined();
  });
});
