import type { CsvTable } from '../../platform/csv/csv.ts';
import { jsonNumber } from '../../platform/values/exact-json.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import { source } from '../snapshot.ts';
import type { CategoryChange } from './category-changes.ts';
import type { CategoryRow } from './category-row.ts';
import type { Matches, Uncoded } from './match-rows.ts';
import type { MatchedRow } from './matched-row.ts';
import type { Verdict } from './verdict.ts';

/** A page of the answer; all but its rows is about the whole answer. */
export type Page = Matches & {
  readonly version: IsoDate;
  /** The standard rate of each requested country. */
  readonly standard: Readonly<Record<string, object>>;
  readonly nextCursor: string | null;
};

/** Prints a page of the answer as callers get it (rule G5). */
export function printPage(page: Page): string {
  const { version, rows, ambiguous, verdicts, errata } = page;
  const { uncoded, withoutCodes, standard, nextCursor } = page;
  return JSON.stringify({
    version,
    source,
    rows: rows.map(toWireRow),
    count: rows.length,
    ambiguous,
    verdict: toWireVerdicts(verdicts, standard),
    errata,
    uncoded: uncoded === undefined ? null : toWireUncoded(uncoded),
    withoutCodes: withoutCodes ?? null,
    standard,
    nextCursor,
  });
}

/** A row of the answer, with the names of its fields as callers get them (rule G5). */
function toWireRow(row: MatchedRow): object {
  const { conditional, inForce, erratum } = row;
  return printRow(row, { conditional, inForce, erratum });
}

/**
 * A row in the order of its fields. Changes have rows without a request and without errata, as releases before 0.4 printed
 * them (rule G9).
 */
function printRow(
  row: CategoryRow & Pick<MatchedRow, 'country' | 'matched' | 'covers'>,
  added: object,
): object {
  return {
    country: row.country,
    category: row.category,
    description: row.description,
    kind: row.kind,
    treatment: row.treatment,
    deduction: row.deduction,
    rate: jsonNumber(row.rate),
    cn_codes: row.cnCodes,
    cpa_codes: row.cpaCodes,
    matched: row.matched,
    covers: row.covers,
    ...added,
    comment: row.comment,
    territory: row.territory,
    scope: row.scope,
    situation_on: row.situationOn,
  };
}

/** The verdict on each country, with the standard rate where the caller has to compare with it (rule G13). */
function toWireVerdicts(
  verdicts: Matches['verdicts'],
  standards: Readonly<Record<string, object>>,
): object {
  return Object.fromEntries(
    Object.entries(verdicts).map(([country, verdict]) => {
      const standard = standards[country] ?? null;
      return [country, toWireVerdict(verdict, standard)];
    }),
  );
}

function toWireVerdict(verdict: Verdict, standard: object | null): object {
  const { kind } = verdict;
  switch (kind) {
    case 'one':
      return { kind, rate: jsonNumber(verdict.rate), treatment: verdict.treatment };
    case 'depends': {
      const { rates, treatments } = verdict;
      return { kind, rates: rates.map(jsonNumber), treatments, standard };
    }
    case 'none':
      return { kind, standard, uncoded: verdict.uncoded };
  }
}

/** The rows without any code, by country (rule G5). */
function toWireUncoded(uncoded: Readonly<Record<string, Uncoded>>): object {
  return Object.fromEntries(
    Object.entries(uncoded).map(([country, { rows, rates }]) => [
      country,
      { rows, rates: rates.map(jsonNumber) },
    ]),
  );
}

/**
 * Prints changes as the list in `/rates/<date>/categories/changes` and in the `categories.changed` event: byte for byte
 * the same text in both (rule G9).
 */
export function printCategoryChanges(changes: readonly CategoryChange[]): string {
  return JSON.stringify(
    changes.map(({ country, category, before, after }) => {
      const toRow = (row: CategoryRow): object =>
        printRow({ ...row, country, matched: null, covers: null }, {});
      return { country, category, before: before.map(toRow), after: after.map(toRow) };
    }),
  );
}

/**
 * Rows as a table. Codes are separated by blanks. New columns follow the others, so that a program that reads columns by
 * their place goes on.
 */
export function categoriesTable(version: string, rows: readonly MatchedRow[]): CsvTable {
  return {
    columns: [
      'country',
      'category',
      'description',
      'kind',
      'treatment',
      'rate',
      'cn_codes',
      'cpa_codes',
      'matched',
      'comment',
      'territory',
      'situation_on',
      'version',
      'deduction',
      'covers',
      'scope',
      'conditional',
      'in_force_from',
      'in_force_to',
      'erratum',
    ],
    rows: rows.map((row) => [
      row.country,
      row.category,
      row.description,
      row.kind,
      row.treatment,
      row.rate,
      row.cnCodes.join(' '),
      row.cpaCodes.join(' '),
      row.matched,
      row.comment,
      row.territory,
      row.situationOn,
      version,
      row.deduction === null ? null : String(row.deduction),
      row.covers,
      row.scope,
      String(row.conditional),
      row.inForce?.from ?? null,
      row.inForce?.to ?? null,
      row.erratum,
    ]),
  };
}
