import goods from '../data/tedb-goods.json' with { type: 'json' };
import { type Category, type Code, printCode, splitCodes, toCategory } from './goods.ts';
import { type Detail, makeRow, type Situation, type TedbRateType, type TedbRow } from './row.ts';

/** Codes are separated by blanks; a row without them has those of its goods. */
interface Goods {
  readonly category: string;
  readonly cn?: string;
  readonly cpa?: string;
}

/** A row as a Member State writes it, about goods that several have or about a category of its own. */
interface RealRow extends Partial<Goods> {
  readonly goods?: string;
  /** A reduced rate if it is absent. */
  readonly rateType?: TedbRateType;
  readonly value: string;
  /** The value of the copy for imports from July 2026 on, if it is another one. */
  readonly importValue?: string;
  /** The first day, and the first day on which the row is over. */
  readonly from?: string;
  readonly until?: string;
  readonly comment?: string;
}

/** Codes of a row in a brief answer, the most asked for first. */
const briefCodes = 12;

const rows = goods.rows as Readonly<Record<string, readonly RealRow[]>>;
const knownGoods: Readonly<Record<string, Goods>> = goods.goods;

/**
 * The rows of a Member State about what people ask for: books, newspapers, food, medicines, hotels, restaurants,
 * children's clothes, solar panels and transport.
 *
 * A rate that is not in force in a situation, because of its date or of a script, is replaced by the nearest one.
 */
export function makeRealRows(situation: Situation, detail: Detail): readonly TedbRow[] {
  const { state, date } = situation;
  const toCodes = (codes: string | undefined) =>
    detail === 'full'
      ? splitCodes(codes).map(printCode)
      : splitCodes(codes).slice(0, briefCodes).map(printBriefly);
  return (rows[state] ?? [])
    .filter(({ from = '', until = '9999' }) => from <= date && date < until)
    .flatMap((row) => {
      const rate = findRate(situation, row);
      if (rate === undefined) return [];
      const { category, cn, cpa } = withGoods(row);
      const { importValue, comment } = row;
      return [
        {
          ...makeRow(situation, rate.rateType, rate.value),
          cnCodes: toCodes(cn),
          cpaCodes: toCodes(cpa),
          category: toCategory({ identifier: category }),
          comment,
          ...(importValue === undefined || date < '2026-07-01' ? {} : { importValue }),
        },
      ];
    });
}

function printBriefly(code: string): Code {
  return { ...printCode(code), description: 'Other' };
}

/** Made-up rows are never about these goods. */
const asked = new Set(Object.values(knownGoods).map(({ category }) => category));

/** The categories of made-up rows of a state. */
export function withoutRealGoods(
  state: string,
  categories: readonly Category[],
): readonly Category[] {
  const own = new Set((rows[state] ?? []).map((row) => withGoods(row).category));
  return categories.filter(({ identifier }) => !asked.has(identifier) && !own.has(identifier));
}

function withGoods(row: RealRow): Goods {
  return { category: '', ...knownGoods[row.goods ?? ''], ...row };
}

function findRate(
  { date, rates }: Situation,
  { rateType = 'REDUCED_RATE', value }: RealRow,
): { readonly rateType: TedbRateType; readonly value: string } | undefined {
  // Zero rates and exemptions have rows of their own since then.
  if (rateType === 'EXEMPTED') return date < '2023-07-01' ? undefined : { rateType, value };
  const inForce = {
    REDUCED_RATE: rates.reduced,
    SUPER_REDUCED_RATE: rates.super_reduced,
    PARKING_RATE: rates.parking,
  };
  const own = rateType in inForce ? inForce[rateType as keyof typeof inForce] : [];
  if (own.includes(value)) return { rateType, value };
  const distance = (rate: string) => Math.abs(Number(rate) - Number(value));
  const [nearest] = rates.reduced.toSorted((a, b) => distance(a) - distance(b));
  return nearest === undefined ? undefined : { rateType: 'REDUCED_RATE', value: nearest };
}
