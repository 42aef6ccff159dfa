import { Type } from 'typebox';
import {
  dateList,
  dateParameter,
  dateSchema,
  described,
  malformed,
  malformedDate,
  malformedSpan,
  orNull,
  spanParameters,
} from './common.ts';
import { cachePolicies } from '../../src/platform/http/responses/representation.ts';
import type { Reference, RouteDescription } from './route-description.ts';
import { currenciesExpected, publishedExpected } from '../../src/fx/range.ts';

const currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' });
const value = Type.Number({ description: 'Units of the currency for 1 EUR.' });
const base = Type.Literal('EUR', { description: 'Always EUR.' });

const fxSnapshot = Type.Object(
  {
    date: described(dateSchema, 'The date of the publication.'),
    base,
    rates: Type.Record(currency, value, {
      description: 'By currency, in alphabetical order. Multiply euros by it.',
    }),
  },
  { $id: 'FxSnapshot', description: 'The euro reference rates of a publication.' },
);

const tag = 'Exchange rates';
const byDay = 'The bank publishes on its business days; weekends and holidays have no rates.';

const getFxRange: RouteDescription = {
  tag,
  summary: 'Some currencies over a span of dates',
  parameters: [
    ...spanParameters(true),
    {
      name: 'currencies',
      in: 'query',
      description: '1 to 10 currency codes, separated by commas, in any letter case.',
      schema: Type.String({ pattern: '^[A-Za-z]{3}(,[A-Za-z]{3}){0,9}$' }),
      example: 'USD,GBP',
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
        dates: Type.Array(dateSchema, { description: 'The publications in the span.' }),
        rates: Type.Record(currency, Type.Array(orNull(value)), {
          description:
            'For each currency a value for each of `dates`; null where it was not published that day.',
        }),
      },
      { $id: 'FxRange' },
    ),
    cacheControl: [cachePolicies.changes],
    hasValidator: true,
  },
  errors: [
    ...malformedSpan,
    malformed('currencies', currenciesExpected, '`currencies` is missing or no such list.'),
    malformed('currencies', publishedExpected, 'The ECB never published one of the currencies.'),
  ],
};

/** What the reference says of this feature's routes (interface 4.4). */
export const fxReference: Reference = {
  getLatestFx: {
    tag,
    summary: 'The latest euro reference rates',
    description: `As the European Central Bank publishes them, about 16:00 Frankfurt time. ${byDay}`,
    answer: {
      status: 200,
      description: 'The latest publication.',
      schema: fxSnapshot,
      cacheControl: [cachePolicies.latest],
      hasValidator: true,
    },
    errors: [{ error: 'noFxYet', when: 'Nothing has been published here yet.' }],
  },
  listFxDates: {
    tag,
    summary: 'The dates that there are exchange rates for',
    parameters: spanParameters(false),
    answer: {
      status: 200,
      description: 'The dates of the stored publications.',
      schema: dateList('of stored snapshots'),
      cacheControl: [cachePolicies.changes],
      hasValidator: true,
    },
    errors: malformedSpan,
  },
  getFxRange,
  getFx: {
    tag,
    summary: 'The euro reference rates of a date',
    description: `${byDay} A 404 names the neighbouring publications.`,
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
        when: 'There is none for the date: most often a weekend or a holiday.',
        hasLink: true,
      },
    ],
  },
};
