import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { isoDate } from '../../platform/time.ts';
import { stripZeros } from './series.ts';
import { type FixingDay, printDaily, printHistory, printHistoryDay } from './xml.ts';
import {
  capturedFolder,
  hasCaptured,
  readDays,
} from '../../../test/support/sandbox/upstream-reader.ts';

function toDays(xml: string): readonly FixingDay[] {
  return readDays(xml).map(({ date, rates }) => ({
    date: isoDate(date),
    fixings: Object.entries(rates).map(([currency, rate]) => ({
      currency,
      value: stripZeros(rate),
    })),
  }));
}

describe('printDaily', () => {
  it('pads every value to the decimals of its currency', () => {
    const day = {
      date: isoDate('2026-11-20'),
      fixings: [
        { currency: 'USD', value: '1.1' },
        { currency: 'JPY', value: '180' },
        { currency: 'GBP', value: '0.87' },
      ],
    };

    expect(printDaily(day)).toContain(
      [
        "\t\t<Cube time='2026-11-20'>",
        "\t\t\t<Cube currency='USD' rate='1.1000'/>",
        "\t\t\t<Cube currency='JPY' rate='180.00'/>",
        "\t\t\t<Cube currency='GBP' rate='0.87000'/>",
        '\t\t</Cube>\n',
      ].join('\n'),
    );
  });
});

describe('printHistory', () => {
  it('prints one line per day and no line feed at the end', () => {
    const days = ['2026-11-20', '2026-11-19'].map((date) =>
      printHistoryDay({ date: isoDate(date), fixings: [{ currency: 'USD', value: '1.1' }] }),
    );

    const xml = printHistory(days);

    expect(xml.split('\n')).toHaveLength(2);
    expect(readDays(xml)).toEqual([
      { date: '2026-11-20', rates: { USD: '1.1' } },
      { date: '2026-11-19', rates: { USD: '1.1' } },
    ]);
  });
});

describe.skipIf(!hasCaptured)('the wire form of the ECB beside captured files', () => {
  const read = (name: string) => readFileSync(`${capturedFolder}/ecb/${name}`, 'utf8');

  it.each(['eurofxref-daily_2025-10-24.xml', 'eurofxref-daily_2026-01-02.xml'])(
    'prints %s byte for byte from its own values',
    (name) => {
      const captured = read(name);
      const [day] = toDays(captured);

      expect(day && printDaily(day)).toBe(captured);
    },
  );

  it('prints the 90-day file byte for byte from its own values', () => {
    const captured = read('eurofxref-hist-90d_2026-01-30.xml');

    expect(printHistory(toDays(captured).map(printHistoryDay))).toBe(captured);
  });
});
