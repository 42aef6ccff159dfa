import { describe, expect, it } from 'vitest';
import { errataOfWords } from '../../web/src/goods/goods-errata.ts';
import { daysInWords } from '../../web/src/goods/goods-words.ts';
import { readSearch } from '../../web/src/goods/search.ts';
import { judgeFound } from '../../web/src/goods/verdict.ts';
import {
  erratumInWords,
  verdictInWords,
  withoutCodesInWords,
} from '../../web/src/goods/verdict-words.ts';
import type { CategoryRow, GoodsErratum, RateVerdict } from '../../web/src/wire.ts';
import { row } from './support/category-row.ts';

const depends = (
  rates: readonly number[],
  treatments: Extract<RateVerdict, { kind: 'depends' }>['treatments'],
  standard: number | null = 21,
): RateVerdict => ({ kind: 'depends', rates, treatments, standard });

const notUsed = 'Belgium does not use this category; another rate may hold';

describe('headlines (rule G5a)', () => {
  it.each<[RateVerdict, string]>([
    [{ kind: 'one', rate: 14, treatment: 'rate' }, 'One rate: 14 %'],
    [{ kind: 'one', rate: 0, treatment: 'zero' }, 'One rate: 0 %'],
    [{ kind: 'one', rate: null, treatment: 'exempted' }, 'One rate: exempt'],
    [{ kind: 'one', rate: null, treatment: 'out_of_scope' }, 'TEDB: outside the scope of VAT'],
    [depends([6], ['rate']), 'Depends: 6 % under a condition, otherwise 21 %'],
    [depends([6, 12], ['rate']), 'Depends: 6 % or 12 % under a condition, otherwise 21 %'],
    [
      depends([0, 6, 21], ['rate', 'zero', 'exempted', 'not_applicable']),
      'Depends: 0 %, 6 % or exempt under a condition, otherwise 21 %',
    ],
    [depends([], ['exempted']), 'Depends: exempt under a condition, otherwise 21 %'],
    [
      depends([6], ['rate', 'out_of_scope']),
      'Depends: 6 % or outside the scope of VAT under a condition, otherwise 21 %',
    ],
    [depends([21], ['rate']), 'Depends: 21 % (the standard rate) under a condition'],
    [
      depends([], ['rate']),
      'Depends: a rate that TEDB does not name under a condition, otherwise 21 %',
    ],
    [depends([6], ['rate'], null), 'Depends: 6 % under a condition'],
    [depends([], ['not_applicable']), `TEDB: ${notUsed}`],
    [depends([], ['out_of_scope']), 'TEDB: outside the scope of VAT'],
    [
      depends([], ['out_of_scope', 'not_applicable']),
      `TEDB: outside the scope of VAT; or ${notUsed}`,
    ],
    [
      { kind: 'none', standard: 19, uncoded: 8 },
      'TEDB reports no lower rate for it. The standard rate is 19 %; the law, or one of 8 entries without codes, may say otherwise',
    ],
    [
      { kind: 'none', standard: 19, uncoded: 1 },
      'TEDB reports no lower rate for it. The standard rate is 19 %; the law, or 1 entry without codes, may say otherwise',
    ],
    [
      { kind: 'none', standard: null, uncoded: 0 },
      'TEDB reports no lower rate for it. The law may say otherwise',
    ],
  ])('of the verdict %j', (verdict, words) => {
    expect(verdictInWords(verdict, 'BE')).toBe(words);
  });

  const sure = { conditional: false, comment: null };
  it.each<[string, readonly Partial<CategoryRow>[], string]>([
    [
      'no row',
      [],
      'TEDB reports no lower rate for it. The standard rate is 21 %; the law may say otherwise',
    ],
    ['a row with a comment', [{}], 'Depends: 6 % under a condition, otherwise 21 %'],
    ['equal rows without a condition', [sure, { ...sure, kind: 'parking' }], 'One rate: 6 %'],
    [
      'two rates without a condition',
      [sure, { ...sure, rate: 5.5 }],
      'Depends: 5.5 % or 6 % under a condition, otherwise 21 %',
    ],
    [
      'a part of the code',
      [{ ...sure, covers: 'part' }],
      'Depends: 6 % under a condition, otherwise 21 %',
    ],
    [
      'rows for imports or a region only',
      [{ scope: 'import' }, { territory: 'Corsica' }],
      'TEDB reports no lower rate for it. The standard rate is 21 %; the law may say otherwise',
    ],
  ])('of words that find %s', (_, rows, words) => {
    const found = { rows: rows.map((one) => ({ ...row, ...one })), errata: [] };

    const verdict = judgeFound({ ...found, standard: 21, uncoded: 0 });

    expect(verdictInWords(verdict, 'BE')).toBe(words);
  });

  it.each<[GoodsErratum['source'], GoodsErratum['law'], string]>([
    [{ treatment: 'rate', rate: 5.5 }, { treatment: 'rate', rate: 20 }, 'TEDB: 5.5 %. Law: 20 %'],
    [null, { treatment: 'zero', rate: 0 }, 'TEDB: no row. Law: 0 %'],
    [
      { treatment: 'not_applicable', rate: null },
      { treatment: 'exempted', rate: null },
      'TEDB: category not used. Law: exempt',
    ],
  ])('of an erratum with the source %j', (source, law, words) => {
    expect(erratumInWords({ source, law })).toBe(words);
  });

  it.each<[readonly Pick<CategoryRow, 'treatment' | 'rate'>[], boolean, string]>([
    [[row], true, 'Belgium also reports 6 % for goods that it names without codes'],
    [
      [{ treatment: 'exempted', rate: null }, row, { treatment: 'zero', rate: 0 }],
      false,
      'Belgium reports 0 %, 6 % or an exemption for goods that it names without codes',
    ],
    [[{ treatment: 'not_applicable', rate: null }], true, 'Belgium also names goods without codes'],
  ])('of the rows without codes %j', (rows, isAlso, words) => {
    expect(withoutCodesInWords('BE', rows, { isAlso })).toBe(words);
  });

  it.each([
    [null, '2025-08-01', 'until 1 August 2025'],
    ['2025-10-01', null, 'from 1 October 2025'],
    ['2024-01-01', '2025-03-30', 'from 1 January 2024 to 30 March 2025'],
  ])('have the days from %s to %s beside the rate', (from, to, words) => {
    expect(daysInWords({ inForce: { from, to } })).toBe(words);
  });
});

describe('the errata of a search by words (rule X7)', () => {
  const bread = {
    country: 'ES',
    category: 'FOODSTUFFS',
    codeKind: 'cn',
    codes: ['1905'],
    commentBegins: null,
    source: { treatment: 'rate', rate: 10 },
    law: { treatment: 'rate', rate: 4 },
    condition: 'common bread',
  } as unknown as GoodsErratum;
  const milk = { ...bread, codes: ['0401'], source: null, condition: 'milk' };
  const food = {
    ...row,
    category: 'FOODSTUFFS',
    rate: 10,
    cn_codes: ['19', '2202'],
  };

  it.each<[string, string, Partial<CategoryRow>, readonly GoodsErratum[], boolean]>([
    ['are those that name the words', 'bread', {}, [bread], true],
    ['are those that supply a row', 'milk', {}, [milk], true],
    ['are otherwise those of the category', 'cheese', {}, [bread, milk], false],
    ['are not those of a row with another rate', 'bread', { rate: 4 }, [milk], false],
    ['are not those of a row with other codes', 'bread', { cn_codes: ['2202'] }, [milk], false],
    ['are not those of a row that TEDB has', 'milk', { rate: 4, cn_codes: ['04'] }, [], false],
  ])('%s: “%s”', (_, text, change, errata, isHeadline) => {
    const search = readSearch(text, []);
    const words = search.kind === 'words' ? search.words : [];

    const found = errataOfWords([bread, milk], [{ ...food, ...change }], {
      words,
      found: new Set(['FOODSTUFFS']),
      nameOf: () => '',
    });

    expect(found).toEqual({ errata, isHeadline });
  });
});
