import { date, dateField, instant } from '../platform/fields/dates.ts';
import { optional } from '../platform/fields/field.ts';
import * as schema from '../platform/fields/schema.ts';
import { columnsInWords } from '../platform/http/routes/csv-routes.ts';
import { dateInPath, spanParameters } from '../platform/http/routes/date-parameters.ts';
import {
  defineRoute,
  type QueryOf,
  type RouteError,
} from '../platform/http/routes/define-route.ts';
import { limitParameter } from '../platform/http/routes/list-parameters.ts';
import { changeColumns, rateColumns } from './csv.ts';
import { countryField } from './read-member-state.ts';

const { decimal, describe, integer, list, object, orNull, record, string } = schema;

export const tag = 'VAT rates';
export const percentage = decimal({ description: 'In percentage points: 25 means 25 %.' });
export const country = string({
  pattern: '^[A-Z]{2}$',
  description: 'ISO 3166-1 alpha-2, upper case; Greece is GR.',
});

const rateEntry = object(
  {
    country: string({ description: 'The common English name of the country.' }),
    currency: string({ pattern: '^[A-Z]{3}$', description: 'ISO 4217, as of the date.' }),
    flag: string({
      format: 'uri',
      description: 'The URL of an SVG of the flag, on another host.',
    }),
    standard: orNull(percentage, 'The standard rate; null if the source has none.'),
    reduced: list(percentage, {
      description:
        'The reduced rates, ascending; may be empty. Zero rates are not among them: goods with a zero rate are rows of `/rates/categories` whose `treatment` is `zero`.',
    }),
    super_reduced: orNull(percentage, 'The super-reduced rate, or null.'),
    parking: orNull(percentage, 'The parking rate, or null.'),
  },
  { $id: 'RateEntry', description: 'The national VAT rates of one country.' },
);

const rateSnapshot = object(
  {
    version: describe(date, 'The date for which the rates apply. It shows how fresh they are.'),
    source: string({
      description:
        'The source of the rates, always `Taxes in Europe Database (TEDB), European Commission`.',
    }),
    rates: record(country, rateEntry, {
      description: 'By country. A country without a standard rate is left out.',
    }),
  },
  { $id: 'RateSnapshot', description: 'The VAT rates of the EU-27 on a date.' },
);

export const noneYet: RouteError = {
  error: 'noRatesYet',
  when: 'No snapshot has been published yet.',
};
export const noSnapshot: RouteError = {
  error: 'snapshotNotFound',
  when: 'The date has no snapshot.',
  hasLink: true,
};
const csv = `One row for each country. Columns: ${columnsInWords(rateColumns, {
  country: '(ISO 3166-1)',
  reduced: '(ascending, separated by blanks)',
})}. An empty cell means that the country has no such rate.`;

/** The routes of the snapshots (interface 4.1). */
export const snapshotRoutes = {
  latest: defineRoute({
    operation: 'getLatestRates',
    tag,
    summary: 'The latest VAT rates',
    description: 'One snapshot of all countries, taken every day at 07:00 UTC.',
    ignoresUnknown: true,
    answer: {
      description: 'The latest snapshot.',
      schema: rateSnapshot,
      caching: ['latest'],
      hasErrataLink: true,
    },
    errors: [noneYet],
    csv,
    examples: [
      { path: '/rates', summary: 'All countries' },
      { path: '/rates.csv', summary: 'All countries' },
    ],
  }),
  dates: defineRoute({
    operation: 'listRateDates',
    tag,
    summary: 'The dates with VAT rates',
    description:
      'The dates for which `/rates/{date}` has a snapshot: all of them, or those from `from` to `to`.',
    query: spanParameters,
    answer: {
      description: 'The dates of the stored snapshots.',
      schema: object(
        {
          dates: list(date, { description: 'Dates of stored snapshots, ascending.' }),
          count: integer({ minimum: 0, description: 'The number of dates.' }),
          categoriesFrom: orNull(
            date,
            'The oldest date with rows by goods category (`/rates/{date}/categories`), whatever `from` and `to` are; null if there is none.',
          ),
        },
        { $id: 'RateDates' },
      ),
      caching: ['changes'],
    },
    examples: [{ path: '/rates/dates?from=2026-11-19', summary: 'From 19 November 2026' }],
  }),
  dated: defineRoute({
    operation: 'getRates',
    tag,
    summary: 'The VAT rates of a date',
    description:
      'What TEDB reports for the date. A published snapshot never changes; if TEDB is known to be wrong on the date, a Link header names the errata (`/rates/errata`).',
    ignoresUnknown: true,
    path: dateInPath,
    answer: {
      description: 'The snapshot of the date.',
      schema: rateSnapshot,
      caching: ['immutable'],
      hasErrataLink: true,
    },
    errors: [noSnapshot],
    csv,
    examples: [
      { path: '/rates/2026-11-19', summary: 'All countries' },
      { path: '/rates/2026-11-19.csv', summary: 'All countries' },
    ],
  }),
};

export const rateChange = object(
  {
    id: string({
      pattern: '^rc_[0-9a-f]{24}$',
      description:
        'The id of the row, the same in every answer and delivery. Use it to detect duplicates.',
    }),
    snapshotDate: describe(date, 'The date on which the rate changed.'),
    country,
    field: string({
      pattern: '^(standard|super_reduced|parking|reduced\\[\\d+\\])$',
      description:
        'The rate that changed. `reduced[N]` is a position in the ascending list, from 0.',
    }),
    old: orNull(percentage, 'The value before; null if there was none.'),
    new: orNull(percentage, 'The value now; null if it was removed.'),
    detectedAt: describe(instant, 'When the daily job detected it.'),
  },
  { $id: 'RateChange', description: 'A rate of a country that changed between two snapshots.' },
);

/** The list of rows in answers and events. */
export const rateChanges = list(rateChange);
const count = integer({ minimum: 0, description: 'The number of rows.' });

export const listChanges = defineRoute({
  operation: 'listChanges',
  tag,
  summary: 'The VAT rates that changed',
  description:
    'The newest changes first: by `detectedAt` descending, then by country and field. The log contains the changes that the daily job detected, but not changes between snapshots that were backfilled. Unknown parameters are ignored; a parameter that is empty or given twice is malformed.',
  ignoresUnknown: true,
  query: {
    since: {
      field: optional(dateField),
      description: 'Only rows of this snapshot date or later.',
      example: '2026-11-01',
      when: '`since` is malformed or not a calendar date.',
    },
    country: {
      field: optional(countryField),
      description:
        'Only rows of this country, in any letter case. `EL` is read as `GR`; a country without rows is an empty list.',
      example: 'HU',
      when: '`country` is not two letters.',
    },
    limit: limitParameter('rows'),
  },
  answer: {
    description: 'The rows; an empty list if there are none.',
    schema: object(
      {
        changes: rateChanges,
        count,
        limit: integer({ minimum: 1, maximum: 200, description: 'The limit that was applied.' }),
      },
      { $id: 'ChangeList' },
    ),
    caching: ['changes'],
  },
  csv: `Columns: ${columnsInWords(changeColumns)}, as in the JSON. A rate that did not exist, before or after, is an empty cell.`,
  examples: [
    { path: '/changes', summary: 'All rows' },
    { path: '/changes?country=hu&since=2026-11-01&limit=20', summary: 'One country' },
    { path: '/changes.csv?since=2026-11-01', summary: 'All rows of November' },
  ],
});

/** The parameters of `/changes` (interface 4.2). */
export type ChangeQuery = QueryOf<typeof listChanges>;

export const listChangesOfDate = defineRoute({
  operation: 'listChangesOfDate',
  tag,
  summary: 'The VAT rates that changed on a date',
  description:
    'Ordered by country and field. The answer is immutable once the snapshot of the date, or a later one, is published. Before that it may be cached for five minutes.',
  ignoresUnknown: true,
  path: dateInPath,
  answer: {
    description: 'The rows; an empty list if there are none.',
    schema: object({ snapshotDate: date, changes: rateChanges, count }, { $id: 'DatedChangeList' }),
    caching: ['immutable', 'changes'],
  },
  examples: [
    { path: '/changes/2026-11-20', summary: 'One row' },
    { path: '/changes/2026-11-18', summary: 'Nothing changed' },
  ],
});
