const names = new Intl.DisplayNames('en', { type: 'currency' });

/** The most that one question may ask for. */
export const currenciesMax = 10;

/** “US Dollar”; the code itself where nobody knows a name. */
export function currencyName(code: string): string {
  return names.of(code) ?? code;
}

/** Reads `USD,GBP`; the two that are asked for most where it says nothing. */
export function readCurrencies(text: string | null): readonly string[] {
  const codes = (text ?? '').split(',').filter((code) => /^[A-Z]{3}$/.test(code));
  return codes.length === 0 ? ['USD'] : [...new Set(codes)].slice(0, currenciesMax);
}
