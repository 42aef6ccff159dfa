import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRead, statementsOf, stepsOf } from '../../../../test/support/query-plan.ts';
import { storeChecks } from '../../../../test/support/stored-checks.ts';
import { storeKey } from '../../../../test/support/stored-webhooks.ts';
import { isPostgresql, makeDatabase } from '../../../../test/support/temporary-database.ts';
import { type Db, openDatabase } from '../../../platform/database/database.ts';
import { readNumbers } from './list-query.ts';
import { comparedMax, type OwnedFilter } from './check-filter.ts';
import { listAllChecks } from './check-list.ts';

const count = 12_000;
const limit = 50;
/**
 * The false and the expired checks, and those of Malta: up to 400 each. PostgreSQL may read two of them in indexes. A list
 * is read in three statements: the end of the compared checks, the sizes, and the rows.
 */
const fewRows = 3 * 800;

let database: ReturnType<typeof makeDatabase>;
let db: Db;

/** Checks of one key: those of Malta, of the batch and of the reference are the oldest, and the answers are true. */
beforeAll(async () => {
  database = makeDatabase();
  db = await openDatabase(database.url);
  const rows = Array.from({ length: count }, (_, n) => ({
    id: `vc_${String(n).padStart(32, '0')}`,
    ...(n % 40 === 7
      ? { status: 'expired' as const, ended_at: '2026-11-23T12:00:00.000Z' }
      : { status: 'answered' as const, valid: n % 40 === 9 ? (0 as const) : (1 as const) }),
    registry_code: n < 400 ? ('MT' as const) : ('DE' as const),
    number: String(n % 4_000),
    due_at: null,
    batch_id: n < 60 ? 'vb_old' : null,
    reference: n < 80 ? 'old' : `order ${n}`,
  }));
  await storeChecks(db, ...rows);
  await storeKey(db);
  if (isPostgresql) await sql`analyze`.execute(db);
});

afterAll(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

const read = (filter: OwnedFilter) => async (of: Db) =>
  listAllChecks(of, { keyId: 'key_a', ...filter }, { limit });
const ofAll = { keyId: undefined };

const anyCountry = readNumbers('3999', undefined);

const ofCountry = 'of_country (key_id=? AND registry_code=?';
const ofStatus = 'of_status (key_id=? AND status=?';
const ofNumber = 'of_number (key_id=? AND registry_code=? AND number=?';
const ofReference = 'of_reference (key_id=? AND reference';
const ofBatch = 'of_batch (batch_id=?';

/** Each with the index that SQLite reads, and the columns that it is searched by. */
const filters: readonly (readonly [name: string, filter: OwnedFilter, index: string])[] = [
  ['answered ones of a country', { status: 'answered', registryCode: 'MT' }, ofCountry],
  ['true ones of a country', { valid: true, registryCode: 'MT' }, ofCountry],
  [
    'false ones of a country',
    { valid: false, registryCode: 'MT' },
    'of_valid (key_id=? AND valid=?',
  ],
  ['expired ones of a country', { status: 'expired', registryCode: 'MT' }, ofStatus],
  [
    'answered ones of a number',
    { status: 'answered', numbers: [{ registryCode: 'DE', number: '3999' }] },
    ofNumber,
  ],
  ['true ones of a reference', { valid: true, reference: 'old' }, `${ofReference}=?`],
  ['those of an old batch', { batchId: 'vb_old' }, ofBatch],
  ['true ones of a batch', { batchId: 'vb_old', valid: true, registryCode: 'MT' }, ofBatch],
  ['those of an old reference', { reference: 'old' }, `${ofReference}=?`],
  ['those of a number in any country', { numbers: anyCountry }, ofNumber],
  ['those of a few references', { referencePrefix: 'ol' }, `${ofReference}>?`],
  ['expired ones of all keys', { ...ofAll, status: 'expired' }, 'not_answered (status=?'],
  ['those of a number, of all keys', { ...ofAll, numbers: anyCountry }, ofNumber],
  ['those of a reference, of all keys', { ...ofAll, reference: 'old' }, `${ofReference}=?`],
];

describe('a list of checks with filters (rule K11)', () => {
  it.runIf(isPostgresql).each(filters)(
    'reads few rows that it does not return: %s',
    async (_, filter) => {
      const found = await countRead(db, read(filter));

      expect(found).toBeGreaterThan(0);
      expect(found).toBeLessThanOrEqual(fewRows);
    },
  );

  it.skipIf(isPostgresql).each(filters)(
    'is read, the newest first, by the index of the rarest filter: %s',
    async (_, filter, index) => {
      const ids = (await read(filter)(db)).checks.map(({ id }) => id);
      const statements = await statementsOf(db, read(filter));

      expect(ids.length).toBeGreaterThan(0);
      expect(ids).toEqual(ids.toSorted().toReversed());
      for (const statement of statements) {
        const steps = (await stepsOf(db, statement)).join('\n').replaceAll(' COVERING', '');
        expect(steps).toContain(`USING INDEX vat_checks_${index}`);
        expect(steps).not.toContain('SCAN vat_checks');
      }
    },
  );

  it('ends a page after it has compared 10,000 checks, and the next page goes on', async () => {
    const rows = Array.from({ length: comparedMax + 40 }, (_, n) => ({
      id: `vc_c${String(n).padStart(31, '0')}`,
      key_id: 'key_c',
      ...(n < 10
        ? { status: 'answered' as const, valid: 1 as const }
        : { status: 'rejected' as const }),
    }));
    await storeChecks(db, ...rows);
    const filter = { keyId: 'key_c', registryCode: 'DE', valid: true };

    const first = await listAllChecks(db, filter, { limit });
    const next = await listAllChecks(db, filter, { limit, cursor: first.nextCursor });

    expect([first.checks.length, first.nextCursor]).toEqual([0, rows[40]?.id]);
    expect([next.checks.length, next.nextCursor]).toEqual([10, undefined]);
  });
});
