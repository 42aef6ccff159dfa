import { categoriesReference } from './categories.ts';
import { errataReference } from './errata.ts';
import { fxLawReference } from './fx-law.ts';
import { fxReference } from './fx.ts';
import { fxBanksReference } from './fx-banks.ts';
import { ratesReference } from './rates.ts';
import type { Reference, RouteDescription } from './route-description.ts';
import { storedCheckReference } from './stored-checks.ts';
import { operationsOf } from '../../src/fx/banks/data-sets.ts';
import { bankNames } from '../../src/platform/publication/data-set-kinds.ts';
import { checkColumns } from '../../src/vat-check/stored/requests/check-table.ts';

const changeColumns =
  'Columns: `id`, `snapshotDate`, `country`, `field`, `old`, `new`, `detectedAt`, as in the JSON. A rate that did not exist, before or after, is an empty cell.';
const rateColumns =
  'One row for each country. Columns: `country` (ISO 3166-1), `name`, `currency`, `standard`, `reduced` (ascending, separated by blanks), `super_reduced`, `parking`, `version`. An empty cell means that the country has no such rate.';
const fxColumns =
  'One row for each currency. Columns: `date`, `currency`, `rate` (units for 1 EUR).';
const lawColumns =
  'One row for each currency, first the published ones, then those of currencies that only have a fixed rate. A fixed rate replaces a published one. Columns: `currency`, `rate` (units for 1 EUR); with the rates of a national bank `currency`, `units`, `rate`.';
const bankColumns =
  'One row for each currency. Columns: `currency`, `units`, `rate` (units of the currency of the bank for as many units).';
const categoryColumns =
  'One row for each row of the JSON, all of them unless `limit` is given. Columns: `country`, `category`, `description`, `kind`, `treatment`, `rate`, `cn_codes` and `cpa_codes` (separated by blanks), `matched`, `comment`, `territory`, `situation_on`, `version`, `deduction`, `covers`, `scope`, `conditional`, `in_force_from`, `in_force_to`, `erratum`. Null is an empty cell.';
const errataColumns =
  'Columns: `id`, `country`, `field`, `from`, `to`, `source`, `law`, `legalBasis`, `reference`, `note`, `fixedInSource`, `by`, `seen`, as in the JSON. With `kind=goods`: `id`, `country`, `category`, `codeKind`, `codes`, `commentBegins`, `from`, `to`, `sourceTreatment`, `sourceRate`, `lawTreatment`, `lawRate`, `condition`, `legalBasis`, `reference`, `seen`, `note`, `fixedInSource`, `by`. A list of rates or codes is separated by blanks; null is an empty cell.';

/** The columns of each operation that also answers as CSV. */
const columns: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    bankNames.flatMap((name) => {
      const { latest, dated } = operationsOf(name);
      return [latest, dated].map((operation) => [operation, bankColumns]);
    }),
  ),
  getLatestRates: rateColumns,
  getRates: rateColumns,
  listErrata: errataColumns,
  findCategories: categoryColumns,
  findCategoriesOfDate: categoryColumns,
  listChanges: changeColumns,
  getLatestFx: fxColumns,
  getFx: fxColumns,
  getOssFx: lawColumns,
  getIossFx: lawColumns,
  getCustomsFx: lawColumns,
  getVatFx: lawColumns,
  listChecks: `One row for each check. If more checks follow, the header \`Link\` has the address of the next page, with \`rel="next"\`. Columns: ${checkColumns.map((name) => `\`${name}\``).join(', ')}.`,
  getFxRange:
    'One row for each date. Columns: `date`, then one for each currency in the order of `currencies`. A currency without a value on a date is an empty cell.',
};

/** The routes of CSV (contract C36): as their operation without `Csv`, with another body. */
export const csvReference: Reference = Object.fromEntries(
  Object.entries(columns).map(([operation, description]) => {
    const route = {
      ...ratesReference,
      ...errataReference,
      ...categoriesReference,
      ...fxReference,
      ...fxBanksReference,
      ...fxLawReference,
      ...storedCheckReference,
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
