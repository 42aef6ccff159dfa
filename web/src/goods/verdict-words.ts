import { countryName } from '../countries.ts';
import type { CategoryRow, GoodsErratum, RateVerdict } from '../wire.ts';
import { countInWords, listInWords } from '../words.ts';
import { rateInWords } from './goods-words.ts';

type Taxed = Pick<CategoryRow, 'treatment' | 'rate'>;

/** The headline of a verdict: a match is a condition, and a missing entry is not a rate (rule G5a). */
export function verdictInWords(verdict: RateVerdict, country: string): string {
  switch (verdict.kind) {
    case 'one':
      return verdict.treatment === 'out_of_scope'
        ? outsideInWords
        : `One rate: ${shortRate(verdict)}`;
    case 'depends':
      return dependsInWords(verdict, country);
    case 'none':
      return noneInWords(verdict);
  }
}

const outsideInWords = 'TEDB: outside the scope of VAT';

function dependsInWords(
  { rates, treatments, standard }: Extract<RateVerdict, { kind: 'depends' }>,
  country: string,
): string {
  const unused = `${countryName(country)} does not use this category; another rate may hold`;
  if (treatments.every((one) => one === 'not_applicable')) return `TEDB: ${unused}`;
  if (treatments.every((one) => one === 'out_of_scope')) return outsideInWords;
  if (treatments.every((one) => one === 'out_of_scope' || one === 'not_applicable')) {
    return `${outsideInWords}; or ${unused}`;
  }
  // “Otherwise” has the standard rate already.
  const lower = rates.filter((rate) => rate !== standard).map((rate) => `${rate} %`);
  const others = treatments.filter((one) => one === 'exempted' || one === 'out_of_scope');
  const words = [...lower, ...others.map((treatment) => shortRate({ treatment, rate: null }))];
  const otherwise = standard === null ? '' : `, otherwise ${standard} %`;
  if (words.length > 0) return `Depends: ${listInWords(words, 'or')} under a condition${otherwise}`;
  return rates.length > 0
    ? `Depends: ${standard} % (the standard rate) under a condition`
    : `Depends: ${shortRate({ treatment: 'rate', rate: null })} under a condition${otherwise}`;
}

function noneInWords({ standard, uncoded }: Extract<RateVerdict, { kind: 'none' }>): string {
  const rate = standard === null ? '' : `The standard rate is ${standard} %; `;
  const without = uncoded === 0 ? '' : `, or ${uncodedInWords(uncoded)},`;
  const law = `${rate === '' ? 'The' : 'the'} law${without} may say otherwise`;
  return `TEDB reports no lower rate for it. ${rate}${law}`;
}

/** “one of 8 entries without codes”. */
function uncodedInWords(count: number): string {
  return count === 1
    ? '1 entry without codes'
    : `one of ${countInWords(count, 'entry', 'entries')} without codes`;
}

/** The headline of a known error of TEDB: “TEDB: 5.5 %. Law: 20 %”, “TEDB: no row. Law: 4 %” (rule X7). */
export function erratumInWords({ source, law }: Pick<GoodsErratum, 'source' | 'law'>): string {
  return `TEDB: ${source === null ? 'no row' : shortRate(source)}. Law: ${shortRate(law)}`;
}

/** “Spain also reports 4 % for goods that it names without codes”. */
export function withoutCodesInWords(
  country: string,
  entries: readonly Taxed[],
  { isAlso }: { /** Whether it reports a rate for what was searched. */ readonly isAlso: boolean },
): string {
  const rates = entries.filter(({ treatment }) => treatment === 'rate' || treatment === 'zero');
  const words = new Set(
    rates.toSorted((a, b) => (a.rate ?? Infinity) - (b.rate ?? Infinity)).map(shortRate),
  );
  if (entries.some(({ treatment }) => treatment === 'exempted')) words.add('an exemption');
  const also = isAlso ? ' also' : '';
  return words.size === 0
    ? `${countryName(country)}${also} names goods without codes`
    : `${countryName(country)}${also} reports ${listInWords([...words], 'or')} for goods that it names without codes`;
}

/** The rate in a headline: “6 %”, “0 %”, “exempt”. */
function shortRate(taxed: Taxed): string {
  if (taxed.treatment === 'zero') return '0 %';
  return taxed.treatment === 'exempted' ? 'exempt' : rateInWords(taxed);
}
