import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { addDays, type IsoDate, isoDate } from '../../platform/time.ts';
import { firstFixingDate, isPublicationDay } from './calendar.ts';
import { listings, newestRealFixingDate } from './listings.ts';
import { fixingsOn } from './series.ts';
import { capturedFolder, hasCaptured } from '../../../test/support/sandbox/upstream-reader.ts';

const days = publicationDays('1999-01-04', '2029-12-31').map((date) => ({
  date,
  values: new Map(fixingsOn(date).map(({ currency, value }) => [currency, value])),
}));
const steps = days.slice(1).map((day, index) => ({ day, before: days[index] ?? day }));

function publicationDays(from: string, to: string): readonly IsoDate[] {
  const dates: IsoDate[] = [];
  for (let date = isoDate(from); date <= to; date = addDays(date, 1)) {
    if (isPublicationDay(date)) dates.push(date);
  }
  return dates;
}

describe('fixingsOn', () => {
  it('returns every anchor with its real value', () => {
    const shown = new Map(days.map(({ date, values }) => [date, values]));

    for (const { currency, anchors } of listings) {
      for (const { date, value } of anchors) {
        expect(`${date} ${currency} ${shown.get(date)?.get(currency)}`).toBe(
          `${date} ${currency} ${value}`,
        );
      }
    }
  });

  it('has 29 currencies since Bulgaria adopted the euro, in the order of the ECB', () => {
    const order =
      'USD JPY CZK DKK GBP HUF PLN RON SEK CHF ISK NOK TRY AUD BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB ZAR';

    expect(
      fixingsOn(isoDate('2026-01-02'))
        .map(({ currency }) => currency)
        .join(' '),
    ).toBe(order);
    expect(fixingsOn(isoDate('2025-12-31'))).toHaveLength(30);
  });

  it.each([
    ['ISK', '2008-12-09', '2008-12-10'],
    ['RUB', '2022-03-01', '2022-03-02'],
    ['HRK', '2022-12-30', '2023-01-02'],
    ['BGN', '2025-12-31', '2026-01-02'],
  ])('shows %s on %s and not on %s', (currency, last, without) => {
    const has = (date: string) => fixingsOn(isoDate(date)).some((one) => one.currency === currency);

    expect(has(last)).toBe(true);
    expect(has(without)).toBe(false);
  });

  it('prints plain decimals without trailing zeros', () => {
    const values = days.flatMap((day) => [...day.values.values()]);

    expect(values.filter((value) => !/^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/.test(value))).toEqual([]);
  });

  it('moves no currency by a tenth or more in a day', () => {
    const jumps = steps.flatMap(({ day, before }) =>
      [...day.values]
        .map(([currency, value]) => ({
          what: `${currency} ${day.date}`,
          factor: Number(value) / Number(before.values.get(currency) ?? value),
        }))
        .filter(({ factor }) => factor > 1.1 || factor < 0.9),
    );

    expect(jumps).toEqual([]);
  });

  it('moves most of the currencies on every day', () => {
    const frozen = steps.filter(({ day, before }) => {
      const shared = [...day.values].filter(([currency]) => before.values.has(currency));
      const same = shared.filter(([currency, value]) => before.values.get(currency) === value);
      return same.length > shared.length / 2;
    });

    expect(frozen).toEqual([]);
  });

  it('hardly moves a currency that is bound to the euro', () => {
    const kroner = days.map(({ values }) => Number(values.get('DKK')));

    expect(Math.max(...kroner) / Math.min(...kroner)).toBeLessThan(1.01);
  });
});

describe.skipIf(!hasCaptured)('the series beside the real history', () => {
  const [header = '', ...rows] = hasCaptured
    ? readFileSync(`${capturedFolder}/ecb/eurofxref-hist_2026-04-13.csv`, 'utf8').trim().split('\n')
    : [];
  const currencies = header.split(',').slice(1, -1);
  const real = rows.map((row) => row.split(',')).reverse();

  it('has a fixing on exactly the same days', () => {
    expect(publicationDays(firstFixingDate, newestRealFixingDate)).toEqual(
      real.map(([date]) => date),
    );
  });

  it('lists exactly the same currencies on every day, in the same order', () => {
    const differences = real.flatMap(([date = '', ...values]) => {
      const listed = currencies.filter((_, index) => values[index] !== 'N/A').join();
      const fixings = fixingsOn(isoDate(date));
      const shown = fixings.map(({ currency }) => currency).join();
      return shown === listed ? [] : [`${date}: ${shown} instead of ${listed}`];
    });

    expect(differences).toEqual([]);
    expect(real).toHaveLength(6983);
  });

  it('has every anchor from the real history', () => {
    const values = new Map(
      real.flatMap(([date, ...cells]) =>
        cells.map((cell, index) => [`${date} ${currencies[index]}`, cell] as const),
      ),
    );

    for (const { currency, anchors } of listings) {
      for (const { date, value } of anchors) {
        expect(`${date} ${currency} ${values.get(`${date} ${currency}`)}`).toBe(
          `${date} ${currency} ${value}`,
        );
      }
    }
  });
});
