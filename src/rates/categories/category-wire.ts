import type { CsvTable } from '../../platform/csv/csv.ts';
import { jsonNumber } from '../../platform/values/exact-json.ts';
import type { CategoryChange } from './category-changes.ts';
import type { CategoryRow } from './category-row.ts';
import type { MatchedRow, Uncoded } from './match-rows.ts';

/** A row of the answer, with the names of its fields as callers get them (rule G5). */
export function toWireRow(row: MatchedRow): object {
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
    comment: row.comment,
    territory: row.territory,
    scope: row.scope,
    situation_on: row.situationOn,
  };
}

/** The rows without a code of the requested kind, by country (rule G5). */
export function toWireUncoded(uncoded: Readonly<Record<string, Uncoded>>): object {
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
        toWireRow({ ...row, country, matched: null, covers: null });
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
    ]),
  };
}
