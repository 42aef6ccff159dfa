import type { FxRange } from '../wire.ts';

export type Series = {
  readonly currency: string;
  readonly values: readonly (number | null)[];
};

export type Summary = {
  readonly currency: string;
  readonly first: number;
  readonly last: number;
  readonly lowest: number;
  readonly highest: number;
};

/** One for each currency, in the order in which they were chosen. */
export function readSeries(range: FxRange, currencies: readonly string[]): readonly Series[] {
  return currencies.flatMap((currency) => {
    const values = range.rates[currency];
    return values === undefined ? [] : { currency, values };
  });
}

/** What a chart shows, in figures; undefined for a currency that was not quoted at all. */
export function summarise({ currency, values }: Series): Summary | undefined {
  const quoted = values.filter((value) => value !== null);
  const [first] = quoted;
  const last = quoted.at(-1);
  if (first === undefined || last === undefined) return undefined;
  // Not spread into Math.min: the longest range is too long for arguments.
  const lowest = quoted.reduce((a, b) => Math.min(a, b));
  const highest = quoted.reduce((a, b) => Math.max(a, b));
  return { currency, first, last, lowest, highest };
}

/** Each value as percent above or below the first: currencies of any size on one scale. */
export function toChange({ currency, values }: Series): Series {
  const first = values.find((value) => value !== null) ?? 1;
  return {
    currency,
    values: values.map((value) => (value === null ? null : (value / first - 1) * 100)),
  };
}

/** “+3.2 %”. */
export function printChange(from: number, to: number): string {
  const percent = (to / from - 1) * 100;
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '';
  return `${sign}${Math.abs(percent).toFixed(1)} %`;
}
