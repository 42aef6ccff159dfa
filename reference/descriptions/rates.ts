import { Type } from 'typebox';
import {
  dateParameter,
  dateSchema,
  withDescription,
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
    flag: Type.String({
      format: 'uri',
      description: 'The URL of an SVG of the flag, on another host.',
    }),
    standard: orNull(percentage, 'The standard rate; null if the source has none.'),
    reduced: Type.Array(percentage, {
      description:
        'The reduced rates, ascending; may be empty. Zero rates are not among them: goods with a zero rate are rows of `/rates/categories` whose `treatment` is `zero`.',
    }),
    super_reduced: orNull(percentage, 'The super-reduced rate, or null.'),
    parking: orNull(percentage, 'The parking rate, or null.'),
  },
  { $id: 'RateEntry', description: 'The national VAT rates of one country.' },
);

const rateSnapshot = Type.Object(
  {
    version: withDescription(
      dateSchema,
      'The date for which the rates apply. It shows how fresh they are.',
    ),
    source: Type.String({
      description:
        'The source of the rates, always `Taxes in Europe Database (TEDB), European Commission`.',
    }),
    rates: Type.Record(country, rateEntry, {
      description: 'By country. A country without a standard rate is left out.',
    }),
  },
  { $id: 'RateSnapshot', description: 'The VAT rates of the EU-27 on a date.' },
);

const rateChange = Type.Object(
  {
    id: Type.String({
      pattern: '^rc_[0-9a-f]{24}$',
      description:
        'The id of the row, the same in every answer and delivery. Use it to detect duplicates.',
    }),
    snapshotDate: withDescription(dateSchema, 'The date on which the rate changed.'),
    country,
    field: Type.String({
      pattern: '^(standard|super_reduced|parking|reduced\\[\\d+\\])$',
      description:
        'The rate that changed. `reduced[N]` is a position in the ascending list, from 0.',
    }),
    old: orNull(percentage, 'The value before; null if there was none.'),
    new: orNull(percentage, 'The value now; null if it was removed.'),
    detectedAt: withDescription(instantSchema, 'When the daily job detected it.'),
  },
  { $id: 'RateChange', description: 'A rate of a country that changed between two snapshots.' },
);

const rateDates = Type.Object(
  {
    dates: Type.Array(dateSchema, { description: 'Dates of stored snapshots, ascending.' }),
    count: Type.Integer({ minimum: 0, description: 'The number of dates.' }),
    categoriesFrom: orNull(
      dateSchema,
      'The oldest date with rows by goods category (`/rates/{date}/categories`), whatever `from` and `to` are; null if there is none.',
    ),
  },
  { $id: 'RateDates' },
);

/** The list of rows in answers and events. */
export const changesSchema = Type.Array(rateChange);
const count = Type.Integer({ minimum: 0, description: 'The number of rows.' });

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
      hasErrataLink: true,
    },
    errors: [{ error: 'noRatesYet', when: 'No snapshot has been published yet.' }],
  },
  listRateDates: {
    tag,
    summary: 'The dates with VAT rates',
    description:
      'The dates for which `/rates/{date}` has a snapshot: all of them, or those from `from` to `to`.',
    parameters: spanParameters(false),
    answer: {
      status: 200,
      description: 'The dates of the stored snapshots.',
      schema: rateDates,
      cacheControl: [cachePolicies.changes],
      hasValidator: true,
    },
    errors: malformedSpan,
  },
  getRates: {
    tag,
    summary: 'The VAT rates of a date',
    description:
      'What TEDB reports for the date. A published snapshot never changes; if TEDB is known to be wrong on the date, a Link header names the errata (`/rates/errata`).',
    parameters: [dateParameter],
    answer: {
      status: 200,
      description: 'The snapshot of the date.',
      schema: rateSnapshot,
      cacheControl: dated,
      hasValidator: true,
      hasErrataLink: true,
    },
    errors: [
      malformedDate,
      { error: 'snapshotNotFound', when: 'The date has no snapshot.', hasLink: true },
    ],
  },
};

const listChanges: RouteDescription = {
  tag,
  summary: 'The VAT rates that changed',
  description:
    'The newest changes first: by `detectedAt` descending, then by country and field. The log contains the changes that the daily job detected, but not changes between snapshots that were backfilled. Unknown parameters are ignored; a parameter that is empty or given twice is malformed.',
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
      description:
        'Only rows of this country, in any letter case. `EL` is read as `GR`; a country without rows is an empty list.',
      schema: Type.String({ pattern: '^[A-Za-z]{2}$' }),
      example: 'HU',
    },
    limitParameter,
  ],
  answer: {
    status: 200,
    description: 'The rows; an empty list if there are none.',
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
    { error: 'invalidSince', when: '`since` is malformed or not a calendar date.' },
    { error: 'invalidCountry', when: '`country` is not two letters.' },
    { error: 'invalidLimit', when: '`limit` is not a positive whole number.' },
  ],
};

const listChangesOfDate: RouteDescription = {
  tag,
  summary: 'The VAT rates that changed on a date',
  description:
    'Ordered by country and field. The answer is immutable once the snapshot of the date, or a later one, is published. Before that it may be cached for five minutes.',
  parameters: [dateParameter],
  answer: {
    status: 200,
    description: 'The rows; an empty list if there are none.',
    schema: Type.Object(
      { snapshotDate: dateSchema, changes: changesSchema, count },
      { $id: 'DatedChangeList' },
    ),
    cacheControl: [cachePolicies.immutable, cachePolicies.changes],
    hasValidator: true,
  },
  errors: [malformedDate],
};

/** The routes of VAT rates (interface 4.1 to 4.3). */
export const ratesReference: Reference = { ...snapshots, listChanges, listChangesOfDate };
