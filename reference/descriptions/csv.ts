import { fxLawReference } from './fx-law.ts';
import type { Reference, RouteDescription } from './route-description.ts';

const lawColumns =
  'One row for each currency, first the published ones, then those of currencies that only have a fixed rate. A fixed rate replaces a published one. Columns: `currency`, `rate` (units for 1 EUR); with the rates of a national bank `currency`, `units`, `rate`.';

/** The columns of each operation that also answers as CSV. */
const columns: Readonly<Record<string, string>> = {
  getOssFx: lawColumns,
  getIossFx: lawColumns,
  getCustomsFx: lawColumns,
  getVatFx: lawColumns,
};

/** The routes of CSV (contract C36): as their operation without `Csv`, with another body. */
export const csvReference: Reference = Object.fromEntries(
  Object.entries(columns).map(([operation, description]) => {
    const route = {
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
