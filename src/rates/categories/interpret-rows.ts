import { readScope } from '../tedb-rows.ts';
import type { CategoryRow, StoredRow } from './category-row.ts';
import { readDays } from './comment-days.ts';

/**
 * Derives the facts that only a row's comment tells: zero rates, the right to deduct, imports, and the row's own days
 * (rules G1, G5b, G7).
 *
 * It is done when rows are read, not when they are stored: a stored set never changes, and a better reading holds for
 * every date and makes no change between two dates. A row for imports that repeats a domestic row is left out.
 */
export function interpretRows(rows: readonly StoredRow[]): readonly CategoryRow[] {
  return dropImportCopies(
    rows.map((row) => {
      const comment = row.comment ?? '';
      const treatment = isExempted(row) ? readExempted(comment) : row.treatment;
      const rate = isExempted(row) ? (treatment === 'zero' ? '0' : null) : row.rate;
      return {
        ...row,
        treatment,
        rate,
        deduction: readDeduction(treatment, comment),
        scope: row.territory === null && isForImports(comment) ? 'import' : null,
        inForce: readDays(row.comment, rate),
      };
    }),
  );
}

/** Whether TEDB says EXEMPTED; releases before 0.3 stored `zero` for some of these rows. */
function isExempted({ kind, treatment }: StoredRow): boolean {
  return kind === null && (treatment === 'exempted' || treatment === 'zero');
}

const saysZeroRate =
  /\bzero[ -]?(?:tax[ -]?)?rat|(?<![\d.,])0(?:[.,]0+)? ?%|\bnil rate|\bright (?:of|to) (?:\w+ )?deduct|\bdeduction right|\bwith (?:the |a )?(?:right to )?(?:\w+ )?(?:deduct|credit)/i;
const saysWithoutDeduction = /\b(?:without|no|excluding)\b[^.;\n]{0,30}\b(?:deduct|credit)/i;

/** TEDB writes EXEMPTED for zero rates as well, so the comment decides which one it is (rule G1). */
function readExempted(comment: string): 'zero' | 'exempted' {
  const isZero =
    saysZeroRate.test(comment) &&
    !saysWithoutDeduction.test(comment) &&
    !/\bwithout\b/i.test(comment);
  return isZero ? 'zero' : 'exempted';
}

function readDeduction(treatment: CategoryRow['treatment'], comment: string): boolean | null {
  if (treatment === 'rate' || treatment === 'zero') return true;
  return treatment === 'exempted' && saysWithoutDeduction.test(comment) ? false : null;
}

/** Whether a comment says that its row is about imports only. A comment that mentions imports does not. */
function isForImports(comment: string): boolean {
  return (
    readImportRest(comment) !== undefined ||
    /\bimport(?:s|ation)? only\b|\bonly\b[^.;\n]{0,40}\bimportation\b/i.test(comment)
  );
}

/** The comment behind `VAT - Import -`; undefined for any other comment. */
function readImportRest(comment: string): string | undefined {
  const scope = readScope(comment);
  return scope?.scope.toLowerCase() === 'import' ? scope.rest : undefined;
}

function dropImportCopies(rows: readonly CategoryRow[]): readonly CategoryRow[] {
  // Only Germany has such rows.
  if (rows.every(({ scope }) => scope === null)) return rows;
  const domestic = new Set(
    rows.filter(({ scope }) => scope === null).map((row) => supplyKey(row, row.comment ?? '')),
  );
  return rows.filter((row) => {
    const rest = row.scope === null ? undefined : readImportRest(row.comment ?? '');
    return rest === undefined || !domestic.has(supplyKey(row, rest));
  });
}

/** Comments of copies differ by full stops and line breaks, so only their letters and digits are compared. */
function supplyKey(row: CategoryRow, comment: string): string {
  const { category, kind, treatment, rate, cnCodes, cpaCodes, territory } = row;
  return JSON.stringify([
    [category, kind, treatment, rate, territory],
    [cnCodes, cpaCodes, comment.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')],
  ]);
}
