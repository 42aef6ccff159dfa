import {
  addDays,
  dateIn,
  dayOfWeek,
  isoDate,
  type IsoDate,
  lastDateOf,
  parseIsoDate,
} from '../../platform/time/time.ts';
import { ecbTimetable } from '../ecb-timetable.ts';
import {
  findNational,
  type LawBank,
  type NationalCountry,
  nationalLaws,
} from './national-rules.ts';
import type { Period } from './periods.ts';

/** The day that a law names, and the publication that is used if there is none on that day. */
export type NamedDay = {
  readonly date: IsoDate;
  /** The first publication after it, or the newest one before it. */
  readonly otherwise: 'next' | 'previous';
  /** Whether the day must have ended, also if its publication is known. Default: only for `next`. */
  readonly mustEnd?: boolean;
};

/** The law that a rule comes from. */
export type Law = {
  readonly legalBasis: string;
  /** The first day on which the rule holds (legal-fx L3a); null if it is not known. */
  readonly inForceSince: IsoDate | null;
};

/** The rules whose periods are declared in one return, by their names in paths. */
export const returnLaws = {
  oss: {
    legalBasis:
      'Directive 2006/112/EC, art. 369h(2) (Union scheme), art. 366(2) (non-Union scheme)',
    // Of the Union scheme; the non-Union scheme had the same rule from 2003-07-01 on.
    inForceSince: isoDate('2015-01-01'),
  },
  ioss: {
    legalBasis: 'Directive 2006/112/EC, art. 369u(2)',
    inForceSince: isoDate('2021-07-01'),
  },
} as const satisfies Record<string, Law>;

export const customsLaw: Law = {
  legalBasis: 'Implementing Regulation (EU) 2015/2447, art. 146',
  inForceSince: isoDate('2016-05-01'),
};

/** OSS and IOSS: the last day of the period; without a publication on it, the next one. */
export function nameDayOfReturn({ last }: Period): NamedDay {
  return { date: last, otherwise: 'next' };
}

/** Customs: the penultimate Wednesday of the month before; without a publication on it, the one before. */
export function nameDayOfCustoms({ first }: Period): NamedDay {
  const [year, month] = [Number(first.slice(0, 4)), Number(first.slice(5, 7))];
  const last = month === 1 ? lastDateOf(year - 1, 12) : lastDateOf(year, month - 1);
  const sinceWednesday = (dayOfWeek(last) + 4) % 7;
  const day = Number(last.slice(8)) - sinceWednesday - 7;
  return { date: `${last.slice(0, 8)}${day}` as IsoDate, otherwise: 'previous' };
}

const directive: Law = {
  legalBasis: 'Directive 2006/112/EC, art. 91(2)',
  inForceSince: isoDate('2013-01-01'),
};

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
