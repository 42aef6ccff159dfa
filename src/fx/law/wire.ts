import { joinJson, jsonNumber } from '../../platform/values/exact-json.ts';
import type { CsvTable } from '../../platform/csv/csv.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import { bankTable } from '../banks/body.ts';
import { parseSnapshot } from '../snapshot.ts';
import { findFixed, type FixedRate } from './euro-accessions.ts';
import type { Law } from './rules.ts';

/** A request with everything of its answer that does not come from the publication. */
export type LawRequest = {
  /** The first fields of the answer, in their order. */
  readonly head: Readonly<Record<string, string | null>>;
  /**
   * The days between which currencies have to become the euro to be in `fixed`: after the first one, null for all; and up
   * to the second one, null for the date of the publication. Undefined for a national bank, whose publications are no rates
   * of the euro.
   */
  readonly fixed: { readonly after: IsoDate | null; readonly through: IsoDate | null } | undefined;
  readonly law: Law;
};

/** Callers keep the CSV of a period or tax point as immutable, so these columns never change (contract C8). */
export const lawColumns = ['currency', 'rate'] as const;

/** The publication that a law means: its date, and its stored body. */
export type DecidingBody = { readonly date: IsoDate; readonly body: string };

/**
 * Prints the answer of a rule. Callers keep it as immutable, so a text in it changes only with the changelog (contract C8).
 *
 * `date`, `base` and `rates` are the text of the stored body, which is the body of `/fx/<date>`; those of a national bank
 * are the body of `/fx/<bank>/<date>`.
 */
export function printLawAnswer(request: LawRequest, found: DecidingBody): string {
  const { head, fixed, law } = request;
  const { legalBasis, inForceSince } = law;
  const tail = { fixed: fixed && printFixed(fixedOf(fixed, found)), legalBasis, inForceSince };
  return joinJson(head, found.body, tail);
}

/**
 * The same as a table with one row for each currency: the published ones, then those that only have a fixed rate. A fixed
 * rate replaces a published one, because from the first day of the euro on only the fixed one is lawful.
 */
export function lawTable(request: LawRequest, found: DecidingBody): CsvTable {
  if (request.fixed === undefined) return bankTable(found.body);
  const rates = new Map<string, string>(parseSnapshot(found.body).rates);
  for (const { currency, rate } of fixedOf(request.fixed, found)) rates.set(currency, rate);
  return { columns: lawColumns, rows: [...rates] };
}

function fixedOf(
  { after, through }: NonNullable<LawRequest['fixed']>,
  { date }: DecidingBody,
): readonly FixedRate[] {
  return findFixed({ after, through: through ?? date });
}

function printFixed(rates: readonly FixedRate[]): object {
  return Object.fromEntries(
    rates.map(({ currency, rate, since }) => [currency, { rate: jsonNumber(rate), since }]),
  );
}
