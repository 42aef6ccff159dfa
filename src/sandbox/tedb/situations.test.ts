import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { addDays, isoDate } from '../../platform/time.ts';
import { memberStates } from '../data/vat-rates.ts';
import { ratesInForce } from '../scenario/rates-in-force.ts';
import { answeredCode, situationDates } from './situations.ts';

const anyDate = fc
  .integer({ min: 0, max: 4400 })
  .map((days) => addDays(isoDate('2016-01-01'), days));
const anyState = fc.constantFrom(...memberStates);

describe('situationDates', () => {
  it('begins a record on the day on which a rate changes', () => {
    expect(situationDates('RO', isoDate('2025-08-26'), []).at(-1)).toBe('2025-08-01');
    expect(situationDates('FI', isoDate('2024-10-01'), []).at(-1)).toBe('2024-09-01');
  });

  it('begins a record on 1 January and on 1 July', () => {
    expect(situationDates('DE', isoDate('2027-08-01'), []).slice(-2)).toEqual([
      '2027-01-01',
      '2027-07-01',
    ]);
  });

  it('begins no record on 1 July for a Member State that leaves it out', () => {
    expect(situationDates('IT', isoDate('2025-08-26'), []).at(-1)).toBe('2025-01-01');
  });

  it('has no record before 2016 or before the first record of a Member State', () => {
    expect(situationDates('DE', isoDate('2015-12-31'), [])).toEqual([]);
    expect(situationDates('NL', isoDate('2016-06-30'), [])).toEqual([]);
    expect(situationDates('XI', isoDate('2021-06-30'), [])).toEqual([]);
  });

  it('has the last record of the United Kingdom on all later days', () => {
    expect(situationDates('UK', isoDate('2026-11-20'), []).at(-1)).toBe('2020-01-01');
  });

  it('begins a record on the day of a scripted change', () => {
    const from = isoDate('2026-11-21');
    const change = { country: 'HU', field: 'standard', values: ['25'], from } as const;

    expect(situationDates('HU', from, [change]).at(-1)).toBe('2026-11-21');
    expect(situationDates('HU', isoDate('2026-11-20'), [change]).at(-1)).toBe('2026-07-01');
    expect(situationDates('CZ', from, [change]).at(-1)).toBe('2026-07-01');
  });

  it('never misses a change: the rates of a day are those of its record', () => {
    fc.assert(
      fc.property(anyState, anyDate, (state, date) => {
        const record = situationDates(state, date, []).at(-1);
        if (record === undefined) return;
        expect(ratesInForce(state, record, [])).toEqual(ratesInForce(state, date, []));
      }),
    );
  });
});

describe('answeredCode', () => {
  it.each([
    ['DE', 'DE'],
    ['EL', 'EL'],
    ['XI', 'XI'],
    ['GB', 'UK'],
    ['GR', undefined],
    ['UK', undefined],
    ['NO', undefined],
  ])('answers %s with %s', (asked, answered) => {
    expect(answeredCode(asked)).toBe(answered);
  });

  it('answers every Member State under its own code', () => {
    expect(memberStates.map(answeredCode)).toEqual(memberStates);
  });
});
