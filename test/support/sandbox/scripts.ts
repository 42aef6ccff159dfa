import { addDays, isoDate } from '../../../src/platform/time/time.ts';
import type { Trader } from '../../../src/sandbox/data/traders.ts';
import type { RateField } from '../../../src/sandbox/data/vat-rates.ts';
import type { Scenario } from '../../../src/sandbox/scenario/scenario.ts';
import type { EcbFault, TedbFault } from '../../../src/sandbox/scenario/script.ts';
import type {
  MemberStateCondition,
  MemberStateScript,
} from '../../../src/sandbox/scenario/vies-script.ts';
import type { TransportFault } from '../../../src/sandbox/transport/faults.ts';

/** Short forms of the scripts that tests use most; dates and moments are texts. */

/** Moves the sandbox to a day in Brussels at the same time of day; null follows the base clock again. */
export function setToday(scenario: Scenario, date: string | null): void {
  scenario.apply({ today: date === null ? null : isoDate(date) });
}

/** Moves the sandbox to a moment like `2026-11-21T16:30:00+01:00`. */
export function setNow(scenario: Scenario, moment: string): void {
  scenario.apply({ now: Temporal.Instant.from(moment).epochMilliseconds });
}

/** Moves the sandbox to the next day at the same time of day. */
export function moveToNextDay(scenario: Scenario): void {
  scenario.apply({ today: addDays(scenario.today, 1) });
}

/** `changeRate(scenario, 'EL', 'standard', ['25'], '2026-11-21')`. */
export function changeRate(
  scenario: Scenario,
  country: string,
  field: RateField,
  values: readonly string[],
  from: string,
): void {
  scenario.apply({ rates: [{ country, field, values, from: isoDate(from) }] });
}

/** Sets a fault of TEDB for a number of answers; null is for all. */
export function setTedbFault(
  scenario: Scenario,
  fault: TedbFault,
  times: number | null = null,
): void {
  scenario.apply({ tedb: { fault, times } });
}

/** Sets a fault of the ECB for a number of answers; null is for all. */
export function setEcbFault(
  scenario: Scenario,
  fault: EcbFault,
  times: number | null = null,
): void {
  scenario.apply({ ecb: { fault, times } });
}

/** Sets a fault of VIES for a number of answers; null is for all. */
export function setViesFault(
  scenario: Scenario,
  fault: TransportFault,
  times: number | null = null,
): void {
  scenario.apply({ vies: { fault, times } });
}

/** `setMemberState(scenario, 'DE', 'down', { untilMinutes: 40 })`; `'up'` heals. */
export function setMemberState(
  scenario: Scenario,
  country: string,
  state: MemberStateCondition,
  rest: Omit<MemberStateScript, 'state'> = {},
): void {
  scenario.apply({ vies: { memberStates: { [country]: { state, ...rest } } } });
}

/** Registers traders in VIES, instead of those with the same number. */
export function registerTraders(scenario: Scenario, ...register: readonly Trader[]): void {
  scenario.apply({ vies: { register } });
}

export function deregisterTrader(scenario: Scenario, country: string, number: string): void {
  scenario.apply({ vies: { deregister: [{ country, number }] } });
}

/** Delays the ECB's publications by days. */
export function setLateDays(scenario: Scenario, lateDays: number): void {
  scenario.apply({ ecb: { lateDays } });
}

/** Changes a value in the ECB's files from now on. */
export function correctFixing(
  scenario: Scenario,
  date: string,
  currency: string,
  value: string,
): void {
  scenario.apply({ ecb: { corrections: [{ date: isoDate(date), currency, value }] } });
}

/** Sets a value that is in the ECB's files from their publication on. */
export function publishValue(
  scenario: Scenario,
  date: string,
  currency: string,
  value: string,
): void {
  scenario.apply({ ecb: { values: [{ date: isoDate(date), currency, value }] } });
}
