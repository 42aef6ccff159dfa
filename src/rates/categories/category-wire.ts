import type { CsvTable } from '../../platform/csv.ts';
import { jsonNumber } from '../../platform/exact-json.ts';
import type { CategoryChange } from './category-changes.ts';
import type { CategorySummary } from './category-list.ts';
import type { CategoryRow } from './category-row.ts';
import type { MatchedRow } from './match-rows.ts';

/** A row of the answer, with the names of its fields as callers get them (rule G5). */
export function toWireRow(row: MatchedRow): object {
  return {
    country: row.country,
    category: row.category,
    description: row.description,
    kind: row.kind,
    treatment: row.treatment,
    rate: jsonNumber(row.rate),
    cn_codes: row.cnCodes,
    cpa_codes: row.cpaCodes,
    matched: row.matched,
    comment: row.comment,
    territory: row.territory,
    situation_on: row.situationOn,
  };
}

/**
 * Prints changes as the list in `/rates/<date>/categories/changes` and in the `categories.changed` event: byte for byte
 * the same text in both (rule G9).
 */
export function printCategoryChanges(changes: readonly CategoryChange[]): string {
  return JSON.stringify(
    changes.map(({ country, category, before, after }) => {
      const toRow = (row: CategoryRow): object => toWireRow({ ...row, country, matched: null });
      return { country, category, before: before.map(toRow), after: after.map(toRow) };
    }),
  );
}

/**
 * Rows as a table; callers keep the CSV of a date as immutable, so its columns never change (contract C8). Codes are
 * separated by blanks.
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
    ]),
  };
}

/** The list of categories as a table. */
export function categoryListTable(
  version: string,
  categories: readonly CategorySummary[],
): CsvTable {
  return {
    columns: ['category', 'description', 'countries', 'version'],
    rows: categories.map((one) => [one.category, one.description, String(one.countries), version]),
  };
}
