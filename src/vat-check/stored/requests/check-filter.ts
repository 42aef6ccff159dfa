import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import {
  hasValue,
  hasValueToo,
  isAmong,
  notByIndex,
} from '../../../platform/database/rows-with-value.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import type { VatNumber } from '../../numbers/vat-number.ts';
import { storedCodesOf } from '../../registries/registry-code.ts';
import { firstIdOf } from '../ids.ts';
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

type Where = RawBuilder<SqlBool>;
type Column = 'key_id' | 'status' | 'valid' | 'registry_code' | 'number' | 'reference' | 'batch_id';
type Values = readonly (readonly [Column, string | number])[];
type Name = Exclude<keyof OwnedFilter, 'sinceMs' | 'untilMs'>;

/** Where the checks of a list are read. All of them meet the filters in `meets`; the other filters are compared. */
type Source = { readonly meets: readonly Name[] } & (
  | { readonly kind: 'all' }
  /** Those with these values in the first columns of an index; `where` is the condition of a partial one. */
  | { readonly kind: 'index'; readonly values: Values; readonly where?: Where }
  /** Those with the ids that a select finds in indexes. */
  | { readonly kind: 'ids'; readonly ids: RawBuilder<unknown> }
);

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
  const source = await chooseSource(db, filter, range);
  let query = db.selectFrom('vat_checks').selectAll();
  for (const condition of range) query = query.where(condition);
  if (source.kind === 'ids') query = query.where(isAmong(db, 'id', source.ids));
  if (source.kind === 'index') {
    for (const [column, value] of source.values) {
      query = query.where(hasValue(db, column, value)).orderBy(column, 'desc');
    }
    if (source.where !== undefined) query = query.where(source.where);
  }
  query = query.orderBy('id', 'desc');
  const compared = compareOthers(db, filter, source.meets);
  if (compared === undefined) return { query, end: undefined };
  const ids = query.clearSelect().select('id').limit(1);
  const end = (await ids.offset(comparedMax - 1).executeTakeFirst())?.id;
  if (end !== undefined) query = query.where('id', '>=', end);
  return { query: query.where(compared), end };
}

/** The conditions of the moments and of the cursor: an index of checks ends with their ids. */
function readRange({ sinceMs, untilMs }: CheckFilter, cursor: string | undefined): Where[] {
  const range: Where[] = [];
  if (sinceMs !== undefined) range.push(sql`id >= ${firstIdOf('vc', sinceMs)}`);
  if (untilMs !== undefined) range.push(sql`id < ${firstIdOf('vc', untilMs)}`);
  if (cursor !== undefined) range.push(sql`id < ${cursor}`);
  return range;
}

/** The source with the fewest expected checks. */
async function chooseSource(db: Db, filter: OwnedFilter, range: readonly Where[]): Promise<Source> {
  const { keyId, batchId, referencePrefix, status } = filter;
  // A batch has one owner: its index does not begin with the key.
  if (batchId !== undefined) {
    return { kind: 'index', values: [['batch_id', batchId]], meets: ['batchId'] };
  }
  const { name, groups: possible } = findRarest(filter);
  const isOfCountry = name === 'registryCode' && keyId !== undefined;
  const groups = isOfCountry ? await listUsed(db, keyId, possible) : possible;
  const isRare = name === 'numbers' || name === 'reference' || (isOfCountry && groups.length > 1);
  if (referencePrefix !== undefined && !isRare) {
    const ids = await findIdsOfPrefix(db, keyId, referencePrefix);
    if (ids !== undefined) return { kind: 'ids', ids, meets: ['keyId', 'referencePrefix'] };
  }
  const meets: readonly Name[] = name === undefined ? ['keyId'] : ['keyId', name];
  const [values = [], ...others] = groups;
  if (keyId !== undefined && others.length === 0) {
    return { kind: 'index', values: [['key_id', keyId], ...values], meets };
  }
  if (isRare) return { kind: 'ids', ids: listIds(db, { keyId, groups, range }), meets };
  // Of the checks of all owners, an index has those that are not answered.
  if (name === 'status' && status !== 'answered') {
    return { kind: 'index', values, where: sql`status <> 'answered'`, meets };
  }
  return { kind: 'all', meets: [] };
}

/**
 * The filter of which the fewest checks of a key are expected, as the values that an index has behind the key: those of one
 * group or of another. Without a name if no filter compares columns.
 */
function findRarest(filter: OwnedFilter): {
  readonly name: Name | undefined;
  readonly groups: readonly Values[];
} {
  const { registryCode, numbers, reference, status, valid } = filter;
  if (numbers !== undefined) {
    const groups = numbers.flatMap(({ registryCode, number }) =>
      storedCodesOf(registryCode).map((code): Values => [
        ['registry_code', code],
        ['number', number],
      ]),
    );
    return { name: 'numbers', groups };
  }
  if (reference !== undefined) return { name: 'reference', groups: [[['reference', reference]]] };
  // Most checks are answered, and most answers are true.
  if (status !== undefined && status !== 'answered') {
    return { name: 'status', groups: [[['status', status]]] };
  }
  if (valid === false) return { name: 'valid', groups: [[['valid', 0]]] };
  if (registryCode !== undefined) {
    const codes = storedCodesOf(registryCode);
    return { name: 'registryCode', groups: codes.map((code) => [['registry_code', code]]) };
  }
  if (valid === true) return { name: 'valid', groups: [[['valid', 1]]] };
  if (status !== undefined) return { name: 'status', groups: [[['status', status]]] };
  return { name: undefined, groups: [] };
}

/** The condition that checks match the filters that their source does not meet; undefined if it meets all of them. */
function compareOthers(db: Db, filter: OwnedFilter, meets: readonly Name[]): Where | undefined {
  const { numbers, valid, referencePrefix } = filter;
  const compare = (column: Column, value: string | number | undefined): Where | undefined =>
    value === undefined ? undefined : hasValueToo(db, column, value);
  const conditions: Readonly<Record<Name, Where | undefined>> = {
    keyId: compare('key_id', filter.keyId),
    batchId: compare('batch_id', filter.batchId),
    numbers: numbers && compareNumbers(db, numbers),
    reference: compare('reference', filter.reference),
    referencePrefix:
      referencePrefix === undefined
        ? undefined
        : isInRange(notByIndex(db, 'reference'), referencePrefix),
    status: compare('status', filter.status),
    valid: compare('valid', valid === undefined ? undefined : Number(valid)),
    // One number has the code of its registry.
    registryCode:
      filter.registryCode === undefined || numbers?.length === 1
        ? undefined
        : compareCodes(db, storedCodesOf(filter.registryCode)),
  };
  const others = Object.entries(conditions).flatMap(([name, condition]) =>
    condition === undefined || meets.includes(name as Name) ? [] : condition,
  );
  return others.length === 0 ? undefined : sql`${sql.join(others, sql` and `)}`;
}

/** The condition of a country that no index finds. */
function compareCodes(db: Db, codes: readonly string[]): Where {
  return sql`${notByIndex(db, 'registry_code')} in (${sql.join(codes)})`;
}

/** The condition of a number that no index finds. */
function compareNumbers(db: Db, numbers: readonly VatNumber[]): Where {
  const pairs = numbers.flatMap(({ registryCode, number }) =>
    storedCodesOf(registryCode).map((code) => sql`(${code}, ${number})`),
  );
  const columns = sql`(${notByIndex(db, 'registry_code')}, ${notByIndex(db, 'number')})`;
  return sql`${columns} in (values ${sql.join(pairs)})`;
}

/** The first of these groups, and those of the others of which a key has checks: few keys ask two registries. */
async function listUsed(
  db: Db,
  keyId: string,
  [first, ...others]: readonly Values[],
): Promise<readonly Values[]> {
  const used: Values[] = first === undefined ? [] : [first];
  for (const group of others) {
    const columns: Values = [['key_id', keyId], ...group];
    const where = columns.map(([column, value]) => hasValue(db, column, value));
    const { rows } = await sql`
      select 1 from vat_checks where ${sql.join(where, sql` and `)} limit 1`.execute(db);
    if (rows.length > 0) used.push(group);
  }
  return used;
}

/** The ids of the newest checks of a key, or of all owners, that have the values of one of several groups. */
function listIds(
  db: Db,
  of: {
    readonly keyId: string | undefined;
    readonly groups: readonly Values[];
    readonly range: readonly Where[];
  },
): RawBuilder<unknown> {
  const { keyId, range } = of;
  const branches = of.groups.map((group) => {
    const columns: Values = [
      ...(keyId === undefined ? [] : [['key_id', keyId] as const]),
      ...group,
    ];
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

/** Texts are compared by their code points, and a reference has at most 100. */
function isInRange(reference: RawBuilder<unknown>, prefix: string): Where {
  const greatest = `${prefix}${'\u{10FFFF}'.repeat(referenceMax)}`;
  return sql`${reference} between ${prefix} and ${greatest}`;
}
