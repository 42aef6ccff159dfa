import goods from '../data/tedb-goods.json' with { type: 'json' };
import type { Category, Code } from './goods.ts';
import { makeRow, type Situation, type TedbRateType, type TedbRow } from './row.ts';

/** A row of a real answer; codes are separated by blanks. */
interface RealRow {
  readonly rateType: TedbRateType;
  /** The rate on 12 August 2025. */
  readonly value: string;
  readonly category: string;
  readonly cn?: string;
  readonly cpa?: string;
  readonly comment?: string;
}

const rows = goods.rows as Readonly<Record<string, readonly RealRow[]>>;
const descriptions: Readonly<Record<string, string>> = goods.categories;

/**
 * Real rows about books, hotels, restaurants, bicycles and solar panels in five Member States.
 *
 * A rate that is not in force in a situation, because of its date or of a script, is replaced by one that is.
 */
export function makeRealRows(situation: Situation): readonly TedbRow[] {
  return (rows[situation.state] ?? []).flatMap((row) => {
    const rate = findRate(situation, row);
    if (rate === undefined) return [];
    return [
      {
        ...makeRow(situation, rate.rateType, rate.value),
        cnCodes: toCodes(row.cn, printCn),
        cpaCodes: toCodes(row.cpa, (code) => code),
        category: {
          identifier: row.category,
          description: descriptions[row.category] ?? '',
          codes: 'none',
          chapters: [],
        },
        comment: row.comment,
      },
    ];
  });
}

/** Categories about the same goods: a state with real rows has no made-up rows of these. */
const sameGoods = [...Object.keys(descriptions), 'PERIODICALS'];

/** The categories of made-up rows of a state. */
export function withoutRealGoods(
  state: string,
  categories: readonly Category[],
): readonly Category[] {
  if (rows[state] === undefined) return categories;
  return categories.filter(({ identifier }) => !sameGoods.includes(identifier));
}

function findRate(
  { date, rates }: Situation,
  { rateType, value }: RealRow,
): Pick<RealRow, 'rateType' | 'value'> | undefined {
  // Zero rates and exemptions have rows of their own since then.
  if (rateType === 'EXEMPTED') return date < '2023-07-01' ? undefined : { rateType, value };
  const inForce = {
    REDUCED_RATE: rates.reduced,
    SUPER_REDUCED_RATE: rates.super_reduced,
    PARKING_RATE: rates.parking,
  };
  const own = rateType in inForce ? inForce[rateType as keyof typeof inForce] : [];
  if (own.includes(value)) return { rateType, value };
  const other = rates.reduced.includes(value) ? value : rates.reduced[0];
  return other === undefined ? undefined : { rateType: 'REDUCED_RATE', value: other };
}

function toCodes(codes = '', print: (code: string) => string): readonly Code[] {
  return codes
    .split(' ')
    .filter((code) => code !== '')
    .map((code) => ({ value: print(code), description: `Code ${code}` }));
}

/** `49019900` → `4901 99 00`, as the service prints it. */
function printCn(code: string): string {
  return [code.slice(0, 4), code.slice(4, 6), code.slice(6)].filter((one) => one !== '').join(' ');
}
