import { dayOfWeek, isoDate, type IsoDate, lastDateOf } from '../../platform/time/time.ts';
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

export const customsLaw = {
  legalBasis: 'Implementing Regulation (EU) 2015/2447, art. 146',
  inForceSince: isoDate('2016-05-01'),
} as const satisfies Law;

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

/** The rule for a tax point if no country is named. */
export const directive: Law = {
  legalBasis: 'Directive 2006/112/EC, art. 91(2)',
  inForceSince: isoDate('2013-01-01'),
};
