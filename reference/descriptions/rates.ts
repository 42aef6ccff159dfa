import { Type } from 'typebox';
import {
  dateList,
  dateParameter,
  dateSchema,
  described,
  instantSchema,
  limitParameter,
  malformedDate,
  malformedSpan,
  orNull,
  spanParameters,
} from './common.ts';
import { cachePolicies } from '../../src/platform/http/responses/representation.ts';
import type { Reference, RouteDescription } from './route-description.ts';

const percentage = Type.Number({ description: 'In percentage points: 25 means 25 %.' });
const country = Type.String({
  pattern: '^[A-Z]{2}$',
  description: 'ISO 3166-1 alpha-2, upper case; Greece is GR.',
});

const rateEntry = Type.Object(
  {
    country: Type.String({ description: 'The common English name of the country.' }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217, as of the date.' }),
    flag: Type.String({ format: 'uri', description: 'An SVG of the flag, on another host.' }),
    standard: orNull(percentage, 'The standard rate; null where it is missing.'),
    reduced: Type.Array(percentage, { description: 'The reduced rates, ascending; may be empty.' }),
    super_reduced: orNull(percentage, 'The super-reduced rate, or null.'),
    parking: orNull(percentage, 'The parking rate, or null.'),
  },
  { $id: 'RateEntry', description: 'The national VAT rates of one country.' },
);

const rateSnapshot = Type.Object(
  {
    version: described(
      dateSchema,
      'The date that the rates apply to. How fresh they are is told by this.',
    ),
    source: Type.Literal('Taxes in Europe Database (TEDB), European Commission', {
      description: 'Where the rates come from; always the same.',
    }),
    rates: Type.Record(country, rateEntry, {
      description: 'By country. One without a standard rate is left out.',
    }),
  },
  { $id: 'RateSnapshot', description: 'The VAT rates of the EU-27 on a date.' },
);

const rateChange = Type.Object(
  {
    id: Type.String({
      pattern: '^rc_[0-9a-f]{24}$',
      description: 'The same for the same row, in every answer and delivery. Deduplicate by it.',
    }),
    snapshotDate: described(dateSchema, 'The date on which the rate moved.'),
    country,
    field: Type.String({
      pattern: '^(standard|super_reduced|parking|reduced\\[\\d+\\])$',
      description: 'Which rate moved. `reduced[N]` is a place in the ascending list, from 0.',
    }),
    old: orNull(percentage, 'What it was; null where there was none.'),
    new: orNull(percentage, 'What it is; null where it was removed.'),
    detectedAt: described(instantSchema, 'When the daily job saw it.'),
  },
  { $id: 'RateChange', description: 'One rate of one country that moved between two snapshots.' },
);

/** The rows that answers and events have in common. */
export const changesSchema = Type.Array(rateChange);
const count = Type.Integer({ minimum: 0, description: 'How many rows there are.' });

const tag = 'VAT rates';
const dated = [cachePolicies.immutable];

const snapshots: Reference = {
  getLatestRates: {
    tag,
    summary: 'The latest VAT rates',
    description: 'One snapshot of all countries, taken every day at 07:00 UTC.',
    answer: {
      status: 200,
      description: 'The latest snapshot.',
      schema: rateSnapshot,
      cacheControl: [cachePolicies.latest],
      hasValidator: true,
    },
    errors: [{ error: 'noRatesYet', when: 'Nothing has been published here yet.' }],
  },
  listRateDates: {
    tag,
    summary: 'The dates that there are VAT rates for',
    parameters: spanParameters(false),
    answer: {
      status: 200,
      description: 'The dates of the stored snapshots.',
      schema: dateList('of stored snapshots'),
      cacheControl: [cachePolicies.changes],
      hasValidator: true,
    },
    errors: malformedSpan,
  },
  getRates: {
    tag,
    summary: 'The VAT rates of a date',
    description: 'A snapshot never changes once it is published.',
    parameters: [dateParameter],
    answer: {
      status: 200,
      description: 'The snapshot of the date.',
      schema: rateSnapshot,
      cacheControl: dated,
      hasValidator: true,
    },
    errors: [
      malformedDate,
      { error: 'snapshotNotFound', when: 'There is no snapshot for the date.', hasLink: true },
    ],
  },
};

const listChanges: RouteDescription = {
  tag,
  summary: 'The VAT rates that moved',
  description:
    'The newest first: by `detectedAt` descending, then by country and field. The log has what the daily job saw, not what was fetched of earlier times. Unknown parameters are ignored; one that is empty or given twice is malformed.',
  parameters: [
    {
      name: 'since',
      in: 'query',
      description: 'Only rows of this snapshot date or later.',
      schema: dateSchema,
      example: '2026-11-01',
    },
    {
      name: 'country',
      in: 'query',
      description: 'Only rows of this country, in any letter case.',
      schema: Type.String({ pattern: '^[A-Za-z]{2}$' }),
      example: 'HU',
    },
    limitParameter,
  ],
  answer: {
    status: 200,
    description: 'The rows; none is an empty list.',
    schema: Type.Object(
      {
        changes: changesSchema,
        count,
        limit: Type.Integer({
          minimum: 1,
          maximum: 200,
          description: 'The limit that was applied.',
        }),
      },
      { $id: 'ChangeList' },
    ),
    cacheControl: [cachePolicies.changes],
    hasValidator: true,
  },
  errors: [
    { error: 'invalidSince', when: '`since` is malformed or no day of the calendar.' },
    { error: 'invalidCountry', when: '`country` is not two letters.' },
    { error: 'invalidLimit', when: '`limit` is zero, negative or no whole number.' },
  ],
};

const listChangesOfDate: RouteDescription = {
  tag,
  summary: 'The VAT rates that moved on a date',
  description:
    'By country and field. Immutable from the moment that the snapshot of the date, or a later one, is published; before that the answer may be kept for five minutes.',
  parameters: [dateParameter],
  answer: {
    status: 200,
    description: 'The rows; none is an empty list.',
    schema: Type.Object(
      { snapshotDate: dateSchema, changes: changesSchema, count },
      { $id: 'DatedChangeList' },
    ),
    cacheControl: [cachePolicies.immutable, cachePolicies.changes],
    hasValidator: true,
  },
  errors: [malformedDate],
};

/** What the reference says of this feature's routes (interface 4.1 to 4.3). */
export const ratesReference: Reference = { ...snapshots, listChanges, listChangesOfDate };
