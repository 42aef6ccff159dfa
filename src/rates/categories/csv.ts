import type { CsvTable } from '../../platform/csv/csv.ts';
import type { MatchedRow } from './matched-row.ts';

/** The columns of rows. New ones follow the others, so that a program that reads columns by their place goes on. */
export const categoryColumns = [
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
] as const;

/** Rows as a table. Codes are separated by blanks. */
export function categoriesTable(version: string, rows: readonly MatchedRow[]): CsvTable {
  return {
    columns: categoryColumns,
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
