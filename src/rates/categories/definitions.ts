import { date } from '../../platform/fields/dates.ts';
import { choice, optional, text } from '../../platform/fields/field.ts';
import * as schema from '../../platform/fields/schema.ts';
import { columnsInWords } from '../../platform/http/routes/csv-routes.ts';
import { dateInPath } from '../../platform/http/routes/date-parameters.ts';
import {
  defineRoute,
  type QueryOf,
  refusal,
  type RouteError,
} from '../../platform/http/routes/define-route.ts';
import { limitParameter } from '../../platform/http/routes/list-parameters.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import { noneYet, noSnapshot, tag } from '../definitions.ts';
import { memberStateField } from '../read-member-state.ts';
import { parseCursor } from './category-cursor.ts';
import { categoryColumns } from './csv.ts';
import { parseCn, parseCpa } from './read-codes.ts';
import { category, categoryChanges, description, page, source, version } from './schemas.ts';

const { integer, list, object, oneOf, string } = schema;

/** The largest number of rows on a page, by default and at most. */
export const categoryLimits = { default: 200, max: 500 } as const;

/** The ends of 400s: of values that do not go together, and of a cursor that no answer had. */
export const expectedOf = {
  country: 'at least one of country, category, cn, cpa',
  uncoded: 'include, with cn or cpa',
  cursor: 'nextCursor of an earlier page',
} as const;

const include = oneOf(['include']);
const rows = limitParameter('rows', { max: categoryLimits.max, byDefault: categoryLimits.default });

/** The query parameters of the lists of rows (rule G3). */
const query = {
  country: {
    field: optional(memberStateField),
    description: 'Only rows of this Member State, in any letter case; `EL` is read as `GR`.',
    example: 'AT',
    isInSamples: true,
    when: '`country` is not a Member State.',
  },
  category: {
    field: optional(
      text(
        string({ pattern: '^\\w{1,100}$' }),
        'letters, digits and underscores, e.g. FOODSTUFFS',
        (given) => (/^\w{1,100}$/.test(given) ? given.toUpperCase() : undefined),
      ),
    ),
    description:
      'Only rows of this category, in any letter case: an identifier of `/rates/categories/list`.',
    example: 'FOODSTUFFS',
    when: '`category` has other characters.',
  },
  cn: {
    field: optional(text(string(), '2, 4, 6, 8 or 10 digits', parseCn)),
    description:
      'Only rows for this code of the Combined Nomenclature: rows with a code that begins with it, or that it begins with. It has 2, 4, 6, 8 or 10 digits; blanks, dots, hyphens and a leading `ex` are ignored.',
    example: '4902',
  },
  cpa: {
    field: optional(text(string(), 'a CPA code such as 58.11.3', parseCpa)),
    description:
      'Only rows for this CPA code, in the same way: 2 to 6 digits, with or without dots and section letter, or the section `F`. Versions of the CPA differ below the class, so if no row of a country matches, its rows with the same first four digits do.',
    example: '58.11.3',
  },
  territories: {
    field: optional(choice(['include'], 'include', include)),
    description: '`include` adds rows for territories with rates of their own.',
    example: 'include',
    when: '`territories` has another value.',
  },
  uncoded: {
    field: optional(choice(['include'], expectedOf.uncoded, include)),
    description:
      '`include` adds the rows without a code of either kind, at the end of the list. They count for `ambiguous`, not for `verdict`. Only with `cn` or `cpa`.',
    when: '`uncoded` has another value, or no code is given.',
  },
  cursor: {
    field: optional(
      text(string(), expectedOf.cursor, (given, before) => parseCursor(given, before['date'])),
    ),
    description: '`nextCursor` of an earlier page. It belongs to the date of that page.',
    when: '`cursor` is not from an answer of this list and date.',
  },
  limit: {
    ...rows,
    field: optional(rows.field),
    description: `${rows.description} Without it, a CSV file has all rows.`,
  },
};

const nothingAsked = refusal(
  'country',
  expectedOf.country,
  'None of `country`, `category`, `cn` and `cpa` is given.',
);
const noRows: RouteError = {
  error: 'noCategories',
  when: 'The snapshot has no rows by goods category, because it was published before they were kept.',
};

const rules =
  'A match is a condition, not a decision: codes of TEDB are wider than its words, so read `verdict` and the comments. No row is chosen. A missing row is not a rate: TEDB leaves goods out, and reports some without codes, which `uncoded` counts. Rows in force come first, then those that are not, rows for imports, and rows without codes; within each by digits in common with the code, country, category, kind and rate. `ambiguous`, `verdict`, `errata`, `uncoded`, `withoutCodes` and `standard` are those of the whole answer, on every page.';
const columns = columnsInWords(categoryColumns, { cpa_codes: '(separated by blanks)' }).replace(
  '`cn_codes`, ',
  '`cn_codes` and ',
);
const csv = `One row for each row of the JSON, all of them unless \`limit\` is given. Columns: ${columns}. Null is an empty cell.`;
const ofTerritories = {
  query: 'country=AT&category=REGION&territories=include',
  summary: 'Territories of Austria',
};

/** The rows of the latest snapshot. */
export const findCategories = defineRoute({
  operation: 'findCategories',
  tag,
  summary: 'The VAT rates of goods and services',
  description: `The statements of TEDB about a category, or a CN or CPA code, on the date of the latest snapshot. At least one of \`country\`, \`category\`, \`cn\` and \`cpa\` is needed; a row meets all that are given. ${rules}`,
  query,
  answer: {
    description: 'The rows of the latest snapshot.',
    schema: page,
    caching: ['latest'],
  },
  errors: [nothingAsked, ...Object.keys(query), noneYet, noRows],
  csv,
  examples: [
    { path: '/rates/categories?country=BE&cn=4902', summary: 'Newspapers in Belgium' },
    { path: '/rates/categories.csv?country=AT&limit=2', summary: 'Two rows of Austria' },
  ],
});

/** The rows of the snapshot of a date. */
export const findCategoriesOfDate = defineRoute({
  operation: 'findCategoriesOfDate',
  tag,
  summary: 'The VAT rates of goods and services on a date',
  description: `As \`/rates/categories\`, for the snapshot of a date. ${rules}`,
  path: dateInPath,
  query,
  answer: { description: 'The rows of the snapshot.', schema: page, caching: ['immutable'] },
  errors: [nothingAsked, ...Object.keys(query), noSnapshot, noRows],
  csv,
  examples: [
    {
      path: `/rates/2026-11-19/categories?${ofTerritories.query}`,
      summary: ofTerritories.summary,
    },
    {
      path: `/rates/2026-11-19/categories.csv?${ofTerritories.query}`,
      summary: ofTerritories.summary,
    },
  ],
});

/** The changes of a snapshot (rule G9). */
export const listChangesOfCategories = defineRoute({
  operation: 'listCategoryChanges',
  tag,
  summary: 'The goods and services whose rates changed on a date',
  description:
    'The categories of a country whose rows have other rates, treatments, codes or territories than in the snapshot before, territories included. A new comment or situation date alone is not a change. The first snapshot with rows, and a backfilled one, have no changes.',
  path: dateInPath,
  answer: {
    description: 'The changes, by country and category; an empty list if there are none.',
    schema: object(
      {
        snapshotDate: date,
        changes: categoryChanges,
        count: integer({ minimum: 0, description: 'The number of categories that changed.' }),
      },
      { $id: 'CategoryChanges' },
    ),
    caching: ['immutable'],
  },
  errors: [noSnapshot, noRows],
  examples: [{ path: '/rates/2026-11-18/categories/changes', summary: 'Nothing to compare with' }],
});

/** The categories of the latest snapshot (rule G6). */
export const listCategories = defineRoute({
  operation: 'listCategories',
  tag,
  summary: 'The categories of goods and services',
  description: 'The categories of the latest snapshot, by identifier.',
  answer: {
    description: 'The categories.',
    schema: object(
      {
        version,
        source,
        categories: list(
          object({
            category,
            description,
            countries: integer({
              minimum: 0,
              description: 'The number of countries that apply a rate below their standard rate.',
            }),
          }),
        ),
        count: integer({ minimum: 0, description: 'The number of categories.' }),
      },
      { $id: 'CategoryList' },
    ),
    caching: ['latest'],
  },
  errors: [noneYet, noRows],
  examples: [{ path: '/rates/categories/list', summary: 'All categories' }],
});

/** The parameters of a list of rows; `date` is undefined for the latest. */
export type CategoryRequest = QueryOf<typeof findCategories> & { readonly date?: IsoDate };
