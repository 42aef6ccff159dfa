import { describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../test/support/temporary-database.ts';
import type { Db } from '../platform/database/database.ts';
import { addDays, isoDate } from '../platform/time.ts';
import type { CurrencyCode, FxSnapshot } from './snapshot.ts';
import {
  findLatest,
  fxSnapshots,
  insertSnapshots,
  listWithPredecessor,
  replaceSnapshot,
} from './store.ts';

const at = '2026-11-20T15:03:00.000Z';
const day = (date: string, usd = '1.1'): FxSnapshot => ({
  date: isoDate(date),
  rates: new Map([['USD' as CurrencyCode, usd]]),
});
const body = (date: string, usd = '1.1'): string =>
  `{"date":"${date}","base":"EUR","rates":{"USD":${usd}}}`;

async function store(db: Db, ...snapshots: readonly FxSnapshot[]): Promise<void> {
  await db.transaction().execute(async (tx) => insertSnapshots(tx, snapshots, at));
}

describe('the publications of the store', () => {
  it('are empty at first', async () => {
    const db = await openTemporaryDatabase();

    expect(await findLatest(db)).toBeUndefined();
    expect(await fxSnapshots.findBody(db, isoDate('2026-11-20'))).toBeUndefined();
  });

  it('have the newest date as the latest, in any order of storing', async () => {
    const db = await openTemporaryDatabase();
    await store(db, day('2026-11-20'), day('2026-11-19'));

    expect(await findLatest(db)).toEqual({ date: '2026-11-20', body: body('2026-11-20') });
    expect(await fxSnapshots.findBody(db, isoDate('2026-11-19'))).toBe(body('2026-11-19'));
  });

  it('are never stored twice (contract C20)', async () => {
    const db = await openTemporaryDatabase();
    await store(db, day('2026-11-20'));

    await expect(store(db, day('2026-11-19'), day('2026-11-20', '9'))).rejects.toThrow(
      /unique constraint/i,
    );

    expect(await fxSnapshots.findBody(db, isoDate('2026-11-20'))).toBe(body('2026-11-20'));
    expect(await fxSnapshots.findBody(db, isoDate('2026-11-19'))).toBeUndefined();
  });

  it('may be stored many in one call', async () => {
    const db = await openTemporaryDatabase();
    const many = Array.from({ length: 501 }, (_, days) =>
      day(addDays(isoDate('2020-01-01'), days)),
    );

    await store(db, ...many);

    const { count } = await db
      .selectFrom('fx_snapshots')
      .select((e) => e.fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(501);
  });

  it('know their neighbours on both sides of a date (contract C10)', async () => {
    const db = await openTemporaryDatabase();
    await store(db, day('2026-11-19'), day('2026-11-20'), day('2026-11-23'));
    const around = async (date: string) => fxSnapshots.findNeighbours(db, isoDate(date));

    expect(await around('2026-11-21')).toEqual({ previous: '2026-11-20', next: '2026-11-23' });
    expect(await around('2026-11-20')).toEqual({ previous: '2026-11-19', next: '2026-11-23' });
    expect(await around('2026-11-01')).toEqual({ previous: undefined, next: '2026-11-19' });
    expect(await around('2026-12-01')).toEqual({ previous: '2026-11-23', next: undefined });
  });

  it('are listed from a date on, the oldest first, with the one before it', async () => {
    const db = await openTemporaryDatabase();
    await store(db, day('2026-11-18'), day('2026-11-19'), day('2026-11-20'), day('2026-11-23'));
    const from = async (date: string) =>
      (await listWithPredecessor(db, isoDate(date))).map(({ date }) => date);

    expect(await from('2026-11-20')).toEqual(['2026-11-19', '2026-11-20', '2026-11-23']);
    expect(await from('2026-11-21')).toEqual(['2026-11-20', '2026-11-23']);
    expect(await from('2026-11-18')).toEqual([
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
      '2026-11-23',
    ]);
    expect(await from('2026-12-01')).toEqual(['2026-11-23']);
  });

  it('are replaced one date at a time, and only by a correction of an operator', async () => {
    const db = await openTemporaryDatabase();
    await store(db, day('2026-11-19'), day('2026-11-20'));

    await db.transaction().execute(async (tx) => replaceSnapshot(tx, day('2026-11-19', '1.2')));

    expect(await fxSnapshots.findBody(db, isoDate('2026-11-19'))).toBe(body('2026-11-19', '1.2'));
    expect(await fxSnapshots.findBody(db, isoDate('2026-11-20'))).toBe(body('2026-11-20'));
  });
});
