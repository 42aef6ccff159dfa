import { date } from '../../platform/fields/dates.ts';
import * as schema from '../../platform/fields/schema.ts';
import { country, percentage } from '../definitions.ts';
import { rateKinds, type Treatment, treatments } from './category-row.ts';

const { boolean, describe, integer, list, literal, object, oneOf, orNull, record, string, union } =
  schema;

/** The schemas of rows by goods category and of the answers that have them (rules G1, G5, G13). */

export const category = string({
  pattern: '^\\w+$',
  description: 'The identifier of the category in TEDB.',
});
export const description = string({ description: 'The description of the category in TEDB.' });
export const version = describe(date, 'The date for which the rows apply.');
export const source = string({
  description:
    'The source of the rows, always `Taxes in Europe Database (TEDB), European Commission`.',
});

/** The fields of a row of a change; those of an answer to a question follow below. */
const matchedFields = {
  country,
  category,
  description,
  kind: orNull(oneOf(rateKinds), 'The kind of the rate; null for a treatment without one.'),
  treatment: oneOf(treatments, {
    description:
      'How the supply is taxed. `zero` is a rate of 0 with the right to deduct. TEDB writes zero rates and exemptions alike, so `exempted` may be a zero rate if `deduction` is null. `not_applicable`: the Member State does not use this category of the Directive, so another rate may hold. `out_of_scope`: outside the scope of VAT.',
  }),
  deduction: orNull(
    boolean(),
    'Whether input tax may be deducted: true for a rate and a zero rate, false if the comment says so, null if TEDB does not say, and it may be a zero rate.',
  ),
  rate: orNull(percentage, 'The rate; null for a treatment without one.'),
  cn_codes: list(string({ pattern: '^\\d{2,10}$' }), {
    description:
      'Codes of the Combined Nomenclature, without blanks. A code stands for all codes that begin with it.',
  }),
  cpa_codes: list(string(), {
    description: 'Codes of the classification of products by activity (CPA).',
  }),
  matched: orNull(
    string(),
    'The longest code of the row that matches the requested one; null if no code was requested, or if the row has none.',
  ),
  covers: orNull(
    oneOf(['whole', 'part']),
    '`whole` if the codes of the row contain the whole requested code, `part` if the row is about a part of it; null if `matched` is.',
  ),
};

const ownFields = {
  comment: orNull(
    string(),
    'The conditions in the words of the Member State, as plain text with line breaks. Read it before you use a rate. One of more than 32,768 characters is cut and ends with `…`.',
  ),
  territory: orNull(
    string(),
    'The territory that the row is for, in the words of TEDB; null for a national row.',
  ),
  scope: orNull(
    oneOf(['import']),
    '`import` for a row that is about imports only; it follows the others and does not count for `ambiguous`.',
  ),
  situation_on: describe(
    date,
    'The start of the record of the Member State that the row is from. It is not the date of a change.',
  ),
};

const treatmentName = oneOf(treatments);
/** A row that is not applicable is conditional, so it is never the one rate. */
const ofOneRate: schema.Schema<Treatment> = oneOf(['rate', 'zero', 'exempted', 'out_of_scope']);

const row = object(
  {
    ...matchedFields,
    conditional: boolean({
      description:
        'Whether more than the match decides if the row applies: it has a comment, its matching code is a whole chapter, division or group, it is not in force on the date, its treatment is `not_applicable`, it has no code, or an erratum concerns it.',
    }),
    inForce: orNull(
      object({
        from: orNull(date, 'The first day; null if the comment names none.'),
        to: orNull(date, 'The last day, included; null if the comment names none.'),
      }),
      'The days that the comment of the row names as its own; null if it names none, or in a form that is not recognised.',
    ),
    erratum: orNull(
      string({ pattern: '^err_[0-9a-f]{24}$' }),
      'The known error of TEDB that concerns the row (`/rates/errata?kind=goods`); null for none.',
    ),
    ...ownFields,
  },
  { $id: 'CategoryRow', description: 'A statement of TEDB about a category of goods or services.' },
);

export const changedRow = object(
  { ...matchedFields, ...ownFields },
  { $id: 'ChangedRow', description: 'A row before or after a change, without a question.' },
);

const standardRate = orNull(
  percentage,
  'The standard rate, if no other applies; null if the snapshot has none.',
);

const verdict = union(
  [
    object(
      {
        kind: literal('one'),
        rate: orNull(percentage, 'The rate; null for a treatment without one.'),
        treatment: ofOneRate,
      },
      {
        $id: 'OneRate',
        description: 'TEDB reports one rate for the whole code or category, without a condition.',
      },
    ),
    object(
      {
        kind: literal('depends'),
        rates: list(percentage, {
          description:
            'The rates of the national rows that match, in force or not, and those of the law by errata, ascending; 0 for a zero rate.',
        }),
        treatments: list(treatmentName, { description: 'Their treatments.' }),
        standard: standardRate,
      },
      {
        $id: 'DependingRate',
        description:
          'Rows match, or an erratum supplies one. Whether one of them applies is in their comments.',
      },
    ),
    object(
      {
        kind: literal('none'),
        standard: standardRate,
        uncoded: integer({
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
      'The conclusion from the rows of a country about a code or a category. Look at `kind` first: a match is a condition, and a missing row is not a rate.',
  },
);

/** A page of an answer. */
export const page = object(
  {
    version,
    source,
    rows: list(row),
    count: integer({ minimum: 0, description: 'The number of rows on this page.' }),
    ambiguous: orNull(
      boolean(),
      'Whether it is open in one country which rate applies: rows differ in treatment or rate, one is `conditional`, one covers only a part of the requested code, or an erratum supplies a row. `false` says that TEDB reports one rate for the whole code and attaches no condition. Null if no national row matches.',
    ),
    verdict: record(country, verdict, {
      description:
        'The conclusion from the rows of each requested country. Empty if neither a code nor a category was requested.',
    }),
    errata: list(string({ pattern: '^err_[0-9a-f]{24}$' }), {
      description:
        'The known errors of TEDB that the question is about, ascending: those that concern a row, and those that supply a row which TEDB lacks. `/rates/errata?kind=goods` has their law. Empty if neither a code nor a category was requested.',
    }),
    uncoded: orNull(
      record(
        country,
        object({
          rows: integer({ minimum: 1, description: 'The number of such rows.' }),
          rates: list(percentage, { description: 'The different rates in them, ascending.' }),
        }),
      ),
      'For each requested country that has any: its national rows without a code of either kind, which may be about the goods as well. `uncoded=include` lists them. Null if no code was requested.',
    ),
    withoutCodes: orNull(
      list(country),
      'The requested countries that report no code of a requested kind at all. Null if no code was requested.',
    ),
    standard: record(country, percentage, {
      description:
        'The standard rate of each requested country: the rate if no other applies. A missing row does not say that it does.',
    }),
    nextCursor: orNull(string(), 'The `cursor` of the next page; null on the last one.'),
  },
  { $id: 'CategoryRows' },
);

/** The list of changes in answers and events. */
export const categoryChanges = list(
  object(
    {
      country,
      category,
      before: list(changedRow, {
        description: 'All rows of the country and category before.',
      }),
      after: list(changedRow, { description: 'All rows of the country and category now.' }),
    },
    {
      $id: 'CategoryChange',
      description: 'A category of a country whose rates, treatments, codes or territories changed.',
    },
  ),
);
