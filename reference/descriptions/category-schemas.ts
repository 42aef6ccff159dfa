import { Type } from 'typebox';
import { treatments } from '../../src/rates/categories/category-row.ts';
import { dateSchema, orNull, withDescription } from './common.ts';

/** The schemas of rows by goods category and of the answers that have them (rules G1, G5, G13). */

const percentage = Type.Number({ description: 'In percentage points: 25 means 25 %.' });
export const country = Type.String({
  pattern: '^[A-Z]{2}$',
  description: 'ISO 3166-1 alpha-2, upper case; Greece is GR.',
});
export const category = Type.String({
  pattern: '^\\w+$',
  description: 'The identifier of the category in TEDB.',
});
export const description = Type.String({ description: 'The description of the category in TEDB.' });
export const version = withDescription(dateSchema, 'The date for which the rows apply.');
export const source = Type.String({
  description:
    'The source of the rows, always `Taxes in Europe Database (TEDB), European Commission`.',
});

/** The fields of a row of a change; those of an answer to a question follow below. */
const matchedFields = {
  country,
  category,
  description,
  kind: orNull(
    Type.String({ enum: ['standard', 'reduced', 'super_reduced', 'parking'] }),
    'The kind of the rate; null for a treatment without one.',
  ),
  treatment: Type.String({
    enum: [...treatments],
    description:
      'How the supply is taxed. `zero` is a rate of 0 with the right to deduct. TEDB writes zero rates and exemptions alike, so `exempted` may be a zero rate if `deduction` is null. `not_applicable`: the Member State does not use this category of the Directive, so another rate may hold. `out_of_scope`: outside the scope of VAT.',
  }),
  deduction: orNull(
    Type.Boolean(),
    'Whether input tax may be deducted: true for a rate and a zero rate, false if the comment says so, null if TEDB does not say, and it may be a zero rate.',
  ),
  rate: orNull(percentage, 'The rate; null for a treatment without one.'),
  cn_codes: Type.Array(Type.String({ pattern: '^\\d{2,10}$' }), {
    description:
      'Codes of the Combined Nomenclature, without blanks. A code stands for all codes that begin with it.',
  }),
  cpa_codes: Type.Array(Type.String(), {
    description: 'Codes of the classification of products by activity (CPA).',
  }),
  matched: orNull(
    Type.String(),
    'The longest code of the row that matches the requested one; null if no code was requested, or if the row has none.',
  ),
  covers: orNull(
    Type.String({ enum: ['whole', 'part'] }),
    '`whole` if the codes of the row contain the whole requested code, `part` if the row is about a part of it; null if `matched` is.',
  ),
};

const ownFields = {
  comment: orNull(
    Type.String(),
    'The conditions in the words of the Member State, as plain text with line breaks. Read it before you use a rate. One of more than 32,768 characters is cut and ends with `…`.',
  ),
  territory: orNull(
    Type.String(),
    'The territory that the row is for, in the words of TEDB; null for a national row.',
  ),
  scope: orNull(
    Type.String({ enum: ['import'] }),
    '`import` for a row that is about imports only; it follows the others and does not count for `ambiguous`.',
  ),
  situation_on: withDescription(
    dateSchema,
    'The start of the record of the Member State that the row is from. It is not the date of a change.',
  ),
};

const treatmentName = Type.String({ enum: [...treatments] });

const row = Type.Object(
  {
    ...matchedFields,
    conditional: Type.Boolean({
      description:
        'Whether more than the match decides if the row applies: it has a comment, its matching code is a whole chapter, division or group, it is not in force on the date, its treatment is `not_applicable`, it has no code, or an erratum concerns it.',
    }),
    inForce: orNull(
      Type.Object({
        from: orNull(dateSchema, 'The first day; null if the comment names none.'),
        to: orNull(dateSchema, 'The last day, included; null if the comment names none.'),
      }),
      'The days that the comment of the row names as its own; null if it names none, or in a form that is not recognised.',
    ),
    erratum: orNull(
      Type.String({ pattern: '^err_[0-9a-f]{24}$' }),
      'The known error of TEDB that concerns the row (`/rates/errata?kind=goods`); null for none.',
    ),
    ...ownFields,
  },
  { $id: 'CategoryRow', description: 'A statement of TEDB about a category of goods or services.' },
);

export const changedRow = Type.Object(
  { ...matchedFields, ...ownFields },
  { $id: 'ChangedRow', description: 'A row before or after a change, without a question.' },
);

const standardRate = orNull(
  percentage,
  'The standard rate, if no other applies; null if the snapshot has none.',
);

const verdict = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal('one'),
        rate: orNull(percentage, 'The rate; null for a treatment without one.'),
        treatment: Type.String({ enum: ['rate', 'zero', 'exempted', 'out_of_scope'] }),
      },
      {
        $id: 'OneRate',
        description: 'TEDB reports one rate for the whole code or category, without a condition.',
      },
    ),
    Type.Object(
      {
        kind: Type.Literal('depends'),
        rates: Type.Array(percentage, {
          description:
            'The rates of the national rows that match, in force or not, and those of the law by errata, ascending; 0 for a zero rate.',
        }),
        treatments: Type.Array(treatmentName, { description: 'Their treatments.' }),
        standard: standardRate,
      },
      {
        $id: 'DependingRate',
        description:
          'Rows match, or an erratum supplies one. Whether one of them applies is in their comments.',
      },
    ),
    Type.Object(
      {
        kind: Type.Literal('none'),
        standard: standardRate,
        uncoded: Type.Integer({
          minimum: 0,
          description: 'The number of national rows without a code of either kind.',
        }),
      },
      {
        $id: 'NoRate',
        description:
          'Neither a row nor an erratum. It does not say that the standard rate applies: the law, or a row without codes, may say otherwise.',
      },
    ),
  ],
  {
    $id: 'RateVerdict',
    description:
      'What the rows of a country say about a code or a category. Look at `kind` first: a match is a condition, and a missing row is not a rate.',
  },
);

/** A page of an answer. */
export const page = Type.Object(
  {
    version,
    source,
    rows: Type.Array(row),
    count: Type.Integer({ minimum: 0, description: 'The number of rows on this page.' }),
    ambiguous: orNull(
      Type.Boolean(),
      'Whether it is open in one country which rate applies: rows differ in treatment or rate, one is `conditional`, one covers only a part of the requested code, or an erratum supplies a row. `false` says that TEDB reports one rate for the whole code and attaches no condition. Null if no national row matches.',
    ),
    verdict: Type.Record(country, verdict, {
      description:
        'What the rows of each requested country say. Empty if neither a code nor a category was requested.',
    }),
    errata: Type.Array(Type.String({ pattern: '^err_[0-9a-f]{24}$' }), {
      description:
        'The known errors of TEDB that the question is about, ascending: those that concern a row, and those that supply a row which TEDB lacks. `/rates/errata?kind=goods` has their law. Empty if neither a code nor a category was requested.',
    }),
    uncoded: orNull(
      Type.Record(
        country,
        Type.Object({
          rows: Type.Integer({ minimum: 1, description: 'The number of such rows.' }),
          rates: Type.Array(percentage, { description: 'The different rates in them, ascending.' }),
        }),
      ),
      'For each requested country that has any: its national rows without a code of either kind, which may be about the goods as well. `uncoded=include` lists them. Null if no code was requested.',
    ),
    withoutCodes: orNull(
      Type.Array(country),
      'The requested countries that report no code of a requested kind at all. Null if no code was requested.',
    ),
    standard: Type.Record(country, percentage, {
      description:
        'The standard rate of each requested country: the rate if no other applies. A missing row does not say that it does.',
    }),
    nextCursor: orNull(Type.String(), 'The `cursor` of the next page; null on the last one.'),
  },
  { $id: 'CategoryRows' },
);
