import { quote } from '../../platform/values/quote.ts';
import { type CategoryRow, type CountryRows, isDomestic } from './category-row.ts';

/**
 * Finds rows whose rate no other domestic row of the country has, and whose own comment names other percentages only: a
 * typing error of TEDB, in all likelihood (rule G10). Returns a sentence for each.
 */
export function findOddRates(countries: readonly CountryRows[]): readonly string[] {
  return countries.flatMap(({ country, rows }) => {
    const domestic = rows.filter(isDomestic);
    const byRate = Map.groupBy(domestic, ({ rate }) => rate);
    return domestic.flatMap((row) => {
      const named = readPercentages(row.comment ?? '');
      const isOdd =
        row.treatment === 'rate' &&
        byRate.get(row.rate)?.length === 1 &&
        named.length > 0 &&
        !named.includes(row.rate ?? '');
      return isOdd ? [describe(country, row, named)] : [];
    });
  });
}

function describe(
  country: string,
  { category, rate }: CategoryRow,
  named: readonly string[],
): string {
  const others = quote(named.map((one) => `${one} %`).join(', '));
  return `${country} ${quote(category)}: no other row has the rate ${rate}, and its comment names ${others}`;
}

/** The percentages that a text names, as decimals in their canonical form: `7 %`, `5,50%`. */
export function readPercentages(text: string): readonly string[] {
  const found = [...text.matchAll(/(?<![\d.,])(\d{1,2})(?:[.,](\d{1,3}))? ?%/g)].map(
    ([, whole = '', decimals = '']) => {
      const trimmed = decimals.replace(/0+$/, '');
      return `${Number(whole)}${trimmed === '' ? '' : `.${trimmed}`}`;
    },
  );
  return [...new Set(found)];
}
