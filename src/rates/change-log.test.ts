import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRead } from '../../test/support/query-plan.ts';
import {
  isPostgresql,
  makeDatabase,
  openTemporaryDatabase,
} from '../../test/support/temporary-database.ts';
import { type Db, openDatabase } from '../platform/database/database.ts';
import { addDays, isoDate } from '../platform/time/time.ts';
import type { ChangeQuery } from './definitions.ts';
import type { RateChange } from './diff.ts';
import { memberStates } from './member-states.ts';
import { insertChanges, listChanges } from './store.ts';

const [first, future] = ['2018-09-06', '2030-01-01'].map(isoDate);
/** Ten countries change rates on each day; the United Kingdom only in the first hundred days. */
function rowsOf(day: number): RateChange[] {
  const snapshotDate = addDays(first!, day);
  const moved = Array.from({ length: 10 }, (_, at) => memberStates[(7 * day + 5 * at) % 27]!);
  const countries = [...moved.map(({ country }) => String(country)), ...(day < 100 ? ['GB'] : [])];
  return countries.map((country) => ({
    id: `rc_${snapshotDate}_${country}`,
    snapshotDate,
    country,
    field: 'standard',
    old: '27',
    new: '25.5',
    detectedAt: `${snapshotDate}T07:00:04.123Z`,
  }));
}

const sinces = [undefined, '1999-01-01', '2022-01-01', '2026-11-01'];
const queries = [undefined, 'HU', 'GB', 'XX'].flatMap((country) =>
  sinces.flatMap((date) =>
    [1, 200].map((limit): readonly [string, ChangeQuery] => {
      const since = date === undefined ? undefined : isoDate(date);
      return [`since ${since}, country ${country}, limit ${limit}`, { since, country, limit }];
    }),
  ),
);

describe.skipIf(!isPostgresql)('a long change log (interface 4.2)', () => {
  let database: ReturnType<typeof makeDatabase>;
  let db: Db;

  beforeAll(async () => {
    database = makeDatabase();
    db = await openDatabase(database.url);
    await db.transaction().execute(async (tx) => {
      for (let day = 0; day < 3_000; day += 100) {
        const portion = Array.from({ length: 100 }, (_, at) => rowsOf(day + at));
        await insertChanges(tx, portion.flat());
      }
    });
    await sql`analyze rate_changes`.execute(db);
  });

  afterAll(async () => {
    await db.destroy();
    await database[Symbol.asyncDispose]();
  });

  it.each(queries)('is read only up to the limit: %s', async (_, query) => {
    const read = async (reading: Db) => listChanges(reading, query);

    expect(await countRead(db, read)).toBe((await listChanges(db, query)).length);
  });

  it('is not read for a future date', async () => {
    for (const country of [undefined, 'HU', 'XX']) {
      const query = { since: future, country, limit: 200 };
      expect(await countRead(db, async (reading) => listChanges(reading, query))).toBe(0);
    }
  });
});

/** Rows of five days: the clock was a month ahead, was set back before all of them, stopped, and was set back again. */
const detections = {
  '2026-11-16': '2026-12-16T07:00:00.000Z',
  '2026-11-17': '2026-11-01T07:00:00.000Z',
  '2026-11-18': '2026-11-18T07:00:00.000Z',
  '2026-11-19': '2026-11-18T07:00:00.000Z',
  '2026-11-20': '2026-10-30T07:00:00.000Z',
};

const rowsOfBadClock = Object.entries(detections).flatMap(([date, detectedAt]) =>
  ['RO standard', 'RO parking', 'HU standard', 'HU parking'].map((place): RateChange => {
    const [country = '', field = ''] = place.split(' ');
    const own = { id: `${date} ${place}`, snapshotDate: isoDate(date), country, field, detectedAt };
    return { ...own, old: '5', new: '7' };
  }),
);

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** The answer that interface 4.2 defines, computed without an index. */
function expectedOf({ since, country, limit }: ChangeQuery): string[] {
  return rowsOfBadClock
    .filter((row) => since === undefined || row.snapshotDate >= since)
    .filter((row) => country === undefined || row.country === country)
    .toSorted((a, b) => compare(b.snapshotDate, a.snapshotDate))
    .toSorted((a, b) => compare(`${a.country} ${a.field}`, `${b.country} ${b.field}`))
    .toSorted((a, b) => compare(b.detectedAt, a.detectedAt))
    .slice(0, limit)
    .map(({ id }) => id);
}

it('a change log with a clock that was set back lists exactly the rows from `since` on (interface 4.2)', async () => {
  const log = await openTemporaryDatabase();
  await log.transaction().execute(async (tx) => insertChanges(tx, rowsOfBadClock));
  const bounds = ['2026-10-31', '2026-11-01', ...Object.keys(detections), '2026-11-21'];
  const asked = [undefined, ...bounds.map(isoDate)].flatMap((since) =>
    [undefined, 'HU', 'XX'].flatMap((country) =>
      [1, 3, 200].map((limit): ChangeQuery => ({ since, country, limit })),
    ),
  );

  for (const query of asked) {
    const rows = await listChanges(log, query);
    expect([query, rows.map(({ id }) => id)]).toEqual([query, expectedOf(query)]);
  }
});
