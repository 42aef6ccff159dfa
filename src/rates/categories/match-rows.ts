import { compareDecimals } from '../../platform/values/decimal.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import type { GoodsErratum } from '../errata/goods-erratum.ts';
import { memberStates } from '../member-states.ts';
import { type CategoryRow, type CountryRows, hasWords, isInForce } from './category-row.ts';
import { chooseCpa, matchCodes, type WantedCode } from './match-codes.ts';
import { askedErrata, errataOf, suppliedBy } from './row-errata.ts';
import type { MatchedRow, RowFilter } from './matched-row.ts';
import { comparePlaced, type PlacedRow } from './row-order.ts';
import { isAmbiguous, joinAmbiguous, judgeCountry, type Verdict } from './verdict.ts';

/** The rows of a day, and the errata of goods that hold on it. */
export type GoodsOfDay = {
  readonly version: IsoDate;
  readonly countries: readonly CountryRows[];
  readonly errata: readonly GoodsErratum[];
};

/** The national rows of a country without any code, so that a request by code may be about them (rule G5). */
export type Uncoded = {
  readonly rows: number;
  /** The different rates in them, ascending; 0 for a zero rate. */
  readonly rates: readonly string[];
};

export type Matches = {
  /** In the order of rule G4; none of them is chosen. */
  readonly rows: readonly MatchedRow[];
  /** Whether it is open which rate applies in a country; null if no national row matches (rule G5). */
  readonly ambiguous: boolean | null;
  /** By country code, for each requested country; none for a request by country alone. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
  /** The ids of the errata that a request by code or category is about, ascending. */
  readonly errata: readonly string[];
  /** By country code, for each country that has such rows; undefined if no code was requested. */
  readonly uncoded: Readonly<Record<string, Uncoded>> | undefined;
  /** The requested countries that have no code of a requested kind at all; undefined if no code was requested. */
  readonly withoutCodes: readonly string[] | undefined;
};

/** Finds the rows that match. None of them is chosen: only the comment says which one applies (rule G5). */
export function matchRows(goods: GoodsOfDay, filter: RowFilter): Matches {
  const { country, category, cn, cpa } = filter;
  const isByCode = cn !== undefined || cpa !== undefined;
  const isQuestion = isByCode || category !== undefined;
  const rowsOf = new Map<string, CountryRows['rows']>(
    goods.countries.map((one) => [one.country, one.rows]),
  );
  const requested = country === undefined ? memberStates.map((one) => one.country) : [country];

  const placed: PlacedRow[] = [];
  const ambiguous: (boolean | null)[] = [];
  const errata = new Set<string>();
  const verdicts: Record<string, Verdict> = {};
  const uncoded: Record<string, Uncoded> = {};
  for (const one of requested) {
    const rows = rowsOf.get(one) ?? [];
    const own = goods.errata.filter((erratum) => erratum.country === one);
    const found = matchCountry({ country: one, version: goods.version, rows, errata: own }, filter);
    const without = isByCode ? rows.filter((row) => isUncoded(row, filter)) : [];
    const added = filter.withUncoded ? without.map((row) => withoutCode(one, row)) : [];
    placed.push(...found.placed, ...added);
    const answer = { rows: found.placed.map(({ row }) => row), errata: found.errata };
    const shown = { ...answer, rows: [...answer.rows, ...added.map(({ row }) => row)] };
    ambiguous.push(isAmbiguous(added.length === 0 ? answer : shown));
    if (without.length > 0) uncoded[one] = summarise(without);
    if (!isQuestion) continue;
    verdicts[one] = judgeCountry(answer, without.length);
    for (const { id } of found.errata) errata.add(id);
  }
  return {
    rows: placed.sort(comparePlaced).map(({ row }) => row),
    ambiguous: joinAmbiguous(ambiguous),
    verdicts,
    errata: [...errata].sort(),
    uncoded: isByCode ? uncoded : undefined,
    withoutCodes: isByCode
      ? requested.filter((one) => lacksCodes(rowsOf.get(one) ?? [], filter))
      : undefined,
  };
}

/** The rows and the errata of a country on the day of a version. */
type CountryGoods = {
  readonly country: string;
  readonly version: IsoDate;
  readonly rows: readonly CategoryRow[];
  readonly errata: readonly GoodsErratum[];
};

/** The rows of a country that match, and the errata that the request is about. */
function matchCountry(
  { country, version, rows, errata }: CountryGoods,
  filter: RowFilter,
): { readonly placed: readonly PlacedRow[]; readonly errata: readonly GoodsErratum[] } {
  const { category, cn, cpa } = filter;
  const candidates = rows.filter((row) => isCandidate(row, filter));
  const lists = candidates.map(({ cpaCodes }) => cpaCodes);
  const wantedCpa = cpa === undefined ? undefined : chooseCpa(lists, cpa);
  const asked = askedErrata(errata, filter);
  const about = new Set<GoodsErratum>();
  const placed = candidates.flatMap((row): PlacedRow[] => {
    const match = matchRow(row, cn, wantedCpa);
    if (match === undefined) return [];
    const { matched, covers, length } = match;
    const own = errataOf(row, asked);
    for (const erratum of own) about.add(erratum);
    const erratum = own[0]?.id ?? null;
    const inForce = isInForce(row, version);
    const conditional = erratum !== null || !inForce || hasCondition(row) || isWide(matched);
    const place = row.scope !== null ? 2 : inForce ? 0 : 1;
    return [{ row: { ...row, country, matched, covers, conditional, erratum }, place, length }];
  });
  // A request by country alone is about no supply.
  const isQuestion = [category, cn, cpa].some((one) => one !== undefined);
  const supplied = isQuestion ? suppliedBy(errata, rows, { category, cn, cpa, wantedCpa }) : [];
  return { placed, errata: [...about, ...supplied] };
}

/** Whether the row meets the conditions that are not about codes. */
function isCandidate(row: CategoryRow, { category, withTerritories }: RowFilter): boolean {
  return (
    (row.territory === null || withTerritories) &&
    (category === undefined || row.category.toUpperCase() === category)
  );
}

/** How the codes of a row match the requested ones; undefined if one of them does not. */
function matchRow(
  { cnCodes, cpaCodes }: CategoryRow,
  cn: string | undefined,
  cpa: WantedCode | undefined,
): (Pick<MatchedRow, 'matched' | 'covers'> & { readonly length: number }) | undefined {
  if (cn === undefined && cpa === undefined) return { matched: null, covers: null, length: 0 };
  const ofCn = cn === undefined ? undefined : matchCodes(cnCodes, cn);
  const ofCpa = cpa === undefined ? undefined : matchCodes(cpaCodes, cpa.digits);
  if (cn !== undefined && ofCn === undefined) return undefined;
  if (cpa !== undefined && ofCpa === undefined) return undefined;
  const isWhole = ofCn?.isWhole !== false && ofCpa?.isWhole !== false && cpa?.isClass !== true;
  return {
    matched: ofCn?.code ?? ofCpa?.code ?? null,
    covers: isWhole ? 'whole' : 'part',
    length: (ofCn?.length ?? 0) + (ofCpa?.length ?? 0),
  };
}

/** Whether the row itself says that not all supplies of its category have its rate. */
function hasCondition({ comment, treatment }: CategoryRow): boolean {
  return treatment === 'not_applicable' || hasWords(comment);
}

/** Whether a code names a whole chapter, division or group, which is wider than what TEDB means by its category. */
function isWide(matched: string | null): boolean {
  return matched !== null && matched.replaceAll(/[^0-9]/g, '').length < 4;
}

function isUncoded(row: CategoryRow, filter: RowFilter): boolean {
  return (
    row.territory === null &&
    row.cnCodes.length === 0 &&
    row.cpaCodes.length === 0 &&
    isCandidate(row, filter)
  );
}

function summarise(rows: readonly CategoryRow[]): Uncoded {
  const rates = rows.flatMap(({ rate }) => (rate === null ? [] : [rate]));
  return { rows: rows.length, rates: [...new Set(rates)].sort(compareDecimals) };
}

function withoutCode(country: string, row: CategoryRow): PlacedRow {
  const matched = { matched: null, covers: null, conditional: true, erratum: null };
  return { row: { ...row, country, ...matched }, place: 3, length: 0 };
}

/** Whether no row of a country has a code of a requested kind. */
function lacksCodes(rows: readonly CategoryRow[], { cn, cpa }: RowFilter): boolean {
  return (
    (cn !== undefined && rows.every(({ cnCodes }) => cnCodes.length === 0)) ||
    (cpa !== undefined && rows.every(({ cpaCodes }) => cpaCodes.length === 0))
  );
}
