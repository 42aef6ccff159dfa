import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyFxSnapshot } from '../../test/support/arbitraries.ts';
import { parseCsv } from '../../test/support/parse-csv.ts';
import { printCsv } from '../platform/csv.ts';
import { isoDate } from '../platform/time.ts';
import { fxTable, rangeTable } from './csv.ts';
import { parseCurrencies } from './range.ts';
import { printSnapshot } from './snapshot.ts';

describe('fxTable (contract C36)', () => {
  it('prints these bytes for ever, because callers keep the CSV of a date as immutable (contract C8)', () => {
    const body = '{"date":"2026-11-20","base":"EUR","rates":{"JPY":181.35,"USD":1.1597}}';

    expect(printCsv(fxTable(body))).toBe(
      'date,currency,rate\r\n2026-11-20,JPY,181.35\r\n2026-11-20,USD,1.1597\r\n',
    );
  });

  it('has the values of the JSON, digit for digit, by currency', () => {
    fc.assert(
      fc.property(anyFxSnapshot, (snapshot) => {
        const [, ...rows] = parseCsv(printCsv(fxTable(printSnapshot(snapshot))));

        const currencies = [...snapshot.rates.keys()].sort();
        expect(rows).toEqual(
          currencies.map((code) => [snapshot.date, code, snapshot.rates.get(code)]),
        );
      }),
    );
  });
});

describe('rangeTable (contract C36)', () => {
  const range = {
    from: isoDate('2025-12-30'),
    to: isoDate('2026-01-02'),
    currencies: parseCurrencies('usd,BGN') ?? [],
  };

  it('has a row for each date and a column for each currency, empty where it has no value', () => {
    const columns = {
      dates: ['"2025-12-31"', '"2026-01-02"'],
      cells: ['1.1,1.20', '1.9558,null'],
    };

    expect(printCsv(rangeTable(columns, range))).toBe(
      'date,USD,BGN\r\n2025-12-31,1.1,1.9558\r\n2026-01-02,1.20,\r\n',
    );
  });

  it('has only headings if the span has no publication', () => {
    expect(printCsv(rangeTable({ dates: [], cells: ['', ''] }, range))).toBe('date,USD,BGN\r\n');
  });
});
