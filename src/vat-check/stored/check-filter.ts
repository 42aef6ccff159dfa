import type { SelectQueryBuilder } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { hasValue, hasValueToo } from '../../platform/database/rows-with-value.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { firstIdOf } from './check-store.ts';
import type { CheckStatus } from './stored-check.ts';

/** The filters of a list (rule K11); undefined for no filter. */
export type CheckFilter = {
  readonly status?: CheckStatus | undefined;
  readonly valid?: boolean | undefined;
  readonly registryCode?: string | undefined;
  /** The number as the registry is queried for it; only with its `registryCode`. */
  readonly number?: string | undefined;
  readonly reference?: string | undefined;
  readonly batchId?: string | undefined;
  /** Created at this moment or later; epoch milliseconds. */
  readonly sinceMs?: number | undefined;
  /** Created before this moment; epoch milliseconds. */
  readonly untilMs?: number | undefined;
};

/** Filters of the checks of one key, or of all owners. */
export type OwnedFilter = CheckFilter & { readonly keyId?: string | undefined };

type Check = Tables['vat_checks'];
type Column = 'key_id' | 'status' | 'valid' | 'registry_code' | 'number' | 'reference' | 'batch_id';
type Condition = readonly [Column, string | number];

/**
 * Selects the checks that match every filter, the newest first.
 *
 * They are read by the index of the filter that leaves the fewest. An index of another one, or that of all checks of a
 * key, may have hundreds of thousands of rows to skip before a page is full, and SQLite reads them on the event loop.
 */
export function selectChecks(
  db: Db,
  filter: OwnedFilter,
): SelectQueryBuilder<Tables, 'vat_checks', Check> {
  const [rarest = [], ...others] = rankFilters(filter);
  const { indexed, rest } = chooseIndex(filter.keyId, rarest, others.flat());
  let query = db.selectFrom('vat_checks').selectAll();
  for (const [column, value] of indexed) {
    query = query.where(hasValue(db, column, value)).orderBy(column, 'desc');
  }
  for (const [column, value] of rest) query = query.where(hasValueToo(db, column, value));
  const { sinceMs, untilMs } = filter;
  if (sinceMs !== undefined) query = query.where('id', '>=', firstIdOf('vc', sinceMs));
  if (untilMs !== undefined) query = query.where('id', '<', firstIdOf('vc', untilMs));
  return query.orderBy('id', 'desc');
}

/** The columns that the index begins with, and those that are compared in the rows that it finds. */
function chooseIndex(
  keyId: string | undefined,
  rarest: readonly Condition[],
  others: readonly Condition[],
): { readonly indexed: readonly Condition[]; readonly rest: readonly Condition[] } {
  const owner: Condition[] = keyId === undefined ? [] : [['key_id', keyId]];
  // A batch has one owner: its index does not begin with the key.
  if (rarest[0]?.[0] === 'batch_id') return { indexed: rarest, rest: [...owner, ...others] };
  // The other indexes do, so without a key none of them can be used.
  if (keyId === undefined) return { indexed: [], rest: [...rarest, ...others] };
  return { indexed: [...owner, ...rarest], rest: others };
}

/** The conditions of each filter, that with the fewest expected checks of a key first. */
function rankFilters(filter: CheckFilter): readonly (readonly Condition[])[] {
  const { batchId, registryCode, number, reference, status, valid } = filter;
  const ranked: (readonly Condition[])[] = [];
  if (batchId !== undefined) ranked.push([['batch_id', batchId]]);
  const country: Condition[] = registryCode === undefined ? [] : [['registry_code', registryCode]];
  if (number !== undefined) ranked.push([...country, ['number', number]]);
  if (reference !== undefined) ranked.push([['reference', reference]]);
  // Most checks are answered, and most answers are true.
  if (status !== undefined && status !== 'answered') ranked.push([['status', status]]);
  if (valid === false) ranked.push([['valid', 0]]);
  if (number === undefined && registryCode !== undefined) ranked.push(country);
  if (valid === true) ranked.push([['valid', 1]]);
  if (status === 'answered') ranked.push([['status', status]]);
  return ranked;
}
