import { type CategoryRow, isDomestic, printRate } from '../categories/category-row.ts';
import { matchCodes } from '../categories/match-codes.ts';
import type { GoodsErratum } from './goods-erratum.ts';

/**
 * The facts of an erratum of goods that rows are compared with. The console compares as well, so this file imports no
 * table of errata.
 */
type JudgedErratum = Pick<
  GoodsErratum,
  'category' | 'codeKind' | 'codes' | 'commentBegins' | 'source' | 'law'
>;

/** Whether a row is the one that an erratum says TEDB reports. Only national rows for domestic supplies are. */
export function concernsRow(erratum: JudgedErratum, row: CategoryRow): boolean {
  const { category, commentBegins, source } = erratum;
  return (
    source !== null &&
    category === row.category &&
    isDomestic(row) &&
    printRate(row) === printRate(source) &&
    (commentBegins === null || (row.comment ?? '').startsWith(commentBegins)) &&
    codesMeet(erratum, row)
  );
}

/** Whether the rows of a country lack the row that an erratum supplies. */
export function suppliesRow(erratum: JudgedErratum, rows: readonly CategoryRow[]): boolean {
  return erratum.source === null && !rows.some((row) => agreesWithLaw(erratum, row));
}

/** Whether the rows of a country have the error: a row that the law contradicts, or none with what the law says. */
export function isReported(erratum: JudgedErratum, rows: readonly CategoryRow[]): boolean {
  return erratum.source === null
    ? suppliesRow(erratum, rows)
    : rows.some((row) => concernsRow(erratum, row));
}

/**
 * Whether the rows of a country agree with the law (rule X6). A row that is gone does if the law is the standard rate; a
 * row with a third taxation does not.
 *
 * @param standard The standard rate of the country; undefined if the answer has none.
 */
export function isCorrected(
  erratum: JudgedErratum,
  rows: readonly CategoryRow[],
  standard: string | undefined,
): boolean {
  if (erratum.source === null) return rows.some((row) => agreesWithLaw(erratum, row));
  if (rows.some((row) => concernsRow(erratum, row))) return false;
  const own = rows.filter(
    (row) => row.category === erratum.category && isDomestic(row) && codesMeet(erratum, row),
  );
  if (own.some((row) => agreesWithLaw(erratum, row))) return true;
  const { treatment, rate } = erratum.law;
  return own.length === 0 && treatment === 'rate' && rate === standard;
}

function agreesWithLaw(erratum: JudgedErratum, row: CategoryRow): boolean {
  return isDomestic(row) && printRate(row) === printRate(erratum.law) && codesMeet(erratum, row);
}

/** Whether a code of the row and one of the erratum are a beginning of one another. */
function codesMeet({ codeKind, codes }: JudgedErratum, row: CategoryRow): boolean {
  const own = codeKind === 'cn' ? row.cnCodes : row.cpaCodes;
  return codes.some((code) => matchCodes(own, code) !== undefined);
}
