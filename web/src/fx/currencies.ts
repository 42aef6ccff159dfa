const names = new Intl.DisplayNames('en', { type: 'currency' });

/** The largest number of currencies in one request. */
export const currenciesMax = 10;

/** “US Dollar”; the code itself for an unknown currency. */
export function currencyName(code: string): string {
  return names.of(code) ?? code;
}

/** Reads `USD,GBP`; without any code it is the US dollar. */
export function readCurrencies(text: string): readonly string[] {
  const codes = text.split(',').filter((code) => /^[A-Z]{3}$/.test(code));
  return codes.length === 0 ? ['USD'] : [...new Set(codes)].slice(0, currenciesMax);
}
