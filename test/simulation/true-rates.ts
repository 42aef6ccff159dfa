import type { IsoDate } from '../../src/platform/time/time.ts';
import { memberStates } from '../../src/sandbox/data/vat-rates.ts';
import { type RateScript, ratesInForce } from '../../src/sandbox/scenario/rates-in-force.ts';
import type { Fields } from '../journeys/support/fold.ts';

/** The rates that a snapshot of a date must have, from the decisions of the Member States (contract C13). */
export function trueFields(date: IsoDate, scripts: readonly RateScript[]): Fields {
  const fields = new Map<string, string>();
  for (const state of memberStates) {
    const country = state === 'EL' ? 'GR' : state;
    const rates = ratesInForce(state, date, scripts);
    const [standard = 0] = rates.standard.map(Number);
    const reduced = ascending(rates.reduced).filter((rate) => rate !== standard);
    const [superReduced] = ascending(rates.super_reduced).filter((rate) => !reduced.includes(rate));
    const [parking] = ascending(rates.parking);

    fields.set(`${country} standard`, String(standard));
    for (const [at, rate] of reduced.entries())
      fields.set(`${country} reduced[${at}]`, String(rate));
    if (superReduced !== undefined) fields.set(`${country} super_reduced`, String(superReduced));
    if (parking !== undefined) fields.set(`${country} parking`, String(parking));
  }
  return fields;
}

/** Each rate once, without zero. */
function ascending(values: readonly string[]): number[] {
  return [...new Set(values.map(Number))].filter((rate) => rate > 0).sort((a, b) => a - b);
}
