import { readFileSync } from 'node:fs';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { addDays, type IsoDate, isoDate } from '../../platform/time/time.ts';
import type { TedbRow } from './row.ts';
import { makeStateRows } from './rows.ts';
import { situationDates } from './situations.ts';
import { memberStates } from '../data/vat-rates.ts';
import { ratesInForce } from '../scenario/rates-in-force.ts';
import {
  capturedFolder,
  hasCaptured,
  reduceRows,
} from '../../../test/support/sandbox/upstream-reader.ts';

const today = isoDate('2026-09-15');

function rowsOf(state: string, date: IsoDate = today): readonly TedbRow[] {
  return makeStateRows({ state, date, rates: ratesInForce(state, date, []) }, 'full');
}

function read(rows: readonly TedbRow[]) {
  return reduceRows(rows.map((row) => ({ ...row, category: row.category?.identifier })));
}

describe('makeStateRows', () => {
  it('makes rows that a correct reader reads as the rates in force on any day', () => {
    const anyDay = fc
      .integer({ min: 210, max: 4400 })
      .map((days) => addDays(isoDate('2016-01-01'), days));

    fc.assert(
      fc.property(fc.constantFrom(...memberStates), anyDay, (state, date) => {
        const rates = ratesInForce(state, date, []);
        const expected = (values: readonly string[]) =>
          [...new Set(values.map(Number))].filter((one) => one !== 0).sort((a, b) => a - b);

        // The record of a day has the rates of that day.
        expect(read(rowsOf(state, situationDates(state, date, []).at(-1)))).toEqual({
          standard: Number(rates.standard[0]),
          reduced: expected(rates.reduced),
          superReduced: expected(rates.super_reduced),
          parking: expected(rates.parking),
        });
      }),
    );
  });

  it('makes a row of a national rate that a place has as well', () => {
    const rates = { ...ratesInForce('PT', today, []), reduced: ['6', '13', '16'] };

    const rows = makeStateRows({ state: 'PT', date: today, rates }, 'brief');

    expect(read(rows).reduced).toEqual([6, 13, 16]);
  });
});

describe.skipIf(!hasCaptured)('makeStateRows beside the real rates of 2026-09-15', () => {
  type Captured = Record<
    'standard' | 'reduced' | 'super_reduced_values' | 'parking_values',
    number
  >;
  const file = `${capturedFolder}/tedb/eu27-national-rates_2026-09-15.json`;
  const rates = hasCaptured
    ? (JSON.parse(readFileSync(file, 'utf8')) as { rates: Record<string, Captured> }).rates
    : {};

  it.each(Object.entries(rates))('gives a correct reader the rates of %s', (state, expected) => {
    expect(read(rowsOf(state))).toEqual({
      standard: expected.standard,
      reduced: expected.reduced,
      superReduced: expected.super_reduced_values,
      parking: expected.parking_values,
    });
  });
});
