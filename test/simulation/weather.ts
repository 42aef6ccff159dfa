import { addDays, isoDate, type IsoDate } from '../../src/platform/time/time.ts';
import { publicationDayOnOrBefore } from '../../src/sandbox/ecb/calendar.ts';
import { fixingsOn } from '../../src/sandbox/ecb/series.ts';
import type { Scenario } from '../../src/sandbox/scenario/scenario.ts';
import {
  ecbFaults as everyEcbFault,
  tedbFaults as everyTedbFault,
} from '../../src/sandbox/scenario/script.ts';
import { memberStates, type RateField } from '../../src/sandbox/data/vat-rates.ts';
import { ratesInForce, type RatesInForce } from '../../src/sandbox/scenario/rates-in-force.ts';
import type { Seeded } from './seeded.ts';
import {
  changeRate,
  correctFixing,
  publishValue,
  setEcbFault,
  setLateDays,
  setTedbFault,
} from '../support/sandbox/scripts.ts';

/** Faults that take real time, which have tests of their own. */
const waitedFor = new Set(['none', 'oversized', 'gzip-bomb', 'hang', 'stall', 'drip']);
const tedbFaults = everyTedbFault.filter((fault) => !waitedFor.has(fault));
const ecbFaults = everyEcbFault.filter((fault) => !waitedFor.has(fault));

/** Decisions of Member States and faults of the upstreams, day by day. */
export class Weather {
  readonly #scenario: Scenario;
  readonly #chance: Seeded;
  /** Repairs of wrong data, by the day on which they happen. */
  #mends: { readonly day: IsoDate; readonly mend: () => void }[] = [];
  /** Member States about which TEDB's data is wrong. */
  readonly #wrong = new Set<string>();

  constructor(scenario: Scenario, chance: Seeded) {
    this.#scenario = scenario;
    this.#chance = chance;
  }

  /** Applies the events of a day before its first request. */
  begin(day: IsoDate): void {
    const chance = this.#chance;
    for (const { mend } of this.#mends.filter((one) => one.day <= day)) mend();
    this.#mends = this.#mends.filter((one) => one.day > day);

    if (chance.chance(0.2)) this.move(addDays(day, chance.pick([0, 0, 0, 0, 1, -1, -3])));
    if (chance.chance(0.04)) this.#err(day);
    if (chance.chance(0.06)) this.#correct(day);
    if (chance.chance(0.03)) this.#misprint(day);
    this.#fall(day);
  }

  /** A plausible move of one field, as Member States make them. */
  move(from: IsoDate): void {
    const chance = this.#chance;
    const country = chance.pick(memberStates) ?? 'HU';
    const rates = ratesInForce(country, from, this.#scenario.state.rates);
    const [field, values] = moved(rates, chance);
    if (values !== undefined) changeRate(this.#scenario, country, field, values, from);
  }

  /** Ends all faults, and corrects all data. */
  clear(): void {
    for (const { mend } of this.#mends) mend();
    this.#mends = [];
    this.#scenario.apply({
      tedb: { fault: 'none', missing: [] },
      ecb: { fault: 'none', lateDays: 0, missing: [] },
    });
  }

  /** Begins faults, some of which end with the day. */
  #fall(day: IsoDate): void {
    const chance = this.#chance;
    const scenario = this.#scenario;
    if (chance.chance(0.6)) setTedbFault(scenario, 'none');
    if (chance.chance(0.6)) setEcbFault(scenario, 'none');
    if (chance.chance(0.7)) setLateDays(scenario, 0);
    if (chance.chance(0.12))
      setTedbFault(scenario, chance.pick(tedbFaults) ?? 'html', this.#times());
    if (chance.chance(0.12)) setEcbFault(scenario, chance.pick(ecbFaults) ?? 'html', this.#times());
    if (chance.chance(0.04)) setLateDays(scenario, chance.integer(1, 3));
    if (chance.chance(0.02)) {
      const missing = fixingsOn(publicationDayOnOrBefore(day)).slice(0, chance.integer(1, 6));
      scenario.apply({ ecb: { missing: missing.map(({ currency }) => currency) } });
      this.#mendLater(day, () => scenario.apply({ ecb: { missing: [] } }));
    }
  }

  /** A move that no Member State would make: an operator decides on it; later TEDB is corrected, unless it was right. */
  #err(day: IsoDate): void {
    const chance = this.#chance;
    const country = chance.pick(memberStates) ?? 'HU';
    const before = ratesInForce(country, day, this.#scenario.state.rates);
    const standard = Number(before.standard[0]);
    const wrong: readonly [RateField, readonly string[]][] = [
      ['standard', [String(standard + 7)]],
      ['standard', ['55']],
      ['standard', ['0']],
      ['standard', [String(standard), String(standard - 2)]],
      ['reduced', []],
      ['reduced', [String(standard + 3)]],
    ];
    const what = chance.pick([...wrong, undefined]);
    if (what === undefined) {
      this.#scenario.apply({ tedb: { missing: [country] } });
      this.#mendLater(day, () => this.#scenario.apply({ tedb: { missing: [] } }));
      return;
    }
    // A value that is wrong already cannot be the right one of a later correction.
    if (this.#wrong.has(country)) return;
    this.#wrong.add(country);
    const [field, values] = what;
    changeRate(this.#scenario, country, field, values, day);
    this.#mendLater(day, () => {
      this.#wrong.delete(country);
      changeRate(this.#scenario, country, field, before[field], day);
    });
  }

  /** The ECB corrects a published day. */
  #correct(day: IsoDate): void {
    const date = publicationDayOnOrBefore(addDays(day, -this.#chance.integer(1, 6)));
    const fixing = this.#chance.pick(fixingsOn(date));
    if (fixing === undefined) return;
    const value = (Number(fixing.value) * (1 + this.#chance.integer(1, 9) / 1_000)).toFixed(4);
    correctFixing(this.#scenario, date, fixing.currency, value);
    const takenBack = (): void =>
      correctFixing(this.#scenario, date, fixing.currency, fixing.value);
    if (this.#chance.chance(0.3)) this.#mendLater(day, takenBack);
  }

  /** The ECB publishes a value that is far off. */
  #misprint(day: IsoDate): void {
    const date = publicationDayOnOrBefore(day);
    const fixing = this.#chance.pick(fixingsOn(date));
    if (date !== day || fixing === undefined) return;
    const { currency, value } = fixing;
    publishValue(this.#scenario, date, currency, (Number(value) * 3).toFixed(2));
    this.#mendLater(day, () => publishValue(this.#scenario, date, currency, value));
  }

  #mendLater(day: IsoDate, mend: () => void): void {
    this.#mends.push({ day: addDays(day, this.#chance.integer(1, 3)), mend });
  }

  #times(): number | null {
    return this.#chance.pick([null, null, 1, 2, 5]);
  }
}

/** A field with new values; without values if the move is not possible for this Member State. */
function moved(rates: RatesInForce, chance: Seeded): readonly [RateField, string[] | undefined] {
  const standard = Number(rates.standard[0]);
  const reduced = rates.reduced.filter((value) => value !== '0').map(Number);
  const others = [...reduced, ...rates.super_reduced.map(Number), ...rates.parking.map(Number)];
  const field = chance.pick<RateField>([
    'standard',
    'reduced',
    'reduced',
    'super_reduced',
    'parking',
  ]);
  if (field === 'standard') {
    const next = standard + chance.pick([-2, -1, -0.5, 0.5, 1, 2]);
    const fits = next >= 15 && next <= 30 && others.every((rate) => rate < next);
    return [field, fits ? [String(next)] : undefined];
  }
  // TEDB may tell a standard rate of 0 by mistake; no other rate is below it then.
  if (standard < 2) return [field, undefined];
  const value = chance.integer(2, 2 * (standard - 1)) / 2;
  if (field !== 'reduced') return [field, chance.chance(0.4) ? [] : [String(value)]];
  const kept = chance.chance(0.5) && reduced.length > 1 ? reduced.slice(1) : reduced;
  const next = kept.length < 3 && kept.length === reduced.length ? [...kept, value] : kept;
  return [field, next.length === 0 ? undefined : next.map(String)];
}

/** The date in a time zone, computed without the product. */
export function dateAt(epochMs: number, timeZone: string): IsoDate {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return isoDate(format.format(epochMs));
}
