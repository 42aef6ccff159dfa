import { Type } from 'typebox';
import {
  dateList,
  dateParameter,
  dateSchema,
  withDescription,
  malformed,
  malformedDate,
  malformedSpan,
  orNull,
  spanParameters,
} from './common.ts';
import { cachePolicies } from '../../src/platform/http/responses/representation.ts';
import type { Reference, RouteDescription } from './route-description.ts';
import { currenciesExpected, publishedExpected } from '../../src/fx/range.ts';

export const currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' });
export const value = Type.Number({ description: 'Units of the currency for 1 EUR.' });
export const base = Type.Literal('EUR', { description: 'Always EUR.' });

export const ratesSchema = Type.Record(currency, value, {
  description:
    'By currency, in alphabetical order. To convert an amount in euros, multiply it by the value.',
});

const fxSnapshot = Type.Object(
  {
    date: withDescription(dateSchema, 'The date of the publication.'),
    base,
    rates: ratesSchema,
  },
  { $id: 'FxSnapshot', description: 'The euro reference rates of a publication.' },
);

export const fxTag = 'Exchange rates';
const businessDays =
  'The bank publishes on its business days, so weekends and its holidays have no rates.';

const getFxRange: RouteDescription = {
  tag: fxTag,
  summary: 'Several currencies over a range of dates',
  description:
    'For charts and for conversions of many invoices: one request instead of one for each date. It counts against rate limit and quota as one request for each 400 days of the range.',
  parameters: [
    ...spanParameters(true),
    {
      name: 'currencies',
      in: 'query',
      description: '1 to 10 currency codes, separated by commas, in any letter case.',
      schema: Type.Array(Type.String({ pattern: '^[A-Za-z]{3}$' }), { minItems: 1, maxItems: 10 }),
      example: ['USD', 'GBP'],
      isRequired: true,
    },
  ],
  answer: {
    status: 200,
    description: 'The values, the oldest first.',
    schema: Type.Object(
      {
        base,
        from: dateSchema,
        to: dateSchema,
        dates: Type.Array(dateSchema, {
          description: 'The dates of the publications in the range.',
        }),
        rates: Type.Record(currency, Type.Array(orNull(value)), {
          description:
            'By currency: one value for each of `dates`, or null if the currency was not published on that date.',
        }),
      },
      { $id: 'FxRange' },
    ),
    cacheControl: [cachePolicies.changes],
    hasValidator: true,
  },
  errors: [
    ...malformedSpan,
    malformed('currencies', currenciesExpected, '`currencies` is missing or malformed.'),
    malformed(
      'currencies',
      publishedExpected,
      'The ECB has never published one of the currencies.',
    ),
  ],
};

/** The answer with the dates of a series of publications. */
export const datesAnswer = {
  status: 200,
  description: 'The dates of the stored publications.',
  schema: dateList('of stored snapshots'),
  cacheControl: [cachePolicies.changes],
  hasValidator: true,
} as const;

/** The routes of exchange rates (interface 4.4). */
export const fxReference: Reference = {
  getLatestFx: {
    tag: fxTag,
    summary: 'The latest euro reference rates',
    description: `The rates as the European Central Bank publishes them, about 16:00 Frankfurt time: for information, and not meant for transactions. If you show them, name the ECB as their source. ${businessDays}`,
    answer: {
      status: 200,
      description: 'The latest publication.',
      schema: fxSnapshot,
      cacheControl: [cachePolicies.latest],
      hasValidator: true,
    },
    errors: [{ error: 'noFxYet', when: 'No publication is available yet.' }],
  },
  listFxDates: {
    tag: fxTag,
    summary: 'The dates with exchange rates',
    description:
      'The dates for which `/fx/{date}` has a publication: all of them, or those from `from` to `to`.',
    parameters: spanParameters(false),
    answer: datesAnswer,
    errors: malformedSpan,
  },
  getFxRange,
  getFx: {
    tag: fxTag,
    summary: 'The euro reference rates of a date',
    description: `${businessDays} A 404 links to the publications before and after the date.`,
    parameters: [dateParameter],
    answer: {
      status: 200,
      description: 'The publication of the date.',
      schema: fxSnapshot,
      cacheControl: [cachePolicies.immutable],
      hasValidator: true,
    },
    errors: [
      malformedDate,
      {
        error: 'fxSnapshotNotFound',
        when: 'The date has no publication, usually because it is a weekend or a holiday.',
        hasLink: true,
      },
    ],
  },
};
