import { expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../test/support/temporary-database.ts';
import { isoDate } from '../platform/time/time.ts';
import type { CurrencyCode, FxSnapshot } from './snapshot.ts';
import { ecb } from './ecb/ecb.ts';
import { insertSnapshots, listWithPredecessor } from './store.ts';

const at = '2026-11-20T15:03:00.000Z';
const day = (date: string, usd = '1.1'): FxSnapshot => ({
  date: isoDate(date),
  rates: new Map([['USD' as CurrencyCode, usd]]),
});

/** A store with publications of 18, 19, 20 and 23 November. */
async function openStore() {
  const db = await openTemporaryDatabase();
  const store = async (...snapshots: readonly FxSnapshot[]): Promise<void> =>
    db
      .transaction()
      .execute(async (tx) => insertSnapshots(tx, ecb, { publications: snapshots, at }));
  await store(...['23', '18', '19', '20'].map((own) => day(`2026-11-${own}`)));
  const usdOf = async (date: string) =>
    /"USD":([^}]*)/.exec((await ecb.snapshots.findBody(db, isoDate(date))) ?? '')?.[1];
  return { db, store, usdOf };
}

it('a publication is never stored twice, and replaced alone (contract C20)', async () => {
  const { db, store, usdOf } = await openStore();

  await expect(store(day('2026-11-17'), day('2026-11-20', '9'))).rejects.toThrow(
    /unique constraint/i,
  );
  expect([await usdOf('2026-11-17'), await usdOf('2026-11-20')]).toEqual([undefined, '1.1']);

  const replaced = day('2026-11-19', '1.2');
  await db
    .transaction()
    .execute(async (tx) => ecb.snapshots.replaceBody(tx, replaced.date, ecb.print(replaced)));
  expect([await usdOf('2026-11-19'), await usdOf('2026-11-20')]).toEqual(['1.2', '1.1']);
});

it('publications are listed from a date on with the one before', async () => {
  const { db } = await openStore();
  const from = async (date: string) =>
    (await listWithPredecessor(db, ecb, isoDate(date))).map((one) => one.date.slice(-2)).join(' ');

  expect(await from('2026-11-20')).toBe('19 20 23');
  expect(await from('2026-11-21')).toBe('20 23');
  expect(await from('2026-11-18')).toBe('18 19 20 23');
  expect(await from('2026-12-01')).toBe('23');
});
