import goods from '../data/goods.json' with { type: 'json' };
import { wordHash } from '../data/noise.ts';

/** Categories of goods and services, with the identifiers and the words of the database, and codes for made-up rows. */

export interface Code {
  readonly value: string;
  readonly description: string;
}

export interface Category {
  readonly identifier: string;
  readonly description: string;
  /** Codes that a row of this category may carry, as `toCodes` reads them. */
  readonly cn: readonly string[];
  readonly cpa: readonly string[];
}

const descriptions: Readonly<Record<string, string>> = goods.descriptions;

export const reducedCategories = goods.reduced.map(toCategory);
export const superReducedCategories = goods.superReduced.map(toCategory);
export const parkingCategories = goods.parking.map(toCategory);
export const exemptedCategories = goods.exempted.map(toCategory);
/** The category of rates that hold in one region only. */
export const regionCategory = toCategory(goods.region);
/** The category of all super-reduced rows of Poland and Portugal. */
export const temporaryExemption = toCategory(goods.temporaryExemption);

/** The category of an entry of the tables; its codes are separated by blanks. */
export function toCategory(entry: {
  readonly identifier: string;
  readonly cn?: string;
  readonly cpa?: string;
}): Category {
  const { identifier, cn, cpa } = entry;
  return {
    identifier,
    description: descriptions[identifier] ?? identifier,
    cn: splitCodes(cn),
    cpa: splitCodes(cpa),
  };
}

/** Some of a category's codes, the same for the same hash. */
export function pickCodes(codes: readonly string[], hash: number, count: number): Code[] {
  const from = hash % Math.max(1, codes.length);
  const picked = [...codes.slice(from), ...codes.slice(0, from)].slice(0, count);
  return picked.sort().map((code) => printCode(code));
}

/** A code as the service prints it: `49019900` → `4901 99 00`, and `58.11` as it is. Descriptions are made up. */
export function printCode(code: string): Code {
  const parts = code.includes('.') ? [code] : [code.slice(0, 4), code.slice(4, 6), code.slice(6)];
  const form = goods.forms[wordHash(code) % goods.forms.length] ?? '';
  return { value: parts.filter((part) => part !== '').join(' '), description: form };
}

export function splitCodes(codes = ''): readonly string[] {
  return codes.split(' ').filter((code) => code !== '');
}
