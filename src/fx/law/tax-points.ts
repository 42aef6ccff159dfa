import { addDays, dateIn, type IsoDate, parseIsoDate } from '../../platform/time/time.ts';
import { ecbTimetable } from '../ecb/calendar.ts';
import {
  findNational,
  type LawBank,
  type NationalCountry,
  nationalLaws,
} from './national-rules.ts';
import { directive, type Law, type NamedDay } from './rules.ts';

/** A tax point, and the facts that a country's own rule needs. */
export type TaxedSupply = {
  readonly taxPoint: TaxPoint;
  /** Null for the rule of the Directive. */
  readonly country: NationalCountry | null;
  /** The bank whose publications are used. */
  readonly bank: LawBank;
  /** The day of issue of the invoice; null if it was not given. */
  readonly issued: IsoDate | null;
};

/** The rule for a tax point: the day that the law names, the day of the tax point, and the law itself. */
export type TaxPointRule = {
  readonly named: NamedDay;
  /** In Frankfurt, or in the country whose rule was asked for. */
  readonly day: IsoDate;
  readonly law: Law;
};

/**
 * VAT of a tax point: that day, or the newest day whose publication is available at that instant; without a publication
 * on it, the one before. A country may have a rule of its own.
 */
export function applyTaxPointRule({ taxPoint, country, bank, issued }: TaxedSupply): TaxPointRule {
  const isDay = taxPoint.basis === 'day';
  if (country === null) {
    const date = isDay ? taxPoint.day : ecbTimetable.newestAvailableDay(taxPoint.atMs);
    const day = isDay ? taxPoint.day : ecbTimetable.today(taxPoint.atMs);
    return { named: { date, otherwise: 'previous' }, day, law: directive };
  }
  const rule = findNational(country, bank);
  if (rule === undefined) throw new Error(`the law of ${country} does not name ${bank}`);
  const { days, mustEnd = false, law, lawIfIssuedBefore } = rule;
  const day = isDay ? taxPoint.day : dateIn(nationalLaws[country].timeZone, taxPoint.atMs);
  const isIssuedBefore = issued !== null && issued < day && lawIfIssuedBefore !== undefined;
  const named = addDays(isIssuedBefore ? issued : day, days);
  return {
    named: { date: named, otherwise: 'previous', ...(mustEnd ? { mustEnd } : {}) },
    day,
    law: isIssuedBefore ? lawIfIssuedBefore : law,
  };
}

/** The moment at which VAT becomes chargeable, as a day or as an instant. */
export type TaxPoint =
  | { readonly basis: 'day'; readonly day: IsoDate }
  | { readonly basis: 'instant'; readonly atMs: number };

/** The expectation in the 400 for a malformed tax point. */
export const taxPointExpected = 'YYYY-MM-DD or an instant with an offset';

const instantForm =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Later instants are read as this one, so that no day is after the year 9999, the last one that a date can have. */
const newestInstantMs = Date.parse('9999-12-31T00:00:00Z');

/**
 * Reads a day, or an instant with its offset from UTC, with or without fractions of a second.
 *
 * Undefined for any other text, such as an instant without an offset: it would be another moment in each country.
 */
export function parseTaxPoint(text: string): TaxPoint | undefined {
  const [, dayOfInstant] = instantForm.exec(text) ?? [];
  const day = parseIsoDate(dayOfInstant ?? text);
  if (day === undefined) return undefined;
  if (dayOfInstant === undefined) return { basis: 'day', day };
  return { basis: 'instant', atMs: Math.min(Date.parse(text), newestInstantMs) };
}
