import type { RawBuilder } from 'kysely';
import {
  bytesOf,
  type PageRequest,
  readPage,
  sizedList,
} from '../../../platform/database/bounded-page.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { BatchCounts } from '../batches/definitions.ts';
import { type CheckFilter, type OwnedFilter, selectChecks } from './check-filter.ts';
import { type StoredCheck, toStoredCheck } from '../stored-check.ts';

export type CheckPage = {
  readonly checks: readonly StoredCheck[];
  /** The id that the next page begins after; undefined on the last page. A page before it may have few checks, or none. */
  readonly nextCursor: string | undefined;
};

/** Columns of a check whose length is given by callers or by a registry. */
const longColumns = [
  'country_code',
  'vat_number',
  'trader',
  'reference',
  'name',
  'address',
  'consultation_number',
];
/** The rest of a check as JSON, names of fields included. */
const otherBytes = 900;

/** The size of a check as JSON, for a page. `table` is `vat_checks`, or its name in the query. */
export function checkBytes(table: string): RawBuilder<number> {
  const columns = longColumns.map((column) => `${table}.${column}`);
  return bytesOf(columns, otherBytes);
}

const bytesOfCheck = checkBytes('vat_checks');

/** Lists checks of a key, newest first, after the check of the cursor if there is one. */
export async function listChecks(
  db: Db,
  keyId: string,
  filter: CheckFilter,
  page: PageRequest,
): Promise<CheckPage> {
  return listAllChecks(db, { ...filter, keyId }, page);
}

/** Lists checks of every key and of the operator, or of one owner: for the operator only. */
export async function listAllChecks(
  db: Db,
  filter: OwnedFilter,
  { limit, cursor }: PageRequest,
): Promise<CheckPage> {
  const { query, end } = await selectChecks(db, filter, cursor);
  const { page, last } = await readPage(sizedList(query, bytesOfCheck), limit);
  return { checks: page.map(toStoredCheck), nextCursor: last?.id ?? end };
}

/** Counts the checks of a batch; undefined if it is of another key, or does not exist. */
export async function countBatch(
  db: Db,
  keyId: string,
  batchId: string,
): Promise<BatchCounts | undefined> {
  const batch = await db
    .selectFrom('vat_check_batches')
    .selectAll()
    .where('id', '=', batchId)
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  if (batch === undefined) return undefined;
  const rows = await db
    .selectFrom('vat_checks')
    .select((e) => ['status', e.fn.countAll<number | string>().as('count')])
    .where('batch_id', '=', batchId)
    .groupBy('status')
    .execute();
  const counts = { pending: 0, answered: 0, rejected: 0, expired: 0 };
  for (const { status, count } of rows) counts[status] = Number(count);
  return { batchId, count: batch.checks, ...counts, createdAt: batch.created_at };
}
