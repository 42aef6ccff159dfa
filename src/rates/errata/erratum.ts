import { stableId } from '../../platform/values/digest.ts';
import { isoDate, type IsoDate } from '../../platform/time/time.ts';
import type { RateEntry } from '../snapshot.ts';
import table from './errata.json' with { type: 'json' };

/** The value of a field as canonical decimals: null for no such rate, a list for all reduced rates. */
export type FieldValue = string | null | readonly string[];

/** The facts that errata of national rates and of goods have in common. */
export type ErratumProof = {
  readonly id: string;
  /** ISO 3166-1 alpha-2: `GR` for Greece. */
  readonly country: string;
  /** The last day, included; null if it is not known yet. */
  readonly to: IsoDate | null;
  readonly legalBasis: string;
  /** Where the law, or its application, is published. */
  readonly reference: string | null;
  /**
   * `primary` if the text of the law, of the gazette or of the tax office was read, `secondary` if a named publication that
   * quotes it was; null for an operator's entry (rule X8).
   */
  readonly seen: 'primary' | 'secondary' | null;
  readonly note: string | null;
  /** Null for an entry of the program. */
  readonly by: 'operator' | null;
};

/** A national rate that TEDB reports and the law of the Member State contradicts (rule X1). */
export type Erratum = ErratumProof & {
  /** As in a change row: `standard`, `reduced[0]`; `reduced` for the whole list, if positions would mislead. */
  readonly field: string;
  /** The first day. */
  readonly from: IsoDate;
  /** The value that TEDB reports. */
  readonly source: FieldValue;
  /** The value that the law says. */
  readonly law: FieldValue;
};

/** An erratum, and whether TEDB has corrected it meanwhile. */
export type KnownErratum = Erratum & {
  /** The version of the first answer of TEDB that agreed with the law; null if there was none (rule X6). */
  readonly fixedInSource: IsoDate | null;
};

/** Whether two errata hold on a common day. */
export function haveCommonDay(a: ErratumDays, b: ErratumDays): boolean {
  const isBefore = (day: IsoDate | null, last: IsoDate | null): boolean =>
    day === null || last === null || day <= last;
  return isBefore(a.from, b.to) && isBefore(b.from, a.to);
}

/** The fields of which an erratum may be, as a pattern. */
export const fieldPattern = /^(?:standard|super_reduced|parking|reduced(?:\[\d{1,2}\])?)$/;

/** The errata of the program, by country, first day and field (rule X4). `docs/accuracy.md` says what was compared. */
export const programErrata: readonly Erratum[] = table.map((row) => ({
  ...row,
  id: erratumId(row),
  from: isoDate(row.from),
  to: row.to === null ? null : isoDate(row.to),
  source: decimalsOf(row.source),
  law: decimalsOf(row.law),
  seen: row.seen as Erratum['seen'],
  by: null,
}));

/** The id of an erratum, the same on each service. */
export function erratumId(of: Readonly<Record<'country' | 'field' | 'from', string>>): string {
  return stableId('err', of.country, of.field, of.from);
}

/** The days of an erratum; null for a side that is open. */
export type ErratumDays = { readonly from: IsoDate | null; readonly to: IsoDate | null };

/** Whether an erratum holds on a date. */
export function holdsOn({ from, to }: ErratumDays, date: IsoDate): boolean {
  return (from === null || from <= date) && (to === null || date <= to);
}

/** The value of a field in the rates of a country. */
export function valueOf(entry: RateEntry, field: string): FieldValue {
  const values: Readonly<Record<string, FieldValue | undefined>> = {
    standard: entry.standard,
    super_reduced: entry.superReduced,
    parking: entry.parking,
    reduced: entry.reduced,
  };
  const position = /^reduced\[(\d+)\]$/.exec(field)?.[1];
  return (position === undefined ? values[field] : entry.reduced[Number(position)]) ?? null;
}

export function isSameValue(a: FieldValue, b: FieldValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A value for a person: `10 and 4`, or `none`. */
export function valueInWords(value: FieldValue): string {
  const values = typeof value === 'string' ? [value] : (value ?? []);
  return values.length === 0 ? 'none' : values.join(' and ');
}

function decimalsOf(value: number | null | readonly number[]): FieldValue {
  if (value === null) return null;
  return typeof value === 'number' ? String(value) : value.map(String);
}

/** The kinds of errata of which there are lists (rule X1). */
export const listKinds = ['national', 'goods', 'all'] as const;

/** The conditions of a list of errata; undefined for none. */
export type ErrataQuery = {
  readonly country: string | undefined;
  readonly date: IsoDate | undefined;
};

/** The errata of a country that hold on a date, in their order. */
export function filterErrata<T extends ErratumDays & Pick<ErratumProof, 'country'>>(
  errata: readonly T[],
  { country, date }: ErrataQuery,
): readonly T[] {
  return errata.filter(
    (erratum) =>
      (country === undefined || erratum.country === country) &&
      (date === undefined || holdsOn(erratum, date)),
  );
}
