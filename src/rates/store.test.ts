import { describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../test/support/temporary-database.ts';
import type { Db } from '../platform/database/database.ts';
import { isoDate } from '../platform/time/time.ts';
import type { RateChange } from './diff.ts';
import {
  findLatest,
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
      const own = { version: isoDate(text), body: body(text), situationDate: '2026-07-01' };
      await insertSnapshot(tx, { ...own, inputDigest: 'x', at });
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
    const [date = '', country = '', field = '', detectedAt = at] = line.split(' ');
    const own = { id: line, snapshotDate: isoDate(date), country, field, detectedAt };
    return { ...own, old: '27', new: '25.5' };
  });
  await db.transaction().execute(async (tx) => insertChanges(tx, changes));
}

const all = { since: undefined, country: undefined, limit: 50 };
const ids = (changes: readonly RateChange[]): string[] => changes.map(({ id }) => id);

describe('the snapshots of the store', () => {
  it('have as the latest the newest one that a job has published', async () => {
    const db = await openTemporaryDatabase();
    expect(await findLatest(db)).toBeUndefined();
    await publish(db, '2026-11-20', '2026-11-19');
    await backfill(db, '2026-11-21');

    const date = '2026-11-20';
    expect(await findLatest(db)).toEqual({ date, body: body(date), situationDate: '2026-07-01' });
  });

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

  it('know their neighbours on both sides of a date, and are listed within bounds (contract C10)', async () => {
    const db = await openTemporaryDatabase();
    await publish(db, '2026-11-20', '2026-11-23');
    await backfill(db, '2026-11-18');
    const around = async (date: string) => rateSnapshots.findNeighbours(db, isoDate(date));
    const [from, to] = [isoDate('2026-11-18'), isoDate('2026-11-20')];

    expect(await around('2026-11-21')).toEqual({ previous: '2026-11-20', next: '2026-11-23' });
    expect(await around('2026-11-20')).toEqual({ previous: '2026-11-18', next: '2026-11-23' });
    expect(await around('2020-01-01')).toEqual({ previous: undefined, next: '2026-11-18' });
    expect(await around('2027-01-01')).toEqual({ previous: '2026-11-23', next: undefined });
    expect(await rateSnapshots.listDates(db, { from, to })).toEqual([from, to]);
  });
});

describe('the change log of the store (interface 4.2, 4.3)', () => {
  const earlier = '2026-11-19T07:00:00.000Z';
  const lines = [
    '2026-11-20 HU parking',
    '2026-11-20 HU standard',
    '2026-11-19 HU standard',
    '2026-11-20 RO standard',
    `2026-11-19 AT standard ${earlier}`,
  ];

  it('lists the last detected first, then by country, field and the later day', async () => {
    const db = await openTemporaryDatabase();
    await log(db, ...lines.toReversed());

    expect(ids(await listChanges(db, all))).toEqual(lines);
    expect(ids(await listChanges(db, { ...all, country: 'HU', limit: 2 }))).toEqual(
      lines.slice(0, 2),
    );
    expect(ids(await listChanges(db, { ...all, since: isoDate('2026-11-20') }))).toEqual(
      lines.filter((line) => line.startsWith('2026-11-20')),
    );
    expect(ids(await listChangesOf(db, isoDate('2026-11-20')))).toEqual([
      ...lines.slice(0, 2),
      lines[3],
    ]);
  });

  it('has each field of a country once for a date', async () => {
    const db = await openTemporaryDatabase();
    await log(db, '2026-11-20 HU standard');

    await expect(log(db, '2026-11-20 HU standard again')).rejects.toThrow(/unique constraint/i);
  });
});
