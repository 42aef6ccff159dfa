/** An amount in euro whose value in a currency is wrong by a cent if it is computed with binary numbers. */
export type TellingAmount = {
  readonly amount: string;
  readonly currency: string;
  /** The right value, rounded half up to two decimals. */
  readonly exact: string;
};

/** Finds such an amount for the rates of a day; `rates` are decimals as the service prints them. */
export function findTellingAmount(rates: Readonly<Record<string, string>>): TellingAmount {
  for (const [currency, rate] of Object.entries(rates)) {
    const [whole = '', decimals = ''] = rate.split('.');
    const scale = 10n ** BigInt(decimals.length);
    for (let cents = 1n; cents < 100_000n; cents += 1n) {
      const product = cents * BigInt(whole + decimals);
      const exact = printCents((product + scale / 2n) / scale);
      const amount = printCents(cents);
      const binary = (Math.round(Number(amount) * Number(rate) * 100) / 100).toFixed(2);
      if (binary !== exact) return { amount, currency, exact };
    }
  }
  throw new Error('binary numbers are right for all amounts below 1,000 EUR');
}

function printCents(cents: bigint): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}
