import type { IsoDate } from '../../platform/time/time.ts';
import { historyOf, type RateField, rateFields } from '../data/vat-rates.ts';

/** From `from` on, a field of a country has these values instead of the real ones. */
export interface RateScript {
  /** The registry code: `EL` for Greece. */
  readonly country: string;
  readonly field: RateField;
  /** An empty list empties the field; two standard rates make the country ambiguous. */
  readonly values: readonly string[];
  readonly from: IsoDate;
}

/** The values of every field on one day; a field without values is absent from the country's rates. */
export type RatesInForce = Readonly<Record<RateField, readonly string[]>>;

/** The rates of a Member State on a day: the newest scripted change of a field, else its history. */
export function ratesInForce(
  state: string,
  date: IsoDate,
  scripts: readonly RateScript[],
): RatesInForce {
  const valuesOf = (field: RateField): readonly string[] => {
    const scripted = scripts
      .filter((one) => one.country === state && one.field === field && one.from <= date)
      .toSorted((a, b) => (a.from < b.from ? -1 : 1))
      .at(-1);
    if (scripted !== undefined) return scripted.values;
    return historyOf(state)
      .filter(([name, , from, to]) => name === field && from <= date && (to ?? '9999') > date)
      .map(([, value]) => value);
  };
  return Object.fromEntries(rateFields.map((field) => [field, valuesOf(field)])) as RatesInForce;
}
