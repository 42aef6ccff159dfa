import { describe, expect, it } from 'vitest';
import { isoDate } from '../../platform/time/time.ts';
import { parseTypedJson } from '../../platform/values/exact-json.ts';
import { planPublications } from '../publishing/plan.ts';
import type { CurrencyCode, FxSnapshot } from '../snapshot.ts';
import { bankSeries } from './banks.ts';
import { readFixings } from './cnb/reader.ts';
import { readTables } from './nbp/reader.ts';
import { tableNumbers } from './nbp/table-numbers.ts';

const begunOn = isoDate('2026-01-01');
const span = { from: isoDate('2026-03-02'), to: isoDate('2026-03-31') };

const eur = { currency: 'euro', code: 'EUR', mid: 4.25 };
const table = (changes: object = {}) => ({
  table: 'A',
  no: '041/A/NBP/2026',
  effectiveDate: '2026-03-02',
  rates: [eur],
  ...changes,
});
const row = (changes: object = {}) => ({
  currencyCode: 'HUF',
  amount: 100,
  validFor: '2026-03-02',
  rate: 6.374,
  ...changes,
});
const readNbp = (document: unknown) => readTables(parseTypedJson(JSON.stringify(document)), span);
const readCnb = (document: unknown) => readFixings(parseTypedJson(JSON.stringify(document)), span);

describe('an answer of the NBP', () => {
  it('is read with digits as they are printed, without superfluous zeros', () => {
    const [found] = readTables(
      parseTypedJson(
        '[{"table":"A","no":"041/A/NBP/2026","effectiveDate":"2026-03-02","rates":[{"code":"IDR","mid":0.00021385},{"code":"CAD","mid":2.6410}]}]',
      ),
      span,
    );
    expect(found).toEqual({
      date: '2026-03-02',
      table: '041/A/NBP/2026',
      rates: new Map([
        ['IDR', '0.00021385'],
        ['CAD', '2.641'],
      ]),
    });
  });

  const rate = (changes: object) => [table({ rates: [{ ...eur, ...changes }] })];
  it.each<[unknown, string]>([
    [{}, 'no list of tables'],
    [[null], 'a table nothing, expected "A"'],
    [[table({ table: 'C' })], 'a table "C", expected "A"'],
    [[table({ table: ['A'] })], 'a table a list, expected "A"'],
    [[table({ no: '41/A/NBP/2026' })], 'the table number "41/A/NBP/2026", expected one like'],
    [[table({ no: ['041/A/NBP/2026'] })], 'the table number a list, expected one like'],
    [[table({ no: '000/A/NBP/2026' })], 'the table number "000/A/NBP/2026"'],
    [[table({ no: '041/B/NBP/2026' })], 'the table number "041/B/NBP/2026"'],
    [[table({ no: '041/A/NBP/2025' })], '041/A/NBP/2025 has the date 2026-03-02'],
    [[table({ effectiveDate: '2026-02-30' })], 'has the date "2026-02-30", expected a date'],
    [[table({ effectiveDate: ['2026-03-02'] })], 'has the date a list, expected a date'],
    [[table({ effectiveDate: '2026-04-01' })], '2026-04-01, which was not asked for'],
    [[table(), table()], '041/A/NBP/2026 twice'],
    [[table({ rates: [] })], 'has no rates'],
    [[table({ rates: {} })], 'has no rates'],
    [rate({ code: 'EURO' }), 'the currency "EURO", expected a text of three capital letters'],
    [rate({ code: 'eur' }), 'the currency "eur"'],
    [rate({ code: ['EUR'] }), 'the currency a list, expected a text'],
    [rate({ code: { toString: 1 } }), 'the currency an object, expected a text'],
    [rate({ code: 'X'.repeat(1_000) }), `the currency "${'X'.repeat(79)}…", expected`],
    [[table({ rates: [eur, eur] })], 'EUR twice'],
    [rate({ mid: 0 }), 'the rate of EUR 0, expected a number above 0'],
    [rate({ mid: -4.25 }), 'the rate of EUR -4.25'],
    [rate({ mid: null }), 'the rate of EUR nothing'],
    [rate({ mid: undefined }), 'the rate of EUR nothing'],
    [rate({ mid: 1e21 }), 'the rate of EUR 1e+21'],
    [rate({ mid: '4.25' }), 'the rate of EUR "4.25", expected a number above 0'],
    [rate({ mid: [4.25] }), 'the rate of EUR a list'],
  ])('%j is refused', (document, found) => {
    expect(readNbp(document)).toContain(found);
  });
});

describe('an answer of the CNB', () => {
  it('keeps the amount of each currency, and is empty before the first fixing of a year', () => {
    const next = row({ validFor: '2026-03-03', amount: 1 });

    expect(readCnb({ rates: [row(), next, row({ currencyCode: 'EUR', amount: 1 })] })).toEqual([
      {
        date: '2026-03-02',
        rates: new Map([
          ['HUF', '6.374/100'],
          ['EUR', '6.374'],
        ]),
      },
      { date: '2026-03-03', rates: new Map([['HUF', '6.374']]) },
    ]);
    expect(readCnb({ rates: [] })).toEqual([]);
  });

  it.each<[unknown, string]>([
    [[], 'no list of rates'],
    [{ rates: null }, 'no list of rates'],
    [{ rates: [1] }, 'the date nothing, expected a date like "2026-03-02" that exists'],
    [{ rates: [row({ validFor: ['2026-03-02'] })] }, 'the date a list, expected'],
    [{ rates: [row({ validFor: '2026-13-01' })] }, 'the date "2026-13-01", expected'],
    [{ rates: [row({ validFor: '2025-03-02' })] }, 'a rate of 2025-03-02, which was not asked for'],
    [{ rates: [row({ currencyCode: 'HU' })] }, '2026-03-02 has the currency "HU", expected'],
    [{ rates: [row({ currencyCode: ['HUF'] })] }, 'has the currency a list, expected'],
    [{ rates: [row(), row()] }, '2026-03-02 has HUF twice'],
    [{ rates: [row({ amount: 0 })] }, 'the amount of HUF 0, expected a whole number above 0'],
    [{ rates: [row({ amount: 1.5 })] }, 'the amount of HUF 1.5'],
    [{ rates: [row({ amount: -100 })] }, 'the amount of HUF -100'],
    [{ rates: [row({ amount: '100' })] }, 'the amount of HUF "100"'],
    [{ rates: [row({ amount: [100] })] }, 'the amount of HUF a list'],
    [{ rates: [row({ rate: 0 })] }, 'the rate of HUF 0'],
    [{ rates: [row({ rate: -1 })] }, 'the rate of HUF -1'],
    [{ rates: [row({ rate: '6.374' })] }, 'the rate of HUF "6.374", expected a number above 0'],
    [{ rates: [row({ rate: [6.374] })] }, 'the rate of HUF a list'],
  ])('%j is refused', (document, found) => {
    expect(readCnb(document)).toContain(found);
  });
});

describe('a stored publication of a bank', () => {
  it('is read as it was printed, and nothing else is read', () => {
    const rates = new Map<CurrencyCode, string>();
    rates.set('HUF' as CurrencyCode, '6.304/100').set('EUR' as CurrencyCode, '24.17');
    const snapshot = { date: isoDate('2026-01-02'), rates };
    const { print, parse } = bankSeries.cnb;
    const body =
      '{"bank":"cnb","date":"2026-01-02","table":null,"quote":"CZK","rates":{"EUR":{"units":1,"rate":24.17},"HUF":{"units":100,"rate":6.304}}}';

    expect(print(snapshot)).toBe(body);
    expect(parse(body)).toEqual(snapshot);
    for (const other of ['{}', body.replace('24.17', '24.1e7'), body.replace('"units":1,', '')]) {
      expect(() => parse(other)).toThrow(/^not a /);
    }
  });
});

describe('the numbers of tables A (rule N7)', () => {
  it.each([
    ['041/A/NBP/2026', '042/A/NBP/2026', true],
    ['041/A/NBP/2026', '043/A/NBP/2026', false],
    ['041/A/NBP/2026', '041/A/NBP/2026', false],
    ['042/A/NBP/2026', '041/A/NBP/2026', false],
    ['253/A/NBP/2026', '001/A/NBP/2027', true],
    ['253/A/NBP/2026', '002/A/NBP/2027', false],
    ['253/A/NBP/2026', '001/A/NBP/2028', false],
    ['999/A/NBP/2026', '001/A/NBP/2027', true],
  ])('%s is followed by %s: %s', (previous, next, follows) => {
    expect(tableNumbers.follows(previous, next)).toBe(follows);
  });

  const day = (date: string, number: string, eurRate: string): FxSnapshot => ({
    date: isoDate(date),
    table: `${number}/A/NBP/${date.slice(0, 4)}`,
    rates: new Map([['EUR' as CurrencyCode, eurRate]]),
  });
  const stored = [day('2026-03-02', '041', '4.2'), day('2026-03-03', '042', '4.3')];
  it.each<[what: string, offered: readonly FxSnapshot[], reasons: readonly string[]]>([
    ['the next one', [day('2026-03-04', '043', '4.4')], []],
    [
      'one after the next one',
      [day('2026-03-04', '044', '4.4')],
      ['044/A/NBP/2026 does not follow 042/A/NBP/2026'],
    ],
    // A new number is no correction of the table that is stored with its date.
    [
      'the next one of a stored day',
      [day('2026-03-03', '043', '4.4')],
      ['043/A/NBP/2026 of 2026-03-03 is not newer than 042/A/NBP/2026 of 2026-03-03'],
    ],
    [
      'a stored one of another day',
      [day('2026-03-05', '042', '4.3')],
      ['042/A/NBP/2026 is stored with the date 2026-03-03'],
    ],
    ['one of a Saturday', [day('2026-03-07', '043', '4.4')], ['2026-03-07 is a weekend']],
    [
      'one with a doubled rate',
      [day('2026-03-04', '043', '8.6')],
      ['EUR 4.3 → 8.6, a factor of 2 or more'],
    ],
    [
      'one that is doubted before the first one of a year, which is not',
      [day('2026-12-31', '043', '8.6'), day('2027-01-04', '001', '4.4')],
      ['EUR 4.3 → 8.6, a factor of 2 or more'],
    ],
  ])('decide about %s (rule N11)', (_what, snapshots, reasons) => {
    const offers = snapshots.map((snapshot) => ({ snapshot, isFromHistory: true }));
    const planning = { series: bankSeries.nbp, today: isoDate('2027-02-01'), begunOn };
    const plan = planPublications(offers, stored, planning);

    expect(plan.doubted.flatMap((one) => one.reasons)).toEqual(reasons);
    expect(plan.corrected).toEqual([]);
  });

  it('leave values after their units to the gate', () => {
    const of = (value: string, date: string) => ({
      date: isoDate(date),
      rates: new Map([['HUF' as CurrencyCode, value]]),
    });
    const plan = planPublications(
      [{ snapshot: of('63.9/1000', '2026-03-03'), isFromHistory: true }],
      [of('6.3/100', '2026-03-02')],
      { series: bankSeries.cnb, today: isoDate('2026-03-03'), begunOn },
    );
    expect(plan.doubted).toEqual([]);
  });
});
