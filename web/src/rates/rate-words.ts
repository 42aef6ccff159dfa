import type { RateEntry } from '../wire.ts';
import { listInWords } from '../words.ts';

/** The four kinds of rates, in the order of the columns. */
export const rateKinds = ['standard', 'reduced', 'super_reduced', 'parking'] as const;
export type RateKind = (typeof rateKinds)[number];

export const kindNames: Readonly<Record<RateKind, string>> = {
  standard: 'Standard',
  reduced: 'Reduced',
  super_reduced: 'Super-reduced',
  parking: 'Parking',
};

const places = ['', 'Second ', 'Third '] as const;

/** “Standard rate”; “Second reduced rate”: a reduced rate has no name, only a place in the ascending list, from 0. */
export function rateName(kind: RateKind, at = 0): string {
  const name = `${kindNames[kind]} rate`;
  return at === 0 ? name : `${places[at] ?? `${at + 1}th `}${name.toLowerCase()}`;
}

/** The values of a kind, ascending; empty if the country has none. */
export function valuesOf(entry: RateEntry | undefined, kind: RateKind): readonly number[] {
  if (entry === undefined) return [];
  if (kind === 'reduced') return entry.reduced;
  const value = entry[kind];
  return value === null ? [] : [value];
}

/** Prints values for a table: “5.5 · 10”; a dash if there are none. */
export function printValues(values: readonly number[]): string {
  return values.length === 0 ? '–' : values.join(' · ');
}

/** Prints values for a sentence: “5.5 % and 10 %”. */
export function valuesInWords(values: readonly number[]): string {
  return values.length === 0 ? 'none' : listInWords(values.map((value) => `${value} %`));
}

/** The difference of one kind of rate in words; undefined if there is none. */
export function differenceInWords(
  before: readonly number[],
  after: readonly number[],
): string | undefined {
  if (before.length === after.length && before.every((value, at) => value === after[at])) {
    return undefined;
  }
  if (before.length === 0) return 'new';
  if (after.length === 0) return `removed, was ${valuesInWords(before)}`;
  const [was] = before;
  const [is] = after;
  if (before.length > 1 || after.length > 1 || was === undefined || is === undefined) {
    return `changed from ${valuesInWords(before)}`;
  }
  return `${is > was ? 'raised' : 'lowered'} from ${was} %`;
}
