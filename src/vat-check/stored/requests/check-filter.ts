import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import {
  hasValue,
  hasValueToo,
  isAmong,
  notByIndex,
} from '../../../platform/database/rows-with-value.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import type { VatNumber } from '../../vat-number.ts';
import { firstIdOf } from '../check-store.ts';
import { operatorId } from '../owner.ts';
import { referenceMax } from './request-fields.ts';
import type { CheckStatus } from '../stored-check.ts';

/** The filters of a list (rule K11); undefined for no filter. */
export type CheckFilter = {
  readonly status?: CheckStatus | undefined;
  readonly valid?: boolean | undefined;
  readonly registryCode?: string | undefined;
  /** The number as the registry is queried for it; several if it is read in each Member State. Never empty. */
  readonly numbers?: readonly VatNumber[] | undefined;
  readonly reference?: string | undefined;
  /** The beginning of the reference. */
  readonly referencePrefix?: string | undefined;
  readonly batchId?: string | undefined;
  /** Created at this moment or later; epoch milliseconds. */
  readonly sinceMs?: number | undefined;
  /** Created before this moment; epoch milliseconds. */
  readonly untilMs?: number | undefined;
};

/** Filters of the checks of one key, or of all owners. */
export type OwnedFilter = CheckFilter & { readonly keyId?: string | undefined };

/** A list of checks, the newest first. */
export type CheckList = {
  readonly query: SelectQueryBuilder<Tables, 'vat_checks', Tables['vat_checks']>;
  /** The last check that is compared with the filters for this page; undefined if all are. */
  readonly end: string | undefined;
};

type Column = 'key_id' | 'status' | 'valid' | 'registry_code' | 'number' | 'reference' | 'batch_id';
type Condition = readonly [Column, string | number];
/** The checks that one filter selects, which an index finds: those that meet conditions, or those with ids. */
type Source = {
  readonly conditions: readonly Condition[];
  readonly ids?: RawBuilder<unknown>;
  /** The condition of a partial index. */
  readonly where?: Where;
};
type Where = RawBuilder<SqlBool>;

/** The most checks that are compared with filters for one page: SQLite compares them on the event loop. */
export const comparedMax = 10_000;

/**
 * Selects the checks that match every filter, the newest first, after the check of the cursor.
 *
 * They are read by the index of the filter that leaves the fewest. If that leaves very many, those that the other
 * filters take may be far apart, so a page ends after it has compared 10,000.
 */
export async function selectChecks(
  db: Db,
  filter: OwnedFilter,
  cursor: string | undefined,
): Promise<CheckList> {
  const range = readRange(filter, cursor);
  const { source, rest } = await chooseSource(db, filter, range);
  let query = db.selectFrom('vat_checks').selectAll();
  for (const condition of range) query = query.where(condition);
  for (const [column, value] of source.conditions) {
    query = query.where(hasValue(db, column, value)).orderBy(column, 'desc');
  }
  if (source.where !== undefined) query = query.where(source.where);
  if (source.ids !== undefined) query = query.where(isAmong(db, 'id', source.ids));
  query = query.orderBy('id', 'desc');
  if (rest.length === 0) return { query, end: undefined };
  const compared = query.clearSelect().select('id').limit(1);
  const end = (await compared.offset(comparedMax - 1).executeTakeFirst())?.id;
  if (end !== undefined) query = query.where('id', '>=', end);
  for (const condition of rest) query = query.where(condition);
  return { query, end };
}

/** The conditions of the moments and of the cursor: an index of checks ends with their ids. */
function readRange({ sinceMs, untilMs }: CheckFilter, cursor: string | undefined): Where[] {
  const range: Where[] = [];
  if (sinceMs !== undefined) range.push(sql`id >= ${firstIdOf('vc', sinceMs)}`);
  if (untilMs !== undefined) range.push(sql`id < ${firstIdOf('vc', untilMs)}`);
  if (cursor !== undefined) range.push(sql`id < ${cursor}`);
  return range;
}

/** The source with the fewest expected checks, and the conditions that its checks are compared with. */
async function chooseSource(
  db: Db,
  filter: OwnedFilter,
  range: readonly Where[],
): Promise<{ readonly source: Source; readonly rest: readonly Where[] }> {
  const { keyId, batchId, numbers = [], reference, referencePrefix } = filter;
  const owner: Condition[] = keyId === undefined ? [] : [['key_id', keyId]];
  const compare = (conditions: readonly (readonly Condition[])[]): Where[] =>
    conditions.flat().map(([column, value]) => hasValueToo(db, column, value));
  const begins = referencePrefix === undefined ? [] : [beginsWith(db, referencePrefix)];
  const ranked = rankFilters(filter);
  const [rarest = [], ...others] = ranked;

  // A batch has one owner: its index does not begin with the key.
  if (batchId !== undefined) {
    const rest = [...compare([owner, ...ranked]), ...compareNumbers(db, numbers), ...begins];
    return { source: { conditions: [['batch_id', batchId]] }, rest };
  }
  if (numbers.length > 0 && (numbers.length > 1 || keyId === undefined)) {
    const columns = numbers.map(toConditions);
    const ids = listIds(db, { keyId, columns, range });
    return { source: { conditions: [], ids }, rest: [...compare(ranked), ...begins] };
  }
  if (reference !== undefined && keyId === undefined) {
    const ids = listIds(db, { keyId, columns: [[['reference', reference]]], range });
    return { source: { conditions: [], ids }, rest: [...compare(ranked), ...begins] };
  }
  if (referencePrefix !== undefined && reference === undefined && numbers.length === 0) {
    const ids = await findIdsOfPrefix(db, keyId, referencePrefix);
    if (ids !== undefined) return { source: { conditions: [], ids }, rest: compare(ranked) };
  }
  if (keyId !== undefined) {
    return {
      source: { conditions: [...owner, ...rarest] },
      rest: [...compare(others), ...begins],
    };
  }
  // Of the checks of all owners, an index has those that are not answered.
  const isIndexed = rarest[0]?.[0] === 'status' && rarest[0][1] !== 'answered';
  return isIndexed
    ? {
        source: { conditions: rarest, where: sql`status <> 'answered'` },
        rest: [...compare(others), ...begins],
      }
    : { source: { conditions: [] }, rest: [...compare(ranked), ...begins] };
}

/** The conditions of each filter that compares columns, that with the fewest expected checks of a key first. */
function rankFilters(filter: OwnedFilter): readonly (readonly Condition[])[] {
  const { keyId, batchId, registryCode, numbers = [], reference, status, valid } = filter;
  const ranked: (readonly Condition[])[] = [];
  const [number] = numbers;
  const isOne = number !== undefined && numbers.length === 1;
  if (isOne && keyId !== undefined && batchId === undefined) ranked.push(toConditions(number));
  if (reference !== undefined) ranked.push([['reference', reference]]);
  // Most checks are answered, and most answers are true.
  if (status !== undefined && status !== 'answered') ranked.push([['status', status]]);
  if (valid === false) ranked.push([['valid', 0]]);
  // A number has the code of its registry.
  if (!isOne && registryCode !== undefined) ranked.push([['registry_code', registryCode]]);
  if (valid === true) ranked.push([['valid', 1]]);
  if (status === 'answered') ranked.push([['status', status]]);
  return ranked;
}

function toConditions({ registryCode, number }: VatNumber): readonly Condition[] {
  return [
    ['registry_code', registryCode],
    ['number', number],
  ];
}

/** The condition of a number that no index finds. */
function compareNumbers(db: Db, numbers: readonly VatNumber[]): Where[] {
  if (numbers.length === 0) return [];
  const pairs = numbers.map(({ registryCode, number }) => sql`(${registryCode}, ${number})`);
  const columns = sql`(${notByIndex(db, 'registry_code')}, ${notByIndex(db, 'number')})`;
  return [sql`${columns} in (values ${sql.join(pairs)})`];
}

/** The ids of the newest checks of a key, or of all owners, that meet one of several groups of conditions. */
function listIds(
  db: Db,
  of: {
    readonly keyId: string | undefined;
    readonly columns: readonly (readonly Condition[])[];
    readonly range: readonly Where[];
  },
): RawBuilder<unknown> {
  const { keyId, range } = of;
  const branches = of.columns.map((conditions) => {
    const owned: readonly Condition[] = keyId === undefined ? [] : [['key_id', keyId]];
    const columns = [...owned, ...conditions];
    const where = [
      ...(keyId === undefined ? [isOfAnyOwner] : []),
      ...columns.map(([column, value]) => hasValue(db, column, value)),
      ...range,
    ];
    const order = columns.map(([column]) => sql`${sql.ref(column)} desc`);
    return sql`select * from (
      select id from vat_checks where ${sql.join(where, sql` and `)}
      order by ${sql.join([...order, sql`id desc`])} limit ${comparedMax}) as found`;
  });
  return sql`(${sql.join(branches, sql` union all `)})`;
}

/** The ids of the checks whose reference begins with a text; undefined if there are too many to sort. */
async function findIdsOfPrefix(
  db: Db,
  keyId: string | undefined,
  prefix: string,
): Promise<RawBuilder<unknown> | undefined> {
  const owner = keyId === undefined ? isOfAnyOwner : sql<SqlBool>`key_id = ${keyId}`;
  const ids = sql`(select id from vat_checks
    where ${owner} and ${isInRange(sql.ref('reference'), prefix)} limit ${comparedMax + 1})`;
  const counted = sql<{ count: number | string }>`select count(*) as "count" from ${ids} as found`;
  const { rows } = await counted.execute(db);
  return Number(rows[0]?.count) > comparedMax ? undefined : ids;
}

/** True for every check. The indexes of numbers and references begin with the key: each owner is looked up in them. */
const isOfAnyOwner: Where = sql`key_id in (select id from api_keys union all select ${operatorId})`;

/** The condition of a beginning that no index finds. */
function beginsWith(db: Db, prefix: string): Where {
  return isInRange(notByIndex(db, 'reference'), prefix);
}

/** Texts are compared by their code points, and a reference has at most 100. */
function isInRange(reference: RawBuilder<unknown>, prefix: string): Where {
  const greatest = `${prefix}${'\u{10FFFF}'.repeat(referenceMax)}`;
  return sql`${reference} between ${prefix} and ${greatest}`;
}
