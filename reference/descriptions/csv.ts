import { categoriesReference } from './categories.ts';
import { fxLawReference } from './fx-law.ts';
import type { Reference, RouteDescription } from './route-description.ts';

const lawColumns =
  'One row for each currency, first the published ones, then those of currencies that only have a fixed rate. A fixed rate replaces a published one. Columns: `currency`, `rate` (units for 1 EUR); with the rates of a national bank `currency`, `units`, `rate`.';
const categoryColumns =
  'One row for each row of the JSON, all of them unless `limit` is given. Columns: `country`, `category`, `description`, `kind`, `treatment`, `rate`, `cn_codes` and `cpa_codes` (separated by blanks), `matched`, `comment`, `territory`, `situation_on`, `version`, `deduction`, `covers`, `scope`, `conditional`, `in_force_from`, `in_force_to`, `erratum`. Null is an empty cell.';

/** The columns of each operation that also answers as CSV. */
const columns: Readonly<Record<string, string>> = {
  findCategories: categoryColumns,
  findCategoriesOfDate: categoryColumns,
  getOssFx: lawColumns,
  getIossFx: lawColumns,
  getCustomsFx: lawColumns,
  getVatFx: lawColumns,
};

/** The routes of CSV (contract C36): as their operation without `Csv`, with another body. */
export const csvReference: Reference = Object.fromEntries(
  Object.entries(columns).map(([operation, description]) => {
    const route = {
      ...categoriesReference,
      ...fxLawReference,
    }[operation];
    if (route === undefined) throw new Error(`${operation} has no description`);
    return [`${operation}Csv`, describeCsv(route, description)];
  }),
);

function describeCsv(route: RouteDescription, description: string): RouteDescription {
  return {
    ...route,
    summary: `${route.summary}, as CSV`,
    description,
    answer: { ...route.answer, schema: 'csv' },
  };
}
