import { Type } from 'typebox';
import { cachePolicies } from '../../src/platform/http/responses/representation.ts';
import { treatments } from '../../src/rates/categories/category-row.ts';
import { listKinds } from '../../src/rates/errata/erratum.ts';
import { expectedKind } from '../../src/rates/errata/routes.ts';
import { codeKinds } from '../../src/rates/errata/goods-erratum.ts';
import { dateSchema, malformed, orNull, withDescription } from './common.ts';
import type { Reference } from './route-description.ts';

const rate = Type.Number({ description: 'In percentage points: 25 means 25 %.' });
const value = Type.Union([rate, Type.Array(rate), Type.Null()]);

const id = Type.String({
  pattern: '^err_[0-9a-f]{24}$',
  description: 'The id of the entry, the same on each service.',
});
const country = Type.String({
  pattern: '^[A-Z]{2}$',
  description: 'ISO 3166-1 alpha-2, upper case; Greece is GR.',
});
const to = orNull(dateSchema, 'The last such day, included; null if it is not known yet.');

/** The last fields of both kinds. */
const proof = {
  legalBasis: Type.String({ description: 'The law, with its article.' }),
  reference: orNull(Type.String(), 'Where it is published.'),
  seen: orNull(
    Type.String({ enum: ['primary', 'secondary'] }),
    '`primary` if the text of the law, of the gazette or of the tax office was read, `secondary` if a named publication that quotes it was; null for an entry of the operator.',
  ),
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
};

const erratum = Type.Object(
  {
    id,
    kind: Type.Literal('national'),
    country,
    field: Type.String({
      pattern: '^(standard|super_reduced|parking|reduced(\\[\\d+\\])?)$',
      description:
        'The rate, as in a change row. `reduced` is the whole list; both values are then lists.',
    }),
    from: withDescription(dateSchema, 'The first day on which the source is wrong.'),
    to,
    source: withDescription(value, 'What the source reports; null for no such rate.'),
    law: withDescription(value, 'What the law said, in the same form.'),
    ...proof,
  },
  { $id: 'Erratum', description: 'A rate that the source reports and the law contradicts.' },
);

const taxation = Type.Object(
  {
    treatment: Type.String({ enum: [...treatments] }),
    rate: orNull(rate, 'The rate, 0 for `zero`; null for a treatment without one.'),
  },
  { $id: 'Taxation', description: 'The treatment of a supply, as in rows by goods category.' },
);

const goodsErratum = Type.Object(
  {
    id,
    kind: Type.Literal('goods'),
    country,
    category: Type.String({ description: 'The identifier of the category in TEDB.' }),
    codeKind: Type.String({ enum: [...codeKinds], description: 'The kind of the codes.' }),
    codes: Type.Array(Type.String(), {
      description: 'The beginnings of the codes that are meant, as TEDB writes them.',
    }),
    commentBegins: orNull(
      Type.String(),
      'How the comment of the row begins that is meant, if category, codes and rate do not suffice.',
    ),
    from: orNull(dateSchema, 'The first day; null for as long as it is known.'),
    to,
    source: Type.Union([taxation, Type.Null()], {
      description:
        'What the source reports. Null: it has no row whose codes meet these with the taxation of the law.',
    }),
    law: taxation,
    condition: orNull(Type.String(), 'For which supplies the law says so; null for all.'),
    ...proof,
  },
  {
    $id: 'GoodsErratum',
    description:
      'A row by goods category that the source reports otherwise than the law, or not at all. It concerns rows only as long as they read as `source` says.',
  },
);

/** The route of the known errors of the source (rule X1). */
export const errataReference: Reference = {
  listErrata: {
    tag: 'VAT rates',
    summary: 'Known errors of the source',
    description:
      'Rates that TEDB reports and the law of the Member State contradicts: those of countries, by country, first day and field, or those of goods and services, by country, category and codes; all, those of a country, or those whose days contain a date. Rows of `/rates/categories` name theirs. `/rates` and `/rates/{date}` keep what TEDB reports; if an entry of a national rate holds on their date, they have the header `Link: </rates/errata?date=…>; rel="describedby"`.',
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
      {
        name: 'kind',
        in: 'query',
        description:
          'Entries of national rates, of goods, or both. A CSV file has one kind, because their columns differ.',
        schema: Type.String({ enum: [...listKinds], default: 'national' }),
        example: 'goods',
      },
    ],
    answer: {
      status: 200,
      description: 'The entries; an empty list if none is known.',
      schema: Type.Object(
        {
          errata: Type.Array(Type.Union([erratum, goodsErratum])),
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
      malformed(
        'kind',
        expectedKind,
        '`kind` has another value, or it is `all` and the path ends in `.csv`.',
      ),
    ],
  },
};
