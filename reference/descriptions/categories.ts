import { Type } from 'typebox';
import { cachePolicies } from '../../src/platform/http/responses/representation.ts';
import { categoryParameters, malformedCategoryQuery } from './category-parameters.ts';
import {
  category,
  changedRow,
  country,
  description,
  page,
  source,
  version,
} from './category-schemas.ts';
import { dateParameter, dateSchema, malformedDate } from './common.ts';
import type { AnswerDescription, ErrorDescription, Reference } from './route-description.ts';

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
      before: Type.Array(changedRow, {
        description: 'All rows of the country and category before.',
      }),
      after: Type.Array(changedRow, { description: 'All rows of the country and category now.' }),
    },
    {
      $id: 'CategoryChange',
      description: 'A category of a country whose rates, treatments, codes or territories changed.',
    },
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
  'A match is a condition, not a decision: codes of TEDB are wider than its words, so read `verdict` and the comments. No row is chosen. A missing row is not a rate: TEDB leaves goods out, and reports some without codes, which `uncoded` counts. Rows in force come first, then those that are not, rows for imports, and rows without codes; within each by digits in common with the code, country, category, kind and rate. `ambiguous`, `verdict`, `errata`, `uncoded`, `withoutCodes` and `standard` are those of the whole answer, on every page.';

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
