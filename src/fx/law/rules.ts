import { addDays, dateIn, dayOfWeek, type IsoDate, lastDateOf } from '../../platform/time.ts';
import { newestAvailableDay } from '../timetable.ts';
import type { Period } from './periods.ts';
import type { TaxPoint } from './tax-point.ts';

/** The day that a law names, and the publication that is used if there is none on that day. */
export type NamedDay = {
  readonly date: IsoDate;
  /** The first publication after it, or the newest one before it. */
  readonly otherwise: 'next' | 'previous';
};

/** The rules whose periods are declared in one return, by their names in paths. */
export const returnBasis = {
  oss: 'Directive 2006/112/EC, art. 369h(2)',
  ioss: 'Directive 2006/112/EC, art. 369u(2)',
} as const;

export const customsBasis = 'Implementing Regulation (EU) 2015/2447, art. 146';

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

/** A Member State whose own law names another day than the Directive. */
type NationalRule = {
  /** The zone in which a day of its law begins. */
  readonly timeZone: string;
  /** The days from the day of the tax point to the named day. */
  readonly days: number;
  readonly legalBasis: string;
};

/** The rules of Member States, by country code. A further one needs a citation. */
const nationalRules = {
  PL: {
    timeZone: 'Europe/Warsaw',
    days: -1,
    legalBasis: 'Polish VAT act, art. 31a(2a)',
  },
} as const satisfies Record<string, NationalRule>;

export type NationalCountry = keyof typeof nationalRules;

/** The expectation in the 400 for a country without a rule of its own. */
export const countryExpected = Object.keys(nationalRules).join(' or ');

/** Reads the code of a country that has a rule of its own; undefined for any other value. */
export function parseNationalCountry(value: unknown): NationalCountry | undefined {
  return Object.keys(nationalRules).find((code) => code === value) as NationalCountry | undefined;
}

/**
 * VAT of a tax point: that day, or the newest day whose publication is available at that instant; without a publication
 * on it, the one before. A country may have a rule of its own.
 */
export function nameDayOfTaxPoint(taxPoint: TaxPoint, country: NationalCountry | null): NamedDay {
  const isDay = taxPoint.basis === 'day';
  if (country === null) {
    const date = isDay ? taxPoint.day : newestAvailableDay(taxPoint.atMs);
    return { date, otherwise: 'previous' };
  }
  const { timeZone, days } = nationalRules[country];
  const day = isDay ? taxPoint.day : dateIn(timeZone, taxPoint.atMs);
  return { date: addDays(day, days), otherwise: 'previous' };
}

/** The law that decides about a tax point. */
export function basisOfTaxPoint(country: NationalCountry | null): string {
  return country === null ? 'Directive 2006/112/EC, art. 91(2)' : nationalRules[country].legalBasis;
}
