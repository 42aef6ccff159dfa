import { type CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRead, planOf, statementsOf, stepsOf } from '../../test/support/query-plan.ts';
import {
  isPostgresql,
  makeDatabase,
  openTemporaryDatabase,
} from '../../test/support/temporary-database.ts';
import { type Db, openDatabase } from '../platform/database/database.ts';
import { addDays, isoDate } from '../platform/time.ts';
import type { ChangeQuery } from './change-query.ts';
import type { RateChange } from './diff.ts';
import { insertChanges, listChanges, listChangesOf } from './store.ts';

const [first, newest] = [isoDate('2018-09-06'), isoDate('2026-11-20')];
const days = 3_000;
const countries =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK';

let database: ReturnType<typeof makeDatabase>;
let db: Db;

beforeAll(async () => {
  database = makeDatabase();
  db = await openDatabase(database.url);
  await db.transaction().execute(async (tx) => {
    for (let day = 0; day < days; day += 100) {
      const portion = Array.from({ length: 100 }, (_, at) => rowsOf(day + at));
      await insertChanges(tx, portion.flat());
    }
  });
  if (isPostgresql) await sql`analyze rate_changes`.execute(db);
});

afterAll(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

/** Ten countries change rates on each day; the United Kingdom only in the first hundred days. */
function rowsOf(day: number): RateChange[] {
  const snapshotDate = addDays(first, day);
  const members = countries.split(' ');
  const moved = Array.from({ length: 10 }, (_, at) => members[(7 * day + 5 * at) % 27] ?? '');
  return [...moved, ...(day < 100 ? ['GB'] : [])].map((country) => ({
    id: `rc_${snapshotDate}_${country}`,
    snapshotDate,
    country,
    field: 'standard',
    old: '27',
    new: '25.5',
    detectedAt: `${snapshotDate}T07:00:04.123Z`,
  }));
}

/**
 * The way in which a read finds its rows: for each statement its index with the columns of its bounds, or the plan of
 * the engine.
 */
async function explainRead(read: (db: Db) => Promise<unknown>): Promise<readonly string[]> {
  const statements = await statementsOf(db, read);
  return Promise.all(statements.map(isPostgresql ? explainOnServer : explainEmbedded));
}

async function explainEmbedded(statement: CompiledQuery): Promise<string> {
  const all = await stepsOf(db, statement);
  const steps = all.filter((text) => !/^SCALAR|CONSTANT/.test(text));
  const step = /^(SCAN|SEARCH) rate_changes USING (?:COVERING )?INDEX (\w+)(.*)$/.exec(
    steps.join('\n'),
  );
  return step === null
    ? steps.join('\n')
    : `${(step[2] ?? '').replace('sqlite_autoindex_rate_changes_2', 'rate_changes_once')}${boundsOf(step[3])}`;
}

async function explainOnServer(statement: CompiledQuery): Promise<string> {
  const nodes = await planOf(db, statement);
  const [node, ...others] = nodes.filter((n) => !/^(?:Limit|Result)$/.test(`${n['Node Type']}`));
  const isWalk = /^Index (?:Only )?Scan$/.test(`${node?.['Node Type']}`) && others.length === 0;
  if (!isWalk || Number(node?.['Rows Removed by Filter'] ?? 0) > 0) return JSON.stringify(nodes);
  return `${node?.['Index Name']}${boundsOf(node?.['Index Cond'])}`;
}

function boundsOf(condition: string | number | undefined): string {
  const names = ['country', 'detected_at'].filter((name) => String(condition).includes(name));
  return names.length === 0 ? '' : ` by ${names.join(', ')}`;
}

const early = 'rate_changes_early by detected_at';
const sinces = ['1999-01-01', '2018-09-07', '2022-01-01', '2024-06-01', '2026-11-01'];
const future = '2030-01-01';
const asked = [undefined, 'HU', 'GB', 'XX'];
// If PostgreSQL expects few rows, it may choose any index.
const walkedBy = isPostgresql ? [undefined, 'HU'] : asked;
if (!isPostgresql) sinces.push(future);
const queries = asked.flatMap((country) =>
  [undefined, ...sinces].flatMap((since) =>
    [1, 50, 200].map((limit): readonly [string, ChangeQuery] => {
      const query = { since: since === undefined ? undefined : isoDate(since), country, limit };
      return [`since ${since}, country ${country}, limit ${limit}`, query];
    }),
  ),
);

describe('a long change log (interface 4.2)', () => {
  const walks = queries.filter(([, { country }]) => walkedBy.includes(country));
  it.each(walks)('is read in the order of the answer: %s', async (_, query) => {
    const index =
      query.country === undefined ? 'rate_changes_newest' : 'rate_changes_of_country by country';
    const bound = query.country === undefined ? ' by detected_at' : ', detected_at';

    const walked = await explainRead(async (reading) => listChanges(reading, query));

    expect(walked).toEqual(query.since === undefined ? [index] : [early, `${index}${bound}`]);
  });

  it.runIf(isPostgresql).each(queries)('is read only up to the limit: %s', async (_, query) => {
    const read = async (reading: Db) => listChanges(reading, query);

    expect(await countRead(db, read)).toBe((await listChanges(db, query)).length);
  });

  it.runIf(isPostgresql).each(asked)(
    'is not read for a future date, country %s',
    async (country) => {
      const query = { since: isoDate(future), country, limit: 200 };

      expect(await countRead(db, async (reading) => listChanges(reading, query))).toBe(0);
    },
  );

  it.each([newest, isoDate('2018-09-06'), isoDate(future)])(
    'is read in the order of the answer for the rows of one date: %s (interface 4.3)',
    async (date) => {
      const walked = await explainRead(async (reading) => listChangesOf(reading, date));

      expect(walked).toEqual(['rate_changes_once']);
    },
  );
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
  ['RO', 'HU'].flatMap((country) =>
    ['standard', 'parking'].map((field): RateChange => {
      const id = `${date} ${country} ${field}`;
      return { id, snapshotDate: isoDate(date), country, field, old: '5', new: '7', detectedAt };
    }),
  ),
);

/** The answer that interface 4.2 defines, computed without an index. */
function expectedOf({ since, country, limit }: ChangeQuery): string[] {
  const places = rowsOfBadClock
    .filter((row) => since === undefined || row.snapshotDate >= since)
    .filter((row) => country === undefined || row.country === country)
    .toSorted((a, b) => compare(b.snapshotDate, a.snapshotDate))
    .toSorted((a, b) => compare(a.field, b.field))
    .toSorted((a, b) => compare(a.country, b.country))
    .toSorted((a, b) => compare(b.detectedAt, a.detectedAt));
  return places.slice(0, limit).map(({ id }) => id);
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

describe('a change log with a clock that was set back (interface 4.2)', () => {
  it.each([
    undefined,
    '2026-10-31',
    '2026-11-01',
    ...Object.keys(detections),
    '2026-11-21',
    '2026-12-17',
  ])('lists exactly the rows whose snapshot date is not before since: %s', async (text) => {
    const log = await openTemporaryDatabase();
    await log.transaction().execute(async (tx) => insertChanges(tx, rowsOfBadClock));
    const since = text === undefined ? undefined : isoDate(text);
    const asked = [undefined, 'HU', 'XX'].flatMap((country) =>
      [1, 3, 200].map((limit): ChangeQuery => ({ since, country, limit })),
    );

    const answers = await Promise.all(asked.map(async (query) => listChanges(log, query)));

    const ids = answers.map((rows) => rows.map(({ id }) => id));
    expect(ids).toEqual(asked.map(expectedOf));
  });
});
