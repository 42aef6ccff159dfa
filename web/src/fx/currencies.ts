const names = new Intl.DisplayNames('en', { type: 'currency' });

/** The largest number of currencies in one request. */
export const currenciesMax = 10;

/** The English name of a currency, such as “US Dollar”; the code itself if the currency is unknown. */
export function currencyName(code: string): string {
  return names.of(code) ?? code;
}

/** Reads the currencies in an address, such as `USD,GBP`. If there is no valid code, it returns `USD`. */
export function readCurrencies(text: string): readonly string[] {
  const codes = text.split(',').filter((code) => /^[A-Z]{3}$/.test(code));
  return codes.length === 0 ? ['USD'] : [...new Set(codes)].slice(0, currenciesMax);
}
