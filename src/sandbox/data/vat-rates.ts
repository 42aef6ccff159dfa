import { type IsoDate, isoDate } from '../../platform/time/time.ts';
import rates from './vat-rates.json' with { type: 'json' };

/**
 * The real national VAT rates of the EU-27 since 2016, as the Taxes in Europe Database shows them,
 * errors included. `README.md` names the source and the errors.
 */

export const rateFields = ['standard', 'reduced', 'super_reduced', 'parking'] as const;

export type RateField = (typeof rateFields)[number];

/** One value of one field: percentage points as text, first day, first day on which it is over. */
export type RateInterval = readonly [field: RateField, value: string, from: string, to?: string];

/** The first day that the database knows. Earlier dates are answered without rows. */
export const firstSituationDate: IsoDate = isoDate('2016-01-01');

/** By registry code (Greece is `EL`), the standard rate first. */
export const rateHistory = rates.memberStates as unknown as Readonly<
  Record<string, readonly RateInterval[]>
>;

/** The EU-27 by registry code, in alphabetical order. */
export const memberStates: readonly string[] = Object.keys(rateHistory);

// Northern Ireland, and a record of the United Kingdom that has ended but is still shown.
const otherHistory = rates.others as unknown as typeof rateHistory;

/** The intervals of a Member State, of Northern Ireland (`XI`) or of the United Kingdom (`UK`). */
export function historyOf(state: string): readonly RateInterval[] {
  return rateHistory[state] ?? otherHistory[state] ?? [];
}
