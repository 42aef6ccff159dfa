import records from '../data/tedb-records.json' with { type: 'json' };
import { shuffled, wordHash } from '../data/noise.ts';
import {
  type Category,
  parkingCategories,
  pickCodes,
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

/** Made-up rows of a brief answer. */
const briefCount = 2;

const rowCounts: Readonly<Record<string, number>> = records.rowCounts;

/** The rows of one Member State's record with its quirks, in an order that is fixed but looks random. */
export function makeStateRows(situation: Situation, detail: Detail): readonly TedbRow[] {
  const { state, date } = situation;
  const standard = makeStandardRows(situation);
  const known = [...makeRealRows(situation, detail), ...makeQuirkRows(situation, detail)];
  const missing = (rowCounts[state] ?? 0) - known.length - 1;
  const wanted = detail === 'full' ? missing : Math.min(briefCount, missing);

  const reduced = [...makeRateRows(situation, detail, { known, wanted }), ...known];
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

/** One row for each rate that no other row has, then rows of reduced rates until there are as many as wanted. */
function makeRateRows(
  situation: Situation,
  detail: Detail,
  { known, wanted }: { readonly known: readonly TedbRow[]; readonly wanted: number },
): readonly TedbRow[] {
  // A rate of a place is none of the Member State.
  const national = known.filter(({ category }) => category !== regionCategory);
  const isKnown = (rate: ListedRate) =>
    national.some((row) => row.rateType === rate.rateType && row.value === rate.value);
  const once = listRates(situation)
    .filter((rate) => !isKnown(rate))
    .map((rate) => {
      const hash = wordHash(situation.state, rate.rateType, rate.value);
      return makeRateRow(situation, detail, { ...rate, category: pick(rate.categories, hash) });
    });

  const values = situation.rates.reduced;
  const categories = shuffled(
    withoutRealGoods(situation.state, reducedCategories),
    situation.state,
  );
  if (values.length === 0) return once;
  const more = Array.from({ length: Math.max(0, wanted - once.length) }, (_, index) => {
    const category = pick(categories, index);
    // All rows of a category have one rate.
    const value = pick(values, wordHash(situation.state, category?.identifier ?? ''));
    const rate = { rateType: 'REDUCED_RATE', value: value ?? '', category } as const;
    return makeRateRow(situation, detail, rate, index);
  });
  return [...once, ...more];
}

function pick<T>(items: readonly T[], index: number): T | undefined {
  return items[index % items.length];
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
  rate: Pick<ListedRate, 'rateType' | 'value'> & { readonly category: Category | undefined },
  index = 0,
): TedbRow {
  const { state } = situation;
  const { category = regionCategory } = rate;
  const hash = wordHash(state, category.identifier, index);
  const count = detail === 'full' ? 4 + (hash % 12) : 1;

  return {
    ...makeRow(situation, rate.rateType, rate.value),
    cnCodes: pickCodes(category.cn, hash, count),
    cpaCodes: pickCodes(category.cpa, hash, count),
    category,
    comment: makeComment(state, hash),
  };
}
