import { describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../test/support/temporary-database.ts';
import type { Db } from '../platform/database/database.ts';
import { isoDate } from '../platform/time.ts';
import type { RateChange } from './diff.ts';
import {
  findLatest,
  findSnapshot,
  insertBackfilled,
  insertChanges,
  insertSnapshot,
  listChanges,
  listChangesOf,
  rateSnapshots,
} from './store.ts';

const at = '2026-11-20T07:00:00.000Z';
const body = (version: string): string => `{"version":"${version}","rates":{}}`;

async function publish(db: Db, ...versions: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const text of versions) {
      const version = isoDate(text);
      await insertSnapshot(tx, {
        version,
        body: body(text),
        situationDate: '2026-07-01',
        inputDigest: 'x',
        at,
      });
    }
  });
}

async function backfill(db: Db, ...versions: readonly string[]): Promise<number> {
  const snapshots = versions.map((text) => ({ version: isoDate(text), body: `old ${text}` }));
  return insertBackfilled(db, snapshots, { inputDigest: 'x', at });
}

/** Stores changes that are written `<snapshot date> <country> <field> [<detected at>]`. */
async function log(db: Db, ...lines: readonly string[]): Promise<void> {
  const changes = lines.map((line): RateChange => {
    const [date = '', country = '', field = '', detected = at] = line.split(' ');
    const rates = { old: '27', new: '25.5' };
    return {
      id: line,
      snapshotDate: isoDate(date),
      country,
      field,
      detectedAt: detected,
      ...rates,
    };
  });
  await db.transaction().execute(async (tx) => insertChanges(tx, changes));
}

const all = { since: undefined, country: undefined, limit: 50 };
const ids = (changes: readonly RateChange[]): string[] => changes.map(({ id }) => id);

describe('the snapshots of the store', () => {
  it('are empty at first', async () => {
    const db = await openTemporaryDatabase();

    expect(await findLatest(db)).toBeUndefined();
    expect(await rateSnapshots.findBody(db, isoDate('2026-11-20'))).toBeUndefined();
    expect(await findSnapshot(db, isoDate('2026-11-20'))).toBeUndefined();
  });

  it('have as the latest the newest one that a job has published', async () => {
    const db = await openTemporaryDatabase();
    await publish(db, '2026-11-20', '2026-11-19');
    await backfill(db, '2026-11-21');

    expect(await findLatest(db)).toEqual({
      date: '2026-11-20',
      body: body('2026-11-20'),
      situationDate: '2026-07-01',
    });
  });

  it('are found by their version, from a job or a backfill', async () => {
    const db = await openTemporaryDatabase();
    await publish(db, '2026-11-20');
    await backfill(db, '2026-11-10');

    expect(await rateSnapshots.findBody(db, isoDate('2026-11-10'))).toBe('old 2026-11-10');
    expect(await findSnapshot(db, isoDate('2026-11-20'))).toEqual({
      version: '2026-11-20',
      entries: [],
    });
  });

  it('are never stored twice', async () => {
    const db = await openTemporaryDatabase();
    await publish(db, '2026-11-20');

    await expect(publish(db, '2026-11-20')).rejects.toThrow(/unique constraint/i);
    expect(await backfill(db, '2026-11-19', '2026-11-20')).toBe(1);

    expect(await rateSnapshots.findBody(db, isoDate('2026-11-20'))).toBe(body('2026-11-20'));
  });

  it('raise a revision if they are backfilled, and none if no date was missing', async () => {
    const db = await openTemporaryDatabase();
    const revision = async () => db.selectFrom('revisions').selectAll().execute();

    expect(await backfill(db)).toBe(0);
    expect(await revision()).toEqual([]);
    await backfill(db, '2026-11-10');

    expect(await revision()).toMatchObject([{ topic: 'rates', revision: 1 }]);
  });

  it('know their neighbours on both sides of a date (contract C10)', async () => {
    const db = await openTemporaryDatabase();
    await publish(db, '2026-11-20', '2026-11-23');
    await backfill(db, '2026-11-18');
    const around = async (date: string) => rateSnapshots.findNeighbours(db, isoDate(date));

    expect(await around('2026-11-21')).toEqual({ previous: '2026-11-20', next: '2026-11-23' });
    expect(await around('2026-11-20')).toEqual({ previous: '2026-11-18', next: '2026-11-23' });
    expect(await around('2020-01-01')).toEqual({ previous: undefined, next: '2026-11-18' });
    expect(await around('2027-01-01')).toEqual({ previous: '2026-11-23', next: undefined });
  });

  it('are listed by version within bounds, both included', async () => {
    const db = await openTemporaryDatabase();
    await publish(db, '2026-11-17', '2026-11-18', '2026-11-20', '2026-11-21');

    const listed = await rateSnapshots.listDates(db, {
      from: isoDate('2026-11-18'),
      to: isoDate('2026-11-20'),
    });

    expect(listed).toEqual(['2026-11-18', '2026-11-20']);
  });
});

describe('listChanges (interface 4.2)', () => {
  it('lists the last detected first, then by country, then by field', async () => {
    const db = await openTemporaryDatabase();
    const earlier = '2026-11-19T07:00:00.000Z';
    await log(
      db,
      `2026-11-19 AT standard ${earlier}`,
      '2026-11-20 RO standard',
      '2026-11-20 HU standard',
      '2026-11-20 HU parking',
    );

    expect(ids(await listChanges(db, all))).toEqual([
      '2026-11-20 HU parking',
      '2026-11-20 HU standard',
      '2026-11-20 RO standard',
      `2026-11-19 AT standard ${earlier}`,
    ]);
  });

  it('lists the later of two days first if one run has published both', async () => {
    const db = await openTemporaryDatabase();
    await log(db, '2026-11-19 HU standard', '2026-11-20 HU standard');

    expect(ids(await listChanges(db, all))).toEqual([
      '2026-11-20 HU standard',
      '2026-11-19 HU standard',
    ]);
  });

  it('filters by snapshot date, by country and by number', async () => {
    const db = await openTemporaryDatabase();
    const lines = ['2026-11-18 HU standard', '2026-11-19 HU standard', '2026-11-19 RO standard'];
    await log(db, ...lines);

    const since = await listChanges(db, { ...all, since: isoDate('2026-11-19') });
    expect(ids(since)).toEqual([lines[1], lines[2]]);
    expect(ids(await listChanges(db, { ...all, country: 'RO' }))).toEqual([lines[2]]);
    expect(await listChanges(db, { ...all, limit: 2 })).toHaveLength(2);
    expect(await listChanges(db, { ...all, country: 'XX' })).toEqual([]);
  });

  it('returns a row as it was written', async () => {
    const db = await openTemporaryDatabase();
    await log(db, '2026-11-20 HU standard');

    expect(await listChanges(db, all)).toEqual([
      {
        id: '2026-11-20 HU standard',
        snapshotDate: '2026-11-20',
        country: 'HU',
        field: 'standard',
        old: '27',
        new: '25.5',
        detectedAt: at,
      },
    ]);
  });
});

describe('listChangesOf (interface 4.3)', () => {
  it('lists the rows of one snapshot date by country, then by field', async () => {
    const db = await openTemporaryDatabase();
    await log(
      db,
      '2026-11-20 RO standard',
      '2026-11-20 HU standard',
      '2026-11-20 HU parking',
      '2026-11-19 AT standard',
    );

    expect(ids(await listChangesOf(db, isoDate('2026-11-20')))).toEqual([
      '2026-11-20 HU parking',
      '2026-11-20 HU standard',
      '2026-11-20 RO standard',
    ]);
  });

  it('is empty for a date without changes', async () => {
    const db = await openTemporaryDatabase();
    await log(db);

    expect(await listChangesOf(db, isoDate('2026-11-20'))).toEqual([]);
  });

  it('has each field of a country once', async () => {
    const db = await openTemporaryDatabase();
    await log(db, '2026-11-20 HU standard');

    await expect(log(db, '2026-11-20 HU standard again')).rejects.toThrow(/unique constraint/i);
  });
});
