import { date } from '../platform/fields/dates.ts';
import { text } from '../platform/fields/field.ts';
import * as schema from '../platform/fields/schema.ts';
import { columnsInWords } from '../platform/http/routes/csv-routes.ts';
import {
  closedSpanParameters,
  dateInPath,
  spanParameters,
} from '../platform/http/routes/date-parameters.ts';
import { defineRoute, refusal, type RouteError } from '../platform/http/routes/define-route.ts';
import { fxColumns } from './csv.ts';
import { currenciesExpected, parseCurrencies, publishedExpected } from './range/range.ts';

const { decimal, describe, integer, list, literal, object, orNull, record, string } = schema;

export const fxTag = 'Exchange rates';
export const currency = string({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' });
export const value = decimal({ description: 'Units of the currency for 1 EUR.' });
export const base = literal('EUR', { description: 'Always EUR.' });
export const fxRates = record(currency, value, {
  description:
    'By currency, in alphabetical order. To convert an amount in euros, multiply it by the value.',
});

const fxSnapshot = object(
  { date: describe(date, 'The date of the publication.'), base, rates: fxRates },
  { $id: 'FxSnapshot', description: 'The euro reference rates of a publication.' },
);

/** The answer with the dates of a series of publications. */
export const datesAnswer = {
  description: 'The dates of the stored publications.',
  schema: object(
    {
      dates: list(date, { description: 'Dates of stored snapshots, ascending.' }),
      count: integer({ minimum: 0, description: 'The number of dates.' }),
    },
    { $id: 'DateList' },
  ),
  caching: ['changes'],
} as const;

export const noneYet: RouteError = {
  error: 'noFxYet',
  when: 'No publication is available yet.',
};
export const noPublication: RouteError = {
  error: 'fxSnapshotNotFound',
  when: 'The date has no publication, usually because it is a weekend or a holiday.',
  hasLink: true,
};
const businessDays =
  'The bank publishes on its business days, so weekends and its holidays have no rates.';
const csv = `One row for each currency. Columns: ${columnsInWords(fxColumns, { rate: '(units for 1 EUR)' })}.`;

/** The routes of the publications of the ECB (interface 4.4). */
export const publicationRoutes = {
  latest: defineRoute({
    operation: 'getLatestFx',
    tag: fxTag,
    summary: 'The latest euro reference rates',
    description: `The rates as the European Central Bank publishes them, about 16:00 Frankfurt time: for information, and not meant for transactions. If you show them, name the ECB as their source. ${businessDays}`,
    ignoresUnknown: true,
    answer: { description: 'The latest publication.', schema: fxSnapshot, caching: ['latest'] },
    errors: [noneYet],
    csv,
    examples: [
      { path: '/fx', summary: 'All currencies' },
      { path: '/fx.csv', summary: 'All currencies' },
    ],
  }),
  dates: defineRoute({
    operation: 'listFxDates',
    tag: fxTag,
    summary: 'The dates with exchange rates',
    description:
      'The dates for which `/fx/{date}` has a publication: all of them, or those from `from` to `to`.',
    query: spanParameters,
    answer: datesAnswer,
    examples: [{ path: '/fx/dates?from=2026-11-16&to=2026-11-20', summary: 'A week' }],
  }),
  dated: defineRoute({
    operation: 'getFx',
    tag: fxTag,
    summary: 'The euro reference rates of a date',
    description: `${businessDays} A 404 links to the publications before and after the date.`,
    ignoresUnknown: true,
    path: dateInPath,
    answer: {
      description: 'The publication of the date.',
      schema: fxSnapshot,
      caching: ['immutable'],
    },
    errors: [noPublication],
    csv,
    examples: [
      { path: '/fx/2026-11-13', summary: 'All currencies' },
      { path: '/fx/2026-11-13.csv', summary: 'All currencies' },
    ],
  }),
};

const rangeExample = {
  summary: 'A weekend, and a currency that the euro has replaced',
  query: 'from=2026-11-13&to=2026-11-17&currencies=USD,GBP,BGN',
};

export const getFxRange = defineRoute({
  operation: 'getFxRange',
  tag: fxTag,
  summary: 'Several currencies over a range of dates',
  description:
    'For charts and for conversions of many invoices: one request instead of one for each date. It counts against rate limit and quota as one request for each 400 days of the range.',
  query: {
    ...closedSpanParameters,
    currencies: {
      field: text(
        list(string({ pattern: '^[A-Za-z]{3}$' }), { minItems: 1, maxItems: 10 }),
        currenciesExpected,
        parseCurrencies,
      ),
      description: '1 to 10 currency codes, separated by commas, in any letter case.',
      example: ['USD', 'GBP'],
      when: '`currencies` is missing or malformed.',
    },
  },
  answer: {
    description: 'The values, the oldest first.',
    schema: object(
      {
        base,
        from: date,
        to: date,
        dates: list(date, { description: 'The dates of the publications in the range.' }),
        rates: record(currency, list(orNull(value)), {
          description:
            'By currency: one value for each of `dates`, or null if the currency was not published on that date.',
        }),
      },
      { $id: 'FxRange' },
    ),
    caching: ['changes'],
  },
  errors: [
    refusal('currencies', publishedExpected, 'The ECB has never published one of the currencies.'),
  ],
  csv: 'One row for each date. Columns: `date`, then one for each currency in the order of `currencies`. A currency without a value on a date is an empty cell.',
  examples: [
    { path: `/fx/range?${rangeExample.query}`, summary: rangeExample.summary },
    { path: `/fx/range.csv?${rangeExample.query}`, summary: rangeExample.summary },
  ],
});
