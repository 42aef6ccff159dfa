import { Type } from 'typebox';
import { cachePolicies } from '../../src/platform/http/responses/representation.ts';
import { dateSchema, malformed, orNull, withDescription } from './common.ts';
import type { Reference } from './route-description.ts';

const rate = Type.Number({ description: 'In percentage points: 25 means 25 %.' });
const value = Type.Union([rate, Type.Array(rate), Type.Null()]);

const erratum = Type.Object(
  {
    id: Type.String({
      pattern: '^err_[0-9a-f]{24}$',
      description: 'The id of the entry, the same on each service.',
    }),
    country: Type.String({
      pattern: '^[A-Z]{2}$',
      description: 'ISO 3166-1 alpha-2, upper case; Greece is GR.',
    }),
    field: Type.String({
      pattern: '^(standard|super_reduced|parking|reduced(\\[\\d+\\])?)$',
      description:
        'The rate, as in a change row. `reduced` is the whole list; both values are then lists.',
    }),
    from: withDescription(dateSchema, 'The first day on which the source is wrong.'),
    to: orNull(dateSchema, 'The last such day, included; null if it is not known yet.'),
    source: withDescription(value, 'What the source reports; null for no such rate.'),
    law: withDescription(value, 'What the law said, in the same form.'),
    legalBasis: Type.String({ description: 'The law, with its article.' }),
    reference: orNull(Type.String(), 'Where it is published.'),
    note: orNull(Type.String(), 'What else is to be known about these days.'),
    fixedInSource: orNull(
      dateSchema,
      'The version of the first answer of the source that agreed with the law; null if there was none. Published snapshots stay as they are.',
    ),
    by: Type.Optional(
      Type.Literal('operator', {
        description:
          'Present if the operator of the service added the entry; others are part of vatfx.',
      }),
    ),
  },
  { $id: 'Erratum', description: 'A rate that the source reports and the law contradicts.' },
);

/** The route of the known errors of the source (rule X1). */
export const errataReference: Reference = {
  listErrata: {
    tag: 'VAT rates',
    summary: 'Known errors of the source',
    description:
      'Rates that TEDB reports and the law of the Member State contradicts, by country, first day and field: all, those of a country, or those that hold on a date. `/rates` and `/rates/{date}` keep what TEDB reports; if an entry holds on their date, they have the header `Link: </rates/errata?date=…>; rel="describedby"`.',
    parameters: [
      {
        name: 'country',
        in: 'query',
        description: 'Only entries of this country, in any letter case; EL is read as GR.',
        schema: Type.String({ pattern: '^[A-Za-z]{2}$' }),
        example: 'DE',
      },
      {
        name: 'date',
        in: 'query',
        description: 'Only entries that hold on this date.',
        schema: dateSchema,
        example: '2020-09-15',
      },
    ],
    answer: {
      status: 200,
      description: 'The entries; an empty list if none is known.',
      schema: Type.Object(
        {
          errata: Type.Array(erratum),
          count: Type.Integer({ minimum: 0, description: 'The number of entries.' }),
        },
        { $id: 'ErrataList' },
      ),
      cacheControl: [cachePolicies.latest],
      hasValidator: true,
    },
    errors: [
      malformed('country', '2-letter ISO code', '`country` is not two letters.'),
      malformed('date', 'YYYY-MM-DD', '`date` is malformed or not a calendar date.'),
    ],
  },
};
