import {
  type CategoryChange,
  diffCategories,
} from '../../../src/rates/categories/category-changes.ts';
import type {
  CategoryRow as StoredRow,
  CountryRows,
} from '../../../src/rates/categories/category-row.ts';
import { countryName } from '../countries.ts';
import type { CategoryRow } from '../wire.ts';
import { countInWords } from '../words.ts';
import { joinWords, printCn, rateInWords } from './goods-words.ts';

/** More codes are counted instead of listed. */
const codesMax = 6;

/** A category of a country that differs between two dates. */
export type GoodsDifference = {
  readonly country: string;
  readonly category: string;
  readonly description: string;
  /** “6 % → 9 %”. */
  readonly move: string;
};

/** The categories whose rates, treatments or codes differ, as the event `categories.changed` has them (rule G9). */
export function compareGoods(
  earlier: readonly CategoryRow[],
  later: readonly CategoryRow[],
): readonly GoodsDifference[] {
  return diffCategories(groupRows(earlier), groupRows(later))
    .map((change) => ({
      country: change.country,
      category: change.category,
      description: (change.after[0] ?? change.before[0])?.description ?? change.category,
      move: describeMove(change),
    }))
    .toSorted((a, b) => countryName(a.country).localeCompare(countryName(b.country), 'en'));
}

function groupRows(rows: readonly CategoryRow[]): readonly CountryRows[] {
  const countries = Map.groupBy(rows, ({ country }) => country);
  return [...countries].map(([country, own]) => ({
    country: country as CountryRows['country'],
    rows: own.map(toStored),
  }));
}

function toStored(row: CategoryRow): StoredRow {
  const { cn_codes: cnCodes, cpa_codes: cpaCodes, situation_on: situationOn, rate } = row;
  return { ...row, rate: rate === null ? null : String(rate), cnCodes, cpaCodes, situationOn };
}

function describeMove({ before, after }: CategoryChange): string {
  const [was, is] = [ratesOf(before), ratesOf(after)];
  if (before.length === 0) return `new, ${is}`;
  if (after.length === 0) return `no longer reported, was ${was}`;
  if (was !== is) return `${was} → ${is}`;
  const [old, now] = [codesOf(before), codesOf(after)];
  const moves = [
    describeCodes('added', without(now, old)),
    describeCodes('removed', without(old, now)),
  ].filter((text) => text !== '');
  return moves.length === 0
    ? `${is} as before, for other codes or another territory`
    : `${is} as before; ${moves.join(', ')}`;
}

const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

function ratesOf(rows: readonly StoredRow[]): string {
  const rates = rows.map(({ treatment, rate }) =>
    rateInWords({ treatment, rate: rate === null ? null : Number(rate) }),
  );
  return joinWords([...new Set(rates)].toSorted(byNumber), 'and');
}

function codesOf(rows: readonly StoredRow[]): readonly string[] {
  const codes = new Set(
    rows.flatMap(({ cnCodes, cpaCodes }) => [
      ...cnCodes.map((code) => `CN ${printCn(code)}`),
      ...cpaCodes.map((code) => `CPA ${code}`),
    ]),
  );
  return [...codes];
}

function without(codes: readonly string[], others: readonly string[]): readonly string[] {
  return codes.filter((code) => !others.includes(code));
}

function describeCodes(move: string, codes: readonly string[]): string {
  if (codes.length === 0) return '';
  return codes.length > codesMax
    ? `${countInWords(codes.length, 'code')} ${move}`
    : `${codes.join(', ')} ${move}`;
}
