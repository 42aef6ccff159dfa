import { stableId } from '../platform/values/digest.ts';
import type { IsoDate } from '../platform/time/time.ts';
import type { RateEntry, RateSnapshot } from './snapshot.ts';

/** One rate of one country that moved. */
export type FieldMove = {
  readonly country: string;
  /** `standard`, `super_reduced`, `parking` or `reduced[N]`. */
  readonly field: string;
  /** Canonical decimal; null if there was no such rate. */
  readonly old: string | null;
  readonly new: string | null;
};

/** A row of the change log (interface 2.2). */
export type RateChange = FieldMove & {
  /** Derived from the row, so it is the same each time the row is computed. */
  readonly id: string;
  readonly snapshotDate: IsoDate;
  /** ISO instant. */
  readonly detectedAt: string;
};

type Entries = Pick<RateSnapshot, 'entries'>;

/**
 * Lists every rate that moved between two snapshots, by country, then field, in binary order.
 *
 * A reduced rate is known only by its place in the ascending list, so adding 5 below 10 gives two
 * moves: `reduced[0]` 10 → 5 and `reduced[1]` null → 10 (interface 2.2). A country that enters or
 * leaves moves in each of its fields (contract C16).
 */
export function diffSnapshots(previous: Entries, current: Entries): FieldMove[] {
  const before = fieldsByCountry(previous);
  const after = fieldsByCountry(current);
  const countries = [...new Set([...before.keys(), ...after.keys()])].sort();
  return countries.flatMap((country) => {
    const was = before.get(country) ?? new Map<string, string>();
    const is = after.get(country) ?? new Map<string, string>();
    return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((field) => {
      const move = { country, field, old: was.get(field) ?? null, new: is.get(field) ?? null };
      return move.old === move.new ? [] : [move];
    });
  });
}

/** The change rows of a snapshot: its moves against the one before, with their stable ids. */
export function toChanges(
  moves: readonly FieldMove[],
  of: { readonly version: IsoDate; readonly detectedAt: string },
): RateChange[] {
  return moves.map((move) => ({
    ...move,
    id: stableId('rc', of.version, move.country, move.field),
    snapshotDate: of.version,
    detectedAt: of.detectedAt,
  }));
}

function fieldsByCountry(snapshot: Entries): Map<string, Map<string, string>> {
  return new Map(snapshot.entries.map((entry) => [entry.country, fieldsOf(entry)]));
}

function fieldsOf(entry: RateEntry): Map<string, string> {
  const fields = new Map([['standard', entry.standard]]);
  for (const [at, value] of entry.reduced.entries()) fields.set(`reduced[${at}]`, value);
  if (entry.superReduced !== undefined) fields.set('super_reduced', entry.superReduced);
  if (entry.parking !== undefined) fields.set('parking', entry.parking);
  return fields;
}
