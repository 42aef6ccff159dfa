import { Type } from 'typebox';
import { cachePolicies } from '../../src/platform/http/responses/representation.ts';
import { categoryParameters, malformedCategoryQuery } from './category-parameters.ts';
import { dateParameter, dateSchema, malformedDate, orNull, withDescription } from './common.ts';
import type { AnswerDescription, ErrorDescription, Reference } from './route-description.ts';

const percentage = Type.Number({ description: 'In percentage points: 25 means 25 %.' });
const country = Type.String({
  pattern: '^[A-Z]{2}$',
  description: 'ISO 3166-1 alpha-2, upper case; Greece is GR.',
});
const category = Type.String({
  pattern: '^\\w+$',
  description: 'The identifier of the category in TEDB.',
});
const description = Type.String({ description: 'The description of the category in TEDB.' });
const version = withDescription(dateSchema, 'The date for which the rows apply.');
const source = Type.String({
  description:
    'The source of the rows, always `Taxes in Europe Database (TEDB), European Commission`.',
});

const row = Type.Object(
  {
    country,
    category,
    description,
    kind: orNull(
      Type.String({ enum: ['standard', 'reduced', 'super_reduced', 'parking'] }),
      'The kind of the rate; null for a treatment without one.',
    ),
    treatment: Type.String({
      enum: ['rate', 'zero', 'exempted', 'out_of_scope', 'not_applicable'],
      description:
        'How the supply is taxed. `zero` is a rate of 0 with the right to deduct. TEDB writes zero rates and exemptions alike, so `exempted` may be a zero rate if `deduction` is null.',
    }),
    deduction: orNull(
      Type.Boolean(),
      'Whether input tax may be deducted: true for a rate and a zero rate, false if the comment says so, null if TEDB does not say.',
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
  },
  { $id: 'CategoryRow', description: 'A statement of TEDB about a category of goods or services.' },
);

const page = Type.Object(
  {
    version,
    source,
    rows: Type.Array(row),
    count: Type.Integer({ minimum: 0, description: 'The number of rows on this page.' }),
    ambiguous: Type.Boolean({
      description:
        'Whether the rows of one country differ in treatment or rate, or cover only a part of the requested code. Only their comments say which one applies. `false` says that the rows of TEDB agree, not that no other rate exists.',
    }),
    uncoded: orNull(
      Type.Record(
        country,
        Type.Object({
          rows: Type.Integer({ minimum: 1, description: 'The number of such rows.' }),
          rates: Type.Array(percentage, { description: 'The different rates in them, ascending.' }),
        }),
      ),
      'For each requested country that has any: its national rows without a code of the requested kind, which may be about the goods as well. `uncoded=include` lists them. Null if no code was requested.',
    ),
    standard: Type.Record(country, percentage, {
      description:
        'The standard rate of each requested country: the rate if no other applies. A missing row does not say that it does.',
    }),
    nextCursor: orNull(Type.String(), 'The `cursor` of the next page; null on the last one.'),
  },
  { $id: 'CategoryRows' },
);

const list = Type.Object(
  {
    version,
    source,
    categories: Type.Array(
      Type.Object({
        category,
        description,
        countries: Type.Integer({
          minimum: 0,
          description: 'The number of countries that apply a rate below their standard rate.',
        }),
      }),
    ),
    count: Type.Integer({ minimum: 0, description: 'The number of categories.' }),
  },
  { $id: 'CategoryList' },
);

/** The list of changes in answers and events. */
export const categoryChangesSchema = Type.Array(
  Type.Object(
    {
      country,
      category,
      before: Type.Array(row, { description: 'All rows of the country and category before.' }),
      after: Type.Array(row, { description: 'All rows of the country and category now.' }),
    },
    { $id: 'CategoryChange' },
  ),
);

const datedChanges = Type.Object(
  {
    snapshotDate: dateSchema,
    changes: categoryChangesSchema,
    count: Type.Integer({ minimum: 0, description: 'The number of categories that changed.' }),
  },
  { $id: 'CategoryChanges' },
);

const noRows: ErrorDescription = {
  error: 'noCategories',
  when: 'The snapshot has no rows by goods category, because it was published before they were kept.',
};
const noneYet: ErrorDescription = {
  error: 'noRatesYet',
  when: 'No snapshot has been published yet.',
};

function answer(description: string, cacheControl: string): AnswerDescription {
  return {
    status: 200,
    description,
    schema: page,
    cacheControl: [cacheControl],
    hasValidator: true,
  };
}

const tag = 'VAT rates';
const rules =
  'Rows are ordered by the length of the match, then by country, category, kind and rate. No row is chosen: if `ambiguous` is true, only the comments say which rate applies. A missing row is not a rate: TEDB leaves goods out, and reports some without codes, which `uncoded` counts. Rows for imports follow the others.';

/** The routes of rates by goods category (rules G3 to G6). */
export const categoriesReference: Reference = {
  findCategories: {
    tag,
    summary: 'The VAT rates of goods and services',
    description: `The statements of TEDB about a category, or a CN or CPA code, on the date of the latest snapshot. At least one of \`country\`, \`category\`, \`cn\` and \`cpa\` is needed; a row meets all that are given. ${rules}`,
    parameters: categoryParameters,
    answer: answer('The rows of the latest snapshot.', cachePolicies.latest),
    errors: [...malformedCategoryQuery, noneYet, noRows],
  },
  findCategoriesOfDate: {
    tag,
    summary: 'The VAT rates of goods and services on a date',
    description: `As \`/rates/categories\`, for the snapshot of a date. ${rules}`,
    parameters: [dateParameter, ...categoryParameters],
    answer: answer('The rows of the snapshot.', cachePolicies.immutable),
    errors: [
      malformedDate,
      ...malformedCategoryQuery,
      { error: 'snapshotNotFound', when: 'The date has no snapshot.', hasLink: true },
      noRows,
    ],
  },
  listCategoryChanges: {
    tag,
    summary: 'The goods and services whose rates changed on a date',
    description:
      'The categories of a country whose rows have other rates, treatments, codes or territories than in the snapshot before, territories included. A new comment or situation date alone is not a change. The first snapshot with rows, and a backfilled one, have no changes.',
    parameters: [dateParameter],
    answer: {
      status: 200,
      description: 'The changes, by country and category; an empty list if there are none.',
      schema: datedChanges,
      cacheControl: [cachePolicies.immutable],
      hasValidator: true,
    },
    errors: [
      malformedDate,
      { error: 'snapshotNotFound', when: 'The date has no snapshot.', hasLink: true },
      noRows,
    ],
  },
  listCategories: {
    tag,
    summary: 'The categories of goods and services',
    description: 'The categories of the latest snapshot, by identifier.',
    answer: {
      status: 200,
      description: 'The categories.',
      schema: list,
      cacheControl: [cachePolicies.latest],
      hasValidator: true,
    },
    errors: [noneYet, noRows],
  },
};
