import goods from '../data/goods.json' with { type: 'json' };
import { wordHash } from '../data/noise.ts';

/**
 * The goods and services that reduced rates apply to, in the sandbox's own short words.
 *
 * The identifiers of the categories are the service's. Its descriptions, CN and CPA codes are not
 * repeated here: the codes are made up from the chapters of the nomenclature.
 */

export interface Code {
  readonly value: string;
  readonly description: string;
}

export interface Category {
  readonly identifier: string;
  readonly description: string;
  /** The list of codes that a row of this category carries. */
  readonly codes: 'cn' | 'cpa' | 'none';
  /** The chapters that the codes are from. */
  readonly chapters: readonly string[];
}

export const reducedCategories = goods.reduced.map(toCategory);
export const superReducedCategories = goods.superReduced.map(toCategory);
export const parkingCategories = goods.parking.map(toCategory);
export const exemptedCategories = goods.exempted.map(toCategory);
/** The category of rates that hold in one region only. */
export const regionCategory = toCategory(goods.region);
/** The category of all super-reduced rows of Poland and Portugal. */
export const temporaryExemption = toCategory(goods.temporaryExemption);

/** Codes of a category, the same for the same seed: `0406 21 00`, `55.3`. */
export function makeCodes(category: Category, seed: string, count: number): readonly Code[] {
  return Array.from({ length: count }, (_, index) => {
    const hash = wordHash(seed, category.identifier, index);
    const chapter = pick(category.chapters, hash);
    const heading = String(1 + (index % 60)).padStart(2, '0');
    const value =
      category.codes === 'cpa'
        ? `${chapter}.${1 + (index % 9)}`
        : `${chapter}${heading} ${10 + (hash % 80)} ${String(index % 100).padStart(2, '0')}`;
    const form = pick(goods.forms, hash >>> 8);
    return { value, description: `${category.description.split(' (')[0]}: ${form}` };
  });
}

function pick(words: readonly string[], hash: number): string {
  return words[hash % words.length] ?? '';
}

function toCategory(entry: {
  readonly identifier: string;
  readonly description: string;
  readonly codes?: string;
  readonly chapters?: string;
}): Category {
  const { identifier, description, codes, chapters } = entry;
  if (chapters === undefined) return { identifier, description, codes: 'none', chapters: [] };
  const kind = codes === 'cpa' ? 'services of the divisions' : 'goods of the chapters';
  return {
    identifier,
    description: `${description} (in the sandbox: ${kind} ${chapters})`,
    codes: codes === 'cpa' ? 'cpa' : 'cn',
    chapters: chapters.split(' '),
  };
}
