import { memberStates } from '../member-states.ts';
import { readScope, type TedbRow } from '../tedb-rows.ts';
import type { RateKind, StoredRow, Treatment } from './category-row.ts';
import { type CategorySet, toCategorySet } from './category-sets.ts';
import { toPlainText } from './plain-text.ts';

/** The territory of a row of category REGION whose comment does not name one. */
const unnamedTerritory = 'not named';

/**
 * Reads the rows with a category from TEDB's rows, and the standard rates of territories, for each Member State that has
 * any, by country (rules G1, G7, G8).
 */
export function readCategories(rows: readonly TedbRow[]): readonly CategorySet[] {
  const byState = Map.groupBy(rows, ({ memberState }) => memberState);
  return memberStates.flatMap(({ country, registryCode }) => {
    const own = (byState.get(registryCode) ?? []).flatMap(toStoredRow);
    return own.length === 0 ? [] : [toCategorySet(country, own)];
  });
}

function toStoredRow(row: TedbRow): readonly StoredRow[] {
  const comment = toPlainText(row.comment ?? '');
  const category = row.category ?? '';
  const territory = readTerritory(category, comment);
  // A rate without a category is national, and so is in the snapshot, or it is the standard rate of a territory.
  if (category === '' && territory === null) return [];
  return [
    {
      category,
      description: toPlainText(row.description ?? ''),
      ...readTreatment(row),
      cnCodes: readCnCodes(row.cnCodes),
      cpaCodes: sortCodes(row.cpaCodes.map((code) => code.trim()).filter((code) => code !== '')),
      comment: comment === '' ? null : comment,
      territory,
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

function readTreatment({
  type,
  rateType,
  value,
}: TedbRow): Pick<StoredRow, 'kind' | 'treatment' | 'rate'> {
  const without = treatmentOfType[rateType];
  if (without !== undefined) return { kind: null, treatment: without, rate: null };
  // Until 2021, reduced rows had the rate type DEFAULT.
  const kind = type === 'STANDARD' ? 'standard' : (kindOfType[rateType] ?? 'reduced');
  return { kind, treatment: value === '0' ? 'zero' : 'rate', rate: value ?? null };
}

/** Codes of other systems than the nomenclature, which have other characters, are left out. */
function readCnCodes(codes: readonly string[]): readonly string[] {
  const digits = codes.map((code) => code.split(/[\s.]+/).join(''));
  return sortCodes(digits.filter((code) => /^[0-9]{2,10}$/.test(code)));
}

function readTerritory(category: string, comment: string): string | null {
  const scope = readScope(comment)?.scope;
  if (category === 'REGION') return comment === '' ? unnamedTerritory : (scope ?? comment);
  return scope === undefined || scope.toLowerCase() === 'import' ? null : scope;
}

function sortCodes(codes: readonly string[]): readonly string[] {
  const isSorted = codes.every((code, at) => at === 0 || (codes[at - 1] ?? '') < code);
  return isSorted ? codes : [...new Set(codes)].sort();
}
