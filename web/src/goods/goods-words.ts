import { hasWords } from '../../../src/rates/categories/category-row.ts';
import type { CategoryRow } from '../wire.ts';
import { dateInWords } from '../words.ts';

/** The kinds of a rate. */
export const kindWords: Readonly<Record<NonNullable<CategoryRow['kind']>, string>> = {
  standard: 'standard rate',
  reduced: 'reduced rate',
  super_reduced: 'super-reduced rate',
  parking: 'parking rate',
};

type Taxed = Pick<CategoryRow, 'treatment' | 'rate'>;

/** The rate of a row: “6 %”, “0 % (zero rate)”, “exempt from VAT”. */
export function rateInWords({ treatment, rate }: Taxed): string {
  switch (treatment) {
    case 'rate':
      return rate === null ? 'a rate that TEDB does not name' : `${rate} %`;
    case 'zero':
      return '0 % (zero rate)';
    case 'exempted':
      return 'exempt from VAT';
    case 'out_of_scope':
      return 'outside the scope of VAT';
    case 'not_applicable':
      return 'category not used';
  }
}

/** The sentence beside the rate of a row. */
export function explainRate(row: CategoryRow, standard: number | undefined): string {
  switch (row.treatment) {
    case 'rate':
      // “Taxed at the standard rate” is written as a reduced rate that equals it.
      return row.rate !== null && row.rate === standard
        ? 'the same as the standard rate'
        : row.kind === null
          ? ''
          : kindWords[row.kind];
    case 'zero':
      return 'No VAT is charged, and the seller may deduct input VAT.';
    case 'exempted':
      return row.deduction === false
        ? 'No VAT is charged, and the seller may not deduct input VAT.'
        : 'No VAT is charged. TEDB does not say whether the seller may deduct input VAT; it may be a zero rate.';
    case 'out_of_scope':
      return 'The supply is not subject to VAT.';
    case 'not_applicable':
      return 'The Member State does not use this category of the VAT Directive; another rate may hold.';
  }
}

/** The comment of an entry, which is its condition; undefined if it says nothing. */
export function commentOf({ comment }: Pick<CategoryRow, 'comment'>): string | undefined {
  return hasWords(comment) ? comment : undefined;
}

/** The different rates of rows, in the order of the rows. */
export function distinctRates(rows: readonly Taxed[]): readonly string[] {
  return [...new Set(rows.map(rateInWords))];
}

/** The days that the comment of an entry names: “until 1 August 2025”; undefined if it names none. */
export function daysInWords({ inForce }: Pick<CategoryRow, 'inForce'>): string | undefined {
  if (inForce === null) return undefined;
  const { from, to } = inForce;
  const begin = from === null ? [] : [`from ${dateInWords(from)}`];
  const end = to === null ? [] : [`${from === null ? 'until' : 'to'} ${dateInWords(to)}`];
  return [...begin, ...end].join(' ');
}

/** `49011000` as “4901 10 00”, the usual way to print a CN code. */
export function printCn(code: string): string {
  const [, heading = '', ...rest] = /^(\d{1,4})(\d{1,2})?(\d{1,2})?(\d{1,2})?$/.exec(code) ?? [];
  return heading === '' ? code : [heading, ...rest.filter((part) => part !== undefined)].join(' ');
}

/** Says which words of a search nothing has; each word may stand in another category. */
export function missingInWords(missing: readonly string[]): string {
  return missing.length === 0
    ? 'No category has all these words'
    : `Not found: ${missing.map((word) => `“${word}”`).join(', ')}`;
}

/** The order in which people look for a category; the API has them by identifier. */
export function sortByDescription<T extends { readonly description: string }>(
  things: readonly T[],
): readonly T[] {
  return things.toSorted((a, b) => a.description.localeCompare(b.description, 'en'));
}
