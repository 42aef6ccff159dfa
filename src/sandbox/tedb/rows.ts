import records from '../data/tedb-records.json' with { type: 'json' };
import { shuffled, wordHash } from '../data/noise.ts';
import {
  type Category,
  makeCodes,
  parkingCategories,
  reducedCategories,
  regionCategory,
  superReducedCategories,
  temporaryExemption,
} from './goods.ts';
import { copyForImport, makeQuirkRows, makeStandardRows } from './quirks.ts';
import { makeRealRows, withoutRealGoods } from './real-goods.ts';
import {
  type Detail,
  makeComment,
  makeRow,
  type Situation,
  type TedbRateType,
  type TedbRow,
} from './row.ts';

const rowCounts: Readonly<Record<string, number>> = records.rowCounts;

/** The rows of one Member State's record with its quirks, in an order that is fixed but looks random. */
export function makeStateRows(situation: Situation, detail: Detail): readonly TedbRow[] {
  const { state, date } = situation;
  const standard = makeStandardRows(situation);
  const quirks = makeQuirkRows(situation, detail);
  const real = makeRealRows(situation);
  const wanted = (rowCounts[state] ?? 0) - quirks.length - real.length - 1;

  const reduced = [...makeRateRows(situation, detail, wanted), ...real, ...quirks];
  const repeated = records.repeatedRow.includes(state) ? reduced.slice(0, 1) : [];
  const copies = state === 'DE' ? reduced.map(copyForImport) : [];
  const ordered = shuffled([...reduced, ...repeated, ...copies], `${state} ${date}`);

  // Belgium's standard rate was in the middle of real answers, the others were mostly at the end.
  const middle = state === 'BE' ? Math.trunc(ordered.length / 2) : ordered.length;
  return [...ordered.slice(0, middle), ...standard, ...ordered.slice(middle)];
}

/** One rate other than the standard rate, and the goods it applies to. */
interface ListedRate {
  readonly rateType: TedbRateType;
  readonly value: string;
  readonly categories: readonly Category[];
}

/** At least one row for each rate, then rows of reduced rates until there are as many as wanted. */
function makeRateRows(situation: Situation, detail: Detail, wanted: number): readonly TedbRow[] {
  const rates = listRates(situation);
  const reduced = rates.filter(({ rateType }) => rateType === 'REDUCED_RATE');
  const count = detail === 'full' ? wanted : 2 * rates.length;

  const once = rates.map((rate) => makeRateRow(situation, detail, rate, 0));
  if (reduced.length === 0) return once;
  const more = Array.from({ length: Math.max(0, count - once.length) }, (_, index) => {
    const rate = reduced[index % reduced.length];
    return rate === undefined ? [] : [makeRateRow(situation, detail, rate, index + 1)];
  });
  return [...once, ...more.flat()];
}

function listRates({ state, rates }: Situation): readonly ListedRate[] {
  const ofType =
    (rateType: TedbRateType, categories: readonly Category[]) =>
    (value: string): ListedRate => ({
      rateType,
      value,
      categories: withoutRealGoods(state, categories),
    });
  const isTemporary = state === 'PL' || state === 'PT';
  const superReduced = isTemporary ? [temporaryExemption] : superReducedCategories;

  return [
    ...rates.reduced.map(ofType('REDUCED_RATE', reducedCategories)),
    ...rates.super_reduced.map(ofType('SUPER_REDUCED_RATE', superReduced)),
    ...rates.parking.map(ofType('PARKING_RATE', parkingCategories)),
  ];
}

function makeRateRow(
  situation: Situation,
  detail: Detail,
  rate: ListedRate,
  index: number,
): TedbRow {
  const { state } = situation;
  const hash = wordHash(state, rate.rateType, rate.value, index);
  const category = rate.categories[(hash + index) % rate.categories.length] ?? regionCategory;
  const codes = makeCodes(category, `${state} ${index}`, codeCount(category, detail, hash));

  return {
    ...makeRow(situation, rate.rateType, rate.value),
    cnCodes: category.codes === 'cn' ? codes : [],
    cpaCodes: category.codes === 'cpa' ? codes : [],
    category,
    comment: makeComment(state, hash),
  };
}

function codeCount(category: Category, detail: Detail, hash: number): number {
  if (category.codes === 'none') return 0;
  if (detail === 'brief') return 1;
  if (category.identifier === 'FOODSTUFFS') return 10 + (hash % 90);
  return 1 + (hash % (category.codes === 'cn' ? 14 : 4));
}
