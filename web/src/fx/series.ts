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

/** One series for each currency, in the order of the request. */
export function readSeries({ rates }: FxRange): readonly Series[] {
  return Object.entries(rates).map(([currency, values]) => ({ currency, values }));
}

/** Summarises one series; undefined for a currency without any rate. */
export function summarise({ currency, values }: Series): Summary | undefined {
  const rates = values.filter((value) => value !== null);
  const [first] = rates;
  const last = rates.at(-1);
  if (first === undefined || last === undefined) return undefined;
  // `Math.min(...rates)` would fail for a long range: the number of arguments is limited.
  const lowest = rates.reduce((a, b) => Math.min(a, b));
  const highest = rates.reduce((a, b) => Math.max(a, b));
  return { currency, first, last, lowest, highest };
}

/** Converts each value to percent above or below the first value, so that all currencies fit one scale. */
export function toChange({ currency, values }: Series): Series {
  const first = values.find((value) => value !== null) ?? 1;
  return {
    currency,
    values: values.map((value) => (value === null ? null : (value / first - 1) * 100)),
  };
}

/** Prints the change between two values: “+3.2 %”. */
export function printChange(from: number, to: number): string {
  const percent = (to / from - 1) * 100;
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '';
  return `${sign}${Math.abs(percent).toFixed(1)} %`;
}
