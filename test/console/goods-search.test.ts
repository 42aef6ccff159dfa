import { describe, expect, it } from 'vitest';
import { compareGoods } from '../../web/src/goods/goods-comparison.ts';
import { findByWords, readSearch } from '../../web/src/goods/search.ts';
import { applicationInWords, explainTerritory } from '../../web/src/territories/territory-words.ts';
import type { CategoryRow, Territory } from '../../web/src/wire.ts';
import { row } from './support/category-row.ts';

describe('readSearch', () => {
  it.each([
    ['', { kind: 'all' }],
    ['4901 10 00', { kind: 'cn', code: '49011000' }],
    ['4901.10', { kind: 'cn', code: '490110' }],
    ['HS: 4902', { kind: 'cn', code: '4902' }],
    ['4901-10', { kind: 'cn', code: '490110' }],
    ['ex 0401', { kind: 'cn', code: '0401' }],
    ['CPA 55.10', { kind: 'cpa', code: '5510' }],
    ['55.10', { kind: 'cpa', code: '5510', otherwise: 'CN 5510' }],
    ['LOAN_LIBRARIES', { kind: 'category', category: 'LOAN_LIBRARIES' }],
  ])('reads “%s”', (text, search) => {
    expect(readSearch(text, ['LOAN_LIBRARIES'])).toEqual(search);
  });

  it.each(['4', '49a', 'CN books', '12345678901', '.', 'CPA x', 'CPA 5', 'a'])(
    'finds fault with “%s”, in a sentence',
    (text) => {
      expect(readSearch(text, [])).toEqual({
        kind: 'fault',
        fault: expect.stringMatching(/^[A-Z].*\.$/),
      });
    },
  );
});

describe('findByWords', () => {
  const texts = [
    'Accommodation provided in hotels',
    'Bicycles, including electric bicycles',
    'Rental and repair of bicycles',
    'Supply, including on loan by libraries, of books',
    'Pharmaceutical products',
    'Hairdressing',
    'Household appliances',
  ];

  it.each([
    ['hotel', [0]],
    ['holiday', [0]],
    ['bike', [1, 2]],
    ['repairing a bike', [2]],
    ['e-books', [3]],
    ['medicines', [4]],
    // Words are compared from their beginning: “using” is in the middle of “housing”.
    ['hold', []],
  ])('finds “%s” in the words of TEDB', (text, found) => {
    const search = readSearch(text, []);
    const words = search.kind === 'words' ? search.words : [];

    const matches = findByWords(texts, words, (one) => one);

    expect(matches.found).toEqual(found.map((at) => texts[at]));
    expect(matches.missing).toEqual(found.length === 0 ? words.map((word) => word.text) : []);
  });
});

describe('compareGoods (rule G9)', () => {
  it.each<[string, readonly Partial<CategoryRow>[], readonly Partial<CategoryRow>[], string]>([
    ['another rate', [{}], [{ rate: 9 }], 'now 9 %, was 6 %'],
    [
      'another rate beside one that stays',
      [{}, { rate: 0 }],
      [{ rate: 9 }, { rate: 0 }],
      'now 9 %, was 6 %; 0 % as before',
    ],
    ['a further rate', [{}], [{}, { rate: 9 }], 'now also 9 %; 6 % as before'],
    ['one rate less', [{}, { rate: 9 }], [{ rate: 9 }], 'no longer 6 %; 9 % as before'],
    ['a new category', [], [{}], 'new: 6 %'],
    ['a category that is gone', [{}], [], 'no longer reported, was 6 %'],
    [
      'a further code',
      [{}],
      [{ cn_codes: ['4901', '49030000'] }],
      '6 % as before; CN 4903 00 00 added',
    ],
    [
      'other codes of services',
      [{ cpa_codes: ['58.11'] }],
      [{ cpa_codes: ['58.12'] }],
      '6 % as before; CPA 58.12 added, CPA 58.11 removed',
    ],
    [
      'another territory',
      [{ territory: 'Corsica' }],
      [{ territory: 'Madeira' }],
      '6 % as before, for other codes or another territory',
    ],
  ])('%s', (_, before, after, move) => {
    const rowsOf = (rows: readonly Partial<CategoryRow>[]): readonly CategoryRow[] =>
      rows.map((one) => ({ ...row, ...one }));

    expect(compareGoods(rowsOf(before), rowsOf(after))).toEqual([
      expect.objectContaining({ country: 'BE', description: row.description, move }),
    ]);
  });

  it('has the conditions of the later rates beside them', () => {
    const later = [
      { ...row, rate: 9 },
      { ...row, rate: 9 },
      { ...row, rate: 0, comment: '-' },
    ];

    const [difference] = compareGoods([row], later);

    expect(difference?.comments).toEqual(['9 %: Maps included']);
    expect(compareGoods([row], [])[0]?.comments).toEqual(['6 %: Maps included']);
  });
});

describe('words of goods and territories', () => {
  it('has a sentence for each treatment of a territory', () => {
    const of = (vatTerritory: Territory['vatTerritory'], treatAs: string | null): string =>
      explainTerritory({ vatTerritory, treatAs, country: 'PT' } as Territory);

    expect([
      of('outside', null),
      of('special rates', 'PT'),
      of('part of another state', 'GB'),
      of('part of another state', 'FR'),
      of('goods only', 'XI'),
    ]).toEqual([
      'Outside the VAT area of the EU: no EU VAT rate applies there, and goods sent there from the EU are an export, unless the note says otherwise.',
      'Part of the VAT area of Portugal, with rates of its own.',
      'Treated as part of the United Kingdom for VAT.',
      'Treated as part of France for VAT.',
      'Part of the VAT area of the EU for goods, but not for services.',
    ]);
    expect(applicationInWords('seller established there')).toContain('does not decide');
    expect(applicationInWords('something new')).toBe('something new');
  });
});
