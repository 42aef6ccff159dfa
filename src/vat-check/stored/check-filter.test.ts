import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countRead, statementsOf, stepsOf } from '../../../test/support/query-plan.ts';
import { storeChecks } from '../../../test/support/stored-checks.ts';
import { isPostgresql, makeDatabase } from '../../../test/support/temporary-database.ts';
import { type Db, openDatabase } from '../../platform/database/database.ts';
import type { CheckFilter } from './check-filter.ts';
import { listChecks } from './check-list.ts';

const count = 12_000;
const limit = 50;
/** The false and the expired checks: 300 each. PostgreSQL may read them in an index and then in the table. */
const fewRows = 600;

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
    reference: n < 80 ? 'old' : null,
  }));
  await storeChecks(db, ...rows);
  if (isPostgresql) await sql`analyze`.execute(db);
});

afterAll(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

const read = (filter: CheckFilter) => async (of: Db) => listChecks(of, 'key_a', filter, { limit });

/** `index`: the one that SQLite reads, with the columns that it is searched by. */
const filters: readonly { name: string; filter: CheckFilter; index: string }[] = [
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
    filter: { status: 'answered', registryCode: 'DE', number: '3999' },
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
      const [statement] = await statementsOf(db, read(filter));
      if (statement === undefined) throw new Error('no statement');

      const steps = await stepsOf(db, statement);

      expect(steps[0]).toContain(`USING INDEX vat_checks_${index}`);
    },
  );
});
