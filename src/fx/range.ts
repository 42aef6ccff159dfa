import { type CurrencyCode, type FxSnapshot, parseCurrencyCode } from './snapshot.ts';

/** Currencies of one range at most: ten of 27 years are 700 KB. */
const currenciesMax = 10;

/** What a bad list is answered with. */
export const currenciesExpected = `1 to ${currenciesMax} currency codes, separated by commas`;

/** Reads `USD,GBP` in any letter case, each code once; null for what is no such list. */
export function parseCurrencies(text: unknown): readonly CurrencyCode[] | null {
  if (typeof text !== 'string' || !/^[A-Za-z,]{3,}$/.test(text)) return null;
  const given = text.toUpperCase().split(',');
  if (given.length > currenciesMax) return null;
  const codes: CurrencyCode[] = [];
  for (const one of new Set(given)) {
    const code = parseCurrencyCode(one);
    if (code === null) return null;
    codes.push(code);
  }
  return codes;
}

/** The values of some currencies over publications that are added oldest first, as an answer. */
export class RangePrinter {
  readonly #currencies: readonly CurrencyCode[];
  readonly #dates: string[] = [];
  readonly #columns: string[][];

  constructor(currencies: readonly CurrencyCode[]) {
    this.#currencies = currencies;
    this.#columns = currencies.map(() => []);
  }

  add({ date, rates }: FxSnapshot): void {
    this.#dates.push(`"${date}"`);
    // The decimals of the publication, as they are (contract C11).
    for (const [at, currency] of this.#currencies.entries()) {
      this.#columns[at]?.push(rates.get(currency) ?? 'null');
    }
  }

  print({ from, to }: { readonly from: string; readonly to: string }): string {
    const rates = this.#currencies
      .map((currency, at) => `"${currency}":[${this.#columns[at]?.join(',')}]`)
      .join(',');
    const dates = this.#dates.join(',');
    return `{"base":"EUR","from":"${from}","to":"${to}","dates":[${dates}],"rates":{${rates}}}`;
  }
}
