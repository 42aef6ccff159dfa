import type { CsvTable } from '../../platform/csv.ts';
import type { IsoDate } from '../../platform/time.ts';
import { parseSnapshot } from '../snapshot.ts';
import { findFixed } from './euro-accessions.ts';

/** A request with everything of its answer that does not come from the publication. */
export type LawRequest = {
  /** The first fields of the answer, in their order. */
  readonly head: Readonly<Record<string, string | null>>;
  /** The first day of the period, for rules whose answer has the currencies that became the euro; else undefined. */
  readonly firstDay: IsoDate | undefined;
  readonly legalBasis: string;
};

/** The publication that a law means: its date, and its stored body. */
export type DecidingBody = { readonly date: IsoDate; readonly body: string };

/**
 * Prints the answer of a rule. Callers keep it as immutable, so its fields and texts never change (contract C8).
 *
 * `date`, `base` and `rates` are the text of the stored body, which is the body of `/fx/<date>`.
 */
export function printLawAnswer(
  { head, firstDay, legalBasis }: LawRequest,
  { date, body }: DecidingBody,
): string {
  const fixed = firstDay === undefined ? '' : `"fixed":${printFixed(firstDay, date)},`;
  const begin = JSON.stringify(head).slice(0, -1);
  return `${begin},${body.slice(1, -1)},${fixed}"legalBasis":${JSON.stringify(legalBasis)}}`;
}

/** The same as a table with one row for each currency: first the published rates, then the fixed ones. */
export function lawTable({ firstDay }: LawRequest, { date, body }: DecidingBody): CsvTable {
  const fixed = firstDay === undefined ? [] : findFixed(firstDay, date);
  return {
    columns: ['currency', 'rate'],
    rows: [...parseSnapshot(body).rates, ...fixed.map(({ currency, rate }) => [currency, rate])],
  };
}

function printFixed(firstDay: IsoDate, date: IsoDate): string {
  const members = findFixed(firstDay, date).map(
    ({ currency, rate, since }) => `"${currency}":{"rate":${rate},"since":"${since}"}`,
  );
  return `{${members.join(',')}}`;
}
