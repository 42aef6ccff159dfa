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

/** `index`: the one that SQLite reads, with the columns that it is searched by. */
const filters: readonly { name: string; filter: OwnedFilter; index: string }[] = [
  {
    name: 'the answered ones of a country',
    filter: { status: 'answered', registryCode: 'MT' },
    index: 'of_country (key_id=? AND registry_code=?',
  },
  {
    name: 'the true ones of a country',
    filter: { valid: true, registryCode: 'MT' },
    index: 'of_country (key_id=? AND registry_code=?',
  },
  {
    name: 'the false ones of a country',
    filter: { valid: false, registryCode: 'MT' },
    index: 'of_valid (key_id=? AND valid=?',
  },
  {
    name: 'the expired ones of a country',
    filter: { status: 'expired', registryCode: 'MT' },
    index: 'of_status (key_id=? AND status=?',
  },
  {
    name: 'the answered ones of a number',
    filter: { status: 'answered', numbers: [{ registryCode: 'DE', number: '3999' }] },
    index: 'of_number (key_id=? AND registry_code=? AND number=?',
  },
  {
    name: 'the true ones of a reference',
    filter: { valid: true, reference: 'old' },
    index: 'of_reference (key_id=? AND reference=?',
  },
  {
    name: 'those of an old batch',
    filter: { batchId: 'vb_old' },
    index: 'of_batch (batch_id=?',
  },
  {
    name: 'the true ones of an old batch',
    filter: { batchId: 'vb_old', valid: true, registryCode: 'MT' },
    index: 'of_batch (batch_id=?',
  },
  {
    name: 'those of an old reference',
    filter: { reference: 'old' },
    index: 'of_reference (key_id=? AND reference=?',
  },
  {
    name: 'those of a number in any country',
    filter: { numbers: anyCountry },
    index: 'of_number (key_id=? AND registry_code=? AND number=?',
  },
  {
    name: 'those of a few references with the same beginning',
    filter: { referencePrefix: 'ol' },
    index: 'of_reference (key_id=? AND reference>?',
  },
  {
    name: 'the expired ones of all keys',
    filter: { ...ofAll, status: 'expired' },
    index: 'not_answered (status=?',
  },
  {
    name: 'those of a number, of all keys',
    filter: { ...ofAll, numbers: anyCountry },
    index: 'of_number (key_id=? AND registry_code=? AND number=?',
  },
  {
    name: 'those of an old reference, of all keys',
    filter: { ...ofAll, reference: 'old' },
    index: 'of_reference (key_id=? AND reference=?',
  },
];

describe('a list of checks with filters (rule K11)', () => {
  it.each(filters)('has $name', async ({ filter }) => {
    const { checks } = await read(filter)(db);

    expect(checks.length).toBeGreaterThan(0);
    for (const check of checks) {
      expect(check).toMatchObject({
        ...(filter.status !== undefined && { status: filter.status }),
        ...(filter.batchId !== undefined && { batchId: filter.batchId }),
        ...(filter.reference !== undefined && { reference: filter.reference }),
      });
    }
    expect(checks.map(({ id }) => id)).toEqual(
      checks
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
  });

  it.runIf(isPostgresql).each(filters)(
    'reads few rows that it does not return: $name',
    async ({ filter }) => {
      const found = await countRead(db, read(filter));

      expect(found).toBeGreaterThan(0);
      expect(found).toBeLessThanOrEqual(fewRows);
    },
  );

  it.skipIf(isPostgresql).each(filters)(
    'is read by the index of the rarest filter: $name',
    async ({ filter, index }) => {
      const statements = await statementsOf(db, read(filter));

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
