import { type ApiError, invalidField } from '../../platform/http/responses/api-errors.ts';
import {
  type Query,
  readCountry,
  readLimit,
  readParameter,
} from '../../platform/http/routes/query-parameters.ts';
import { type IsoDate, parseIsoDate } from '../../platform/time.ts';
import type { RowFilter } from './match-rows.ts';

/** The query parameters of the lists of rows by goods category (rule G3). */
export const categoryParameters = [
  'country',
  'category',
  'cn',
  'cpa',
  'territories',
  'cursor',
  'limit',
] as const;

export const categoryLimits = { default: 200, max: 500 } as const;

export const expectedOf = {
  country: 'at least one of country, category, cn, cpa',
  category: 'letters, digits and underscores, e.g. FOODSTUFFS',
  cn: '2 to 10 digits',
  cpa: 'a CPA code such as 58.11.3',
  territories: 'include',
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
  const country = readCountry(query);
  const filter = {
    country,
    category: readText(query, 'category', (text) =>
      /^\w{1,100}$/.test(text) ? text.toUpperCase() : undefined,
    ),
    cn: readText(query, 'cn', parseCn),
    cpa: readText(query, 'cpa', parseCpa),
    withTerritories:
      readText(query, 'territories', (text) => (text === 'include' ? text : undefined)) !==
      undefined,
  };
  const { category, cn, cpa } = filter;
  if ([country, category, cn, cpa].every((one) => one === undefined)) {
    throw invalidField('country', expectedOf.country);
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

/** Blanks and dots are ignored: `4901 10 00`, `4901.10`. */
function parseCn(text: string): string | undefined {
  const digits = text.replaceAll(/[ .]/g, '');
  return /^[0-9]{2,10}$/.test(digits) ? digits : undefined;
}

function parseCpa(text: string): string | undefined {
  return /^[0-9]{2}(\.[0-9]{1,2}(\.[0-9]{1,2})?)?$/.test(text)
    ? text.replaceAll('.', '')
    : undefined;
}

function parseCursor(text: string): CategoryQuery['page'] {
  const plain = Buffer.from(text, 'base64url').toString();
  const [, dateText = '', offset] = /^(\S{10}) (0|[1-9][0-9]{0,5})$/.exec(plain) ?? [];
  const date = parseIsoDate(dateText);
  return date === undefined ? undefined : { date, offset: Number(offset) };
}
