import { describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import { listCorrections, syncCorrections } from '../../platform/publication/correction-store.ts';
import { isoDate } from '../../platform/time/time.ts';
import { correctPublication } from './corrections.ts';
import type { CurrencyCode } from '../snapshot.ts';
import { ecb } from '../ecb/ecb.ts';
import { insertSnapshots } from '../store.ts';

const [date, later] = [isoDate('2025-10-23'), isoDate('2025-10-24')];
const at = '2025-10-27T15:01:00.000Z';
const nok = {
  kind: 'fx',
  version: date,
  field: 'NOK',
  stored: '11.8529',
  upstream: '11.5829',
} as const;

/** Two stored days with two currencies, of which the upstream now has another value for one. */
async function openCorrected(): Promise<Db> {
  const db = await openTemporaryDatabase();
  const rates = new Map([
    ['NOK' as CurrencyCode, '11.8529'],
    ['RUB' as CurrencyCode, '90'],
  ]);
  const gone = { ...nok, field: 'RUB', stored: '90', upstream: null };
  const added = { ...nok, field: 'ISK', stored: null, upstream: '143.2' };
  await db.transaction().execute(async (tx) => {
    const versions = [date, later];
    const publications = versions.map((version) => ({ date: version, rates }));
    await insertSnapshots(tx, ecb, { publications, at });
    const ofLater = { ...nok, version: later };
    await syncCorrections(tx, { kind: 'fx', versions, at }, [nok, gone, added, ofLater]);
  });
  return db;
}

describe('correctPublication (contract C20)', () => {
  it('publishes the upstream’s value, and keeps every other value', async () => {
    const db = await openCorrected();

    const applied = await correctPublication(db, ecb, { date, at });

    expect(applied.map(({ field }) => field)).toEqual(['ISK', 'NOK', 'RUB']);
    expect(await ecb.snapshots.findBody(db, date)).toBe(
      '{"date":"2025-10-23","base":"EUR","rates":{"ISK":143.2,"NOK":11.5829}}',
    );
    expect(await listCorrections(db)).toMatchObject([{ version: later, field: 'NOK' }]);
  });

  it('changes nothing without an open correction of the date', async () => {
    const db = await openCorrected();

    for (const other of ['2025-10-22', '2025-10-25']) {
      expect(await correctPublication(db, ecb, { date: isoDate(other), at })).toEqual([]);
    }
    await correctPublication(db, ecb, { date, at });
    expect(await correctPublication(db, ecb, { date, at })).toEqual([]);

    expect(await db.selectFrom('audit').selectAll().execute()).toHaveLength(1);
  });
});
