import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Db, openDatabase } from '../platform/database/database.ts';
import { listVisible } from '../events/log/log-rows.ts';
import { listChecks } from '../vat-check/stored/requests/check-list.ts';
import { listWatches } from '../vat-check/watches/watch-store.ts';
import { countRead, statementsOf, stepsOf } from '../../test/support/query-plan.ts';
import { storeChecks } from '../../test/support/stored-checks.ts';
import { noon } from '../../test/support/stored-webhooks.ts';
import { isPostgresql, makeDatabase } from '../../test/support/temporary-database.ts';

const [oldRows, laterRows] = [8_000, 4_000];
const limit = 100;
const at = (n: number): string => new Date(Date.parse(noon) + n * 60_000).toISOString();
const idOf = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(32, '0')}`;

/** Rows in the order of their creation: `key_a` has half of the old ones, and none of the later ones. */
const rows = Array.from({ length: oldRows + laterRows }, (_, n) => ({
  n,
  keyId: n < oldRows && n % 2 === 0 ? 'key_a' : 'key_b',
}));

let database: ReturnType<typeof makeDatabase>;
let db: Db;

beforeAll(async () => {
  database = makeDatabase();
  db = await openDatabase(database.url);
  await storeChecks(db, ...rows.map(({ n, keyId }) => ({ id: idOf('vc', n), key_id: keyId })));
  for (let from = 0; from < rows.length; from += 500) await storePortion(from);
  if (isPostgresql) await sql`analyze`.execute(db);
});

afterAll(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

async function storePortion(from: number): Promise<void> {
  const portion = rows.slice(from, from + 500);
  const watches = portion.map(({ n, keyId }) => ({
    id: idOf('vw', n),
    key_id: keyId,
    country_code: 'DE',
    vat_number: String(n),
    registry_code: 'DE' as const,
    number: String(n),
    every_days: 90,
    trader: '{}',
    due_at: noon,
    slot_at: noon,
    created_at: at(n),
  }));
  await db.insertInto('vat_watches').values(watches).execute();
  const events = portion.map(({ n, keyId }) => ({
    id: idOf('evt', n),
    ...(n < oldRows && n % 4 === 1
      ? { type: 'rates.changed', key_id: null }
      : { type: 'vat.checked', key_id: keyId }),
    snapshot_date: null,
    body: '{}',
    created_at: at(n),
  }));
  await db.insertInto('events').values(events).execute();
}

const lastOld = { after: oldRows - 20, upTo: 1e9, limit };
const lists: readonly [string, (of: Db) => Promise<unknown>][] = [
  ['checks of a key', async (of) => listChecks(of, 'key_a', {}, { limit: limit - 1 })],
  [
    'checks of a key after a cursor',
    async (of) =>
      listChecks(of, 'key_a', {}, { limit: limit - 1, cursor: idOf('vc', oldRows + laterRows) }),
  ],
  ['watches of a key', async (of) => listWatches(of, 'key_a', { limit: limit - 1 })],
  [
    'events of a key',
    async (of) => {
      const types = { public: [], key: ['vat.checked'] };
      return listVisible(of, { keyId: 'key_a', types }, lastOld);
    },
  ],
  [
    'public events',
    async (of) => {
      const types = { public: ['rates.changed'], key: [] };
      return listVisible(of, { keyId: 'key_a', types }, lastOld);
    },
  ],
];

describe('a list of old rows among later rows of others', () => {
  it.runIf(isPostgresql).each(lists)('reads no rows of others: %s', async (_, read) => {
    const found = await countRead(db, read);

    expect(found).toBeGreaterThan(0);
    // The sizes are read first, and then the rows.
    expect(found).toBeLessThanOrEqual(2 * limit);
  });

  it.skipIf(isPostgresql).each(lists)('is read in its order by an index: %s', async (_, read) => {
    const [statement] = await statementsOf(db, read);
    if (statement === undefined) throw new Error('no statement');

    const steps = await stepsOf(db, statement);

    expect(steps.join('\n')).toMatch(
      /USING INDEX (?:vat_checks_newest|vat_watches_newest|events_of_reader) \(key_id=\?/,
    );
  });
});
