import { memberStates } from '../member-states.ts';
import { readScope, type TedbRow } from '../tedb-rows.ts';
import type { CategoryRow, RateKind, Treatment } from './category-row.ts';
import { type CategorySet, toCategorySet } from './category-sets.ts';
import { toPlainText } from './plain-text.ts';

/** The territory of a row of category REGION whose comment does not name one. */
const unnamedTerritory = 'not named';

/**
 * Reads the rows with a category from TEDB's rows, for each Member State that has any, by country (rules G1, G7).
 *
 * A copy of a domestic row that is marked as import is dropped.
 */
export function readCategories(rows: readonly TedbRow[]): readonly CategorySet[] {
  const byState = Map.groupBy(rows, ({ memberState }) => memberState);
  return memberStates.flatMap(({ country, registryCode }) => {
    const own = (byState.get(registryCode) ?? []).flatMap(toCategoryRow);
    return own.length === 0 ? [] : [toCategorySet(country, dropImportCopies(own))];
  });
}

function toCategoryRow(row: TedbRow): readonly CategoryRow[] {
  if (row.category === undefined) return [];
  const comment = toPlainText(row.comment ?? '');
  return [
    {
      category: row.category,
      description: toPlainText(row.description ?? ''),
      ...readTreatment(row, comment),
      cnCodes: readCnCodes(row.cnCodes),
      cpaCodes: sortCodes(row.cpaCodes.map((code) => code.trim()).filter((code) => code !== '')),
      comment: comment === '' ? null : comment,
      territory: readTerritory(row.category, comment),
      situationOn: row.situationDate,
    },
  ];
}

const kindOfType: { readonly [Type in TedbRow['rateType']]?: RateKind } = {
  REDUCED_RATE: 'reduced',
  SUPER_REDUCED_RATE: 'super_reduced',
  PARKING_RATE: 'parking',
};

const treatmentOfType: { readonly [Type in TedbRow['rateType']]?: Treatment } = {
  EXEMPTED: 'exempted',
  OUT_OF_SCOPE: 'out_of_scope',
  NOT_APPLICABLE: 'not_applicable',
};

/**
 * Kind, treatment and rate. TEDB writes EXEMPTED for zero rates as well, so its comment decides which one it is
 * (rule G1).
 */
function readTreatment(
  { type, rateType, value }: TedbRow,
  comment: string,
): Pick<CategoryRow, 'kind' | 'treatment' | 'rate'> {
  const without = treatmentOfType[rateType];
  if (without === 'exempted' && meansZeroRate(comment)) {
    return { kind: null, treatment: 'zero', rate: '0' };
  }
  if (without !== undefined) return { kind: null, treatment: without, rate: null };
  // Until 2021, reduced rows had the rate type DEFAULT.
  const kind = type === 'STANDARD' ? 'standard' : (kindOfType[rateType] ?? 'reduced');
  return { kind, treatment: value === '0' ? 'zero' : 'rate', rate: value ?? null };
}

const saysZeroRate =
  /\bzero[ -]?rat|(?<![\d.,])0(?:[.,]0+)? ?%|\bnil rate|\bright (?:of|to) (?:\w+ )?deduct|\bdeduction right|\bwith (?:the )?deduction/i;
const saysWithoutDeduction = /\b(?:without|no|excluding)\b[^.;\n]{0,30}\bdeduct/i;

function meansZeroRate(comment: string): boolean {
  return saysZeroRate.test(comment) && !saysWithoutDeduction.test(comment);
}

/** Codes of other systems than the nomenclature, which have other characters, are left out. */
function readCnCodes(codes: readonly string[]): readonly string[] {
  const digits = codes.map((code) => code.split(/[\s.]+/).join(''));
  return sortCodes(digits.filter((code) => /^[0-9]{2,10}$/.test(code)));
}

function readTerritory(category: string, comment: string): string | null {
  const scope = readScope(comment)?.scope;
  if (category === 'REGION') return comment === '' ? unnamedTerritory : (scope ?? comment);
  return scope === undefined || isImport(scope) ? null : scope;
}

function isImport(scope: string): boolean {
  return scope.toLowerCase() === 'import';
}

/**
 * Drops rows for imports that repeat a domestic row: same category, kind, rate and codes, and the same comment apart
 * from blanks, letter case and the import words (rule G7).
 */
function dropImportCopies(rows: readonly CategoryRow[]): readonly CategoryRow[] {
  const imports = new Map(
    rows.flatMap((row) => {
      const scope = row.territory === null ? readScope(row.comment ?? '') : undefined;
      return scope !== undefined && isImport(scope.scope) ? [[row, scope.rest]] : [];
    }),
  );
  // Only Germany has such rows.
  if (imports.size === 0) return rows;
  const domestic = new Set(
    rows.filter((row) => !imports.has(row)).map((row) => supplyKey(row, row.comment ?? '')),
  );
  return rows.filter((row) => {
    const comment = imports.get(row);
    return comment === undefined || !domestic.has(supplyKey(row, comment));
  });
}

function supplyKey(row: CategoryRow, comment: string): string {
  const { category, kind, treatment, rate, cnCodes, cpaCodes, territory } = row;
  return JSON.stringify([
    [category, kind, treatment, rate, territory],
    [cnCodes, cpaCodes, comment.toLowerCase().replaceAll(/\s/g, '')],
  ]);
}

function sortCodes(codes: readonly string[]): readonly string[] {
  const isSorted = codes.every((code, at) => at === 0 || (codes[at - 1] ?? '') < code);
  return isSorted ? codes : [...new Set(codes)].sort();
}
