import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { addDays, type IsoDate, isoDate } from '../../platform/time/time.ts';
import { firstFixingDate, isPublicationDay } from './calendar.ts';
import { listings, newestRealFixingDate } from './listings.ts';
import { fixingsOn } from './series.ts';
import { capturedFolder, hasCaptured } from '../../../test/support/sandbox/upstream-reader.ts';

const days = publicationDays('1999-01-04', '2029-12-31').map((date) => ({
  date,
  values: new Map(fixingsOn(date).map(({ currency, value }) => [currency, value])),
}));

function publicationDays(from: string, to: string): readonly IsoDate[] {
  const dates: IsoDate[] = [];
  for (let date = isoDate(from); date <= to; date = addDays(date, 1)) {
    if (isPublicationDay(date)) dates.push(date);
  }
  return dates;
}

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
      const shown = fixingsOn(isoDate(date))
        .map(({ currency }) => currency)
        .join();
      return shown === listed ? [] : [`${date}: ${shown} instead of ${listed}`];
    });

    expect(differences).toEqual([]);
    expect(real).toHaveLength(6983);
  });

  it('shows every anchor with the value of the real history', () => {
    const values = new Map(real.map(([date = '', ...cells]) => [date, cells]));
    const shown = new Map(days.map((day) => [day.date, day.values]));

    for (const { currency, anchors } of listings) {
      for (const { date, value } of anchors) {
        const captured = values.get(date)?.[currencies.indexOf(currency)];
        expect([currency, captured, shown.get(date)?.get(currency)]).toEqual([
          currency,
          value,
          value,
        ]);
      }
    }
  });
});
