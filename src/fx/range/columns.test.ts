import { describe, expect, it } from 'vitest';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import { isoDate } from '../../platform/time/time.ts';
import { listCurrencies, readColumns, repairColumns, storeColumns, yearsOf } from './columns.ts';
import { ecb } from '../ecb/ecb.ts';
import { storePublications } from '../publishing/publish.ts';
import { printRange, selectRange } from './range.ts';
import type { CurrencyCode, FxSnapshot } from '../snapshot.ts';
import { insertSnapshots } from '../store.ts';

const at = '2026-11-20T15:03:00.000Z';

function day(date: string, rates: Readonly<Record<string, string>>): FxSnapshot {
  return { date: isoDate(date), rates: new Map(Object.entries(rates) as [CurrencyCode, string][]) };
}

async function publish(db: Db, ...snapshots: readonly FxSnapshot[]): Promise<void> {
  await db.transaction().execute(async (tx) => storePublications(tx, ecb, { snapshots, at }));
}

/** Stores days like an earlier version, without columns. */
async function insertBodies(db: Db, ...snapshots: readonly FxSnapshot[]): Promise<void> {
  await db
    .transaction()
    .execute(async (tx) => insertSnapshots(tx, ecb, { publications: snapshots, at }));
}

async function readRange(db: Db, from: string, to: string, ...codes: string[]): Promise<string> {
  const range = { from: isoDate(from), to: isoDate(to), currencies: codes as CurrencyCode[] };
  return printRange(selectRange(await readColumns(db, range), range), range);
}

async function readRevision(db: Db): Promise<number | undefined> {
  const rows = await db.selectFrom('revisions').selectAll().execute();
  return rows.find(({ topic }) => topic === 'fx')?.revision;
}

const turn = [
  day('2025-12-30', { BGN: '1.9558', USD: '1.10' }),
  day('2025-12-31', { BGN: '1.9558', USD: '1.2000000000000001' }),
  day('2026-01-02', { USD: '1912400', XTS: '0.000000123' }),
  day('2026-01-05', { USD: '1.4' }),
];

describe('the columns of exchange rates', () => {
  it('have each decimal as it was published, and null for a missing value (contract C11)', async () => {
    const db = await openTemporaryDatabase();
    await publish(db, ...turn);

    expect(await readRange(db, '2025-01-01', '2026-12-31', 'USD', 'BGN', 'XTS')).toBe(
      '{"base":"EUR","from":"2025-01-01","to":"2026-12-31",' +
        '"dates":["2025-12-30","2025-12-31","2026-01-02","2026-01-05"],"rates":{' +
        '"USD":[1.10,1.2000000000000001,1912400,1.4],"BGN":[1.9558,1.9558,null,null],' +
        '"XTS":[null,null,0.000000123,null]}}',
    );
  });

  it('have no value of a currency that a correction removes from its only publication', async () => {
    const db = await openTemporaryDatabase();
    await publish(db, ...turn);

    await db.transaction().execute(async (tx) => {
      const replaced = day('2026-01-02', { USD: '1.3' });
      await ecb.snapshots.replaceBody(tx, replaced.date, ecb.print(replaced));
      await storeColumns(tx, yearsOf([isoDate('2026-01-02')]));
    });

    expect(await readRange(db, '2026-01-01', '2026-12-31', 'USD', 'XTS')).toContain(
      '"USD":[1.3,1.4],"XTS":[null,null]',
    );
    expect((await listCurrencies(db)).toSorted()).toEqual(['BGN', 'USD']);
  });

  it('include days that two processes publish for one year at the same time', async () => {
    const url = temporaryDatabaseUrl();
    const [one, other] = [await openTemporaryDatabase(url), await openTemporaryDatabase(url)];

    await Promise.all([
      publish(one, day('2026-01-05', { USD: '1.1' })),
      publish(other, day('2026-01-06', { USD: '1.2' })),
    ]);

    expect(await readRange(one, '2026-01-01', '2026-12-31', 'USD')).toContain('"USD":[1.1,1.2]');
  });
});

describe('repairColumns', () => {
  it('adds what an earlier version wrote, whole years and single days, and raises a revision', async () => {
    const db = await openTemporaryDatabase();
    await insertBodies(db, ...turn.slice(0, 2));
    await publish(db, ...turn.slice(2));
    await insertBodies(db, day('2026-01-06', { USD: '1.5' }));

    await repairColumns(db);

    expect(await readRange(db, '2025-01-01', '2026-12-31', 'USD')).toContain(
      '"USD":[1.10,1.2000000000000001,1912400,1.4,1.5]',
    );
    expect(await readRevision(db)).toBe(2);
  });
});
