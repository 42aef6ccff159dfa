import { type ApiError, invalidField } from '../../platform/http/responses/api-errors.ts';
import {
  type Query,
  readLimit,
  readParameter,
} from '../../platform/http/routes/query-parameters.ts';
import { type IsoDate, parseIsoDate } from '../../platform/time/time.ts';
import { readMemberState } from '../read-member-state.ts';
import type { RowFilter } from './matched-row.ts';
import { parseCn, parseCpa } from './read-codes.ts';

/** The query parameters of the lists of rows by goods category (rule G3). */
export const categoryParameters = [
  'country',
  'category',
  'cn',
  'cpa',
  'territories',
  'uncoded',
  'cursor',
  'limit',
] as const;

export const categoryLimits = { default: 200, max: 500 } as const;

export const expectedOf = {
  country: 'at least one of country, category, cn, cpa',
  category: 'letters, digits and underscores, e.g. FOODSTUFFS',
  cn: '2, 4, 6, 8 or 10 digits',
  cpa: 'a CPA code such as 58.11.3',
  territories: 'include',
  uncoded: 'include, with cn or cpa',
  cursor: 'nextCursor of an earlier page',
} as const;

export type CategoryQuery = {
  readonly filter: RowFilter;
  /** The date that the path names; undefined for the latest. */
  readonly date: IsoDate | undefined;
  /** The page that a cursor leads to: rows of its date from its place on. */
  readonly page: { readonly date: IsoDate; readonly offset: number } | undefined;
  /** 1 to 500; undefined if it is not given. */
  readonly limit: number | undefined;
};

/**
 * Reads the parameters, or throws the 400. A parameter that is empty or given twice is malformed (contract C6).
 *
 * @param date The date in the path.
 */
export function readCategoryQuery(query: Query, date: IsoDate | undefined): CategoryQuery {
  const country = readMemberState(query);
  const filter = {
    country,
    category: readText(query, 'category', (text) =>
      /^\w{1,100}$/.test(text) ? text.toUpperCase() : undefined,
    ),
    cn: readText(query, 'cn', parseCn),
    cpa: readText(query, 'cpa', parseCpa),
    withTerritories: readText(query, 'territories', parseInclude) ?? false,
    withUncoded: readText(query, 'uncoded', parseInclude) ?? false,
  };
  const { category, cn, cpa } = filter;
  if ([country, category, cn, cpa].every((one) => one === undefined)) {
    throw invalidField('country', expectedOf.country);
  }
  if (filter.withUncoded && cn === undefined && cpa === undefined) {
    throw invalidField('uncoded', expectedOf.uncoded);
  }
  const page = readText(query, 'cursor', parseCursor);
  // A cursor belongs to its date: pages stay those of one snapshot while another one is published.
  if (page !== undefined && date !== undefined && page.date !== date) throw invalidCursor();
  return { filter, date, page, limit: readLimit(query, categoryLimits.max) };
}

/** Prints `nextCursor`, which is opaque to callers. */
export function printCursor({ date, offset }: NonNullable<CategoryQuery['page']>): string {
  return Buffer.from(`${date} ${offset}`).toString('base64url');
}

/** The 400 for a cursor that no answer had. */
export function invalidCursor(): ApiError {
  return invalidField('cursor', expectedOf.cursor);
}

function readText<Value>(
  query: Query,
  name: keyof typeof expectedOf,
  parse: (text: string) => Value | undefined,
): Value | undefined {
  return readParameter(query, name, parse, expectedOf[name]);
}

function parseInclude(text: string): true | undefined {
  return text === 'include' ? true : undefined;
}

function parseCursor(text: string): CategoryQuery['page'] {
  const plain = Buffer.from(text, 'base64url').toString();
  const [, dateText = '', offset] = /^(\S{10}) (0|[1-9][0-9]{0,5})$/.exec(plain) ?? [];
  const date = parseIsoDate(dateText);
  return date === undefined ? undefined : { date, offset: Number(offset) };
}
