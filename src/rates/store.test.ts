import { describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../test/support/temporary-database.ts';
import type { Db } from '../platform/database/database.ts';
import { isoDate } from '../platform/time/time.ts';
import type { RateChange } from './diff.ts';
import { insertBackfilled, insertChanges, insertSnapshot, rateSnapshots } from './store.ts';

const at = '2026-11-20T07:00:00.000Z';
const body = (version: string): string => `{"version":"${version}","rates":{}}`;

async function publish(db: Db, ...versions: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const text of versions) {
      const own = { version: isoDate(text), body: body(text), situationDate: '2026-07-01' };
      await insertSnapshot(tx, { ...own, inputDigest: 'x', at });
    }
  });
}

async function backfill(db: Db, ...versions: readonly string[]): Promise<number> {
  const snapshots = versions.map((text) => ({ version: isoDate(text), body: `old ${text}` }));
  return insertBackfilled(db, snapshots, { inputDigest: 'x', at });
}

/** Stores changes that are written `<snapshot date> <country> <field> [<detectedAt>]`. */
async function log(db: Db, ...lines: readonly string[]): Promise<void> {
  const changes = lines.map((line): RateChange => {
    const [date = '', country = '', field = '', detectedAt = at] = line.split(' ');
    const own = { id: line, snapshotDate: isoDate(date), country, field, detectedAt };
    return { ...own, old: '27', new: '25.5' };
  });
  await db.transaction().execute(async (tx) => insertChanges(tx, changes));
}

describe('the snapshots of the store', () => {
  it('are never stored twice, and raise a revision only if a backfill adds one', async () => {
    const db = await openTemporaryDatabase();
    const revision = async () => db.selectFrom('revisions').selectAll().execute();
    expect([await backfill(db), await revision()]).toEqual([0, []]);
    await publish(db, '2026-11-20');

    await expect(publish(db, '2026-11-20')).rejects.toThrow(/unique constraint/i);
    expect(await backfill(db, '2026-11-19', '2026-11-20')).toBe(1);

    expect(await rateSnapshots.findBody(db, isoDate('2026-11-20'))).toBe(body('2026-11-20'));
    expect(await revision()).toMatchObject([{ topic: 'rates', revision: 1 }]);
  });
});

describe('the change log of the store (interface 4.2, 4.3)', () => {
  it('has each field of a country once for a date', async () => {
    const db = await openTemporaryDatabase();
    await log(db, '2026-11-20 HU standard');

    await expect(log(db, '2026-11-20 HU standard again')).rejects.toThrow(/unique constraint/i);
  });
});
