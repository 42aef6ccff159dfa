import { readFileSync } from 'node:fs';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { addDays, type IsoDate, isoDate } from '../../platform/time.ts';
import type { Situation, TedbRow } from './row.ts';
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

function situation(state: string, date: IsoDate): Situation {
  return { state, date, rates: ratesInForce(state, date, []) };
}

function rowsOf(state: string, date: IsoDate = today): readonly TedbRow[] {
  return makeStateRows(situation(state, date), 'full');
}

function read(rows: readonly TedbRow[]) {
  return reduceRows(rows.map((row) => ({ ...row, category: row.category?.identifier })));
}

function brief(row: TedbRow): string {
  return `${row.rateType} ${row.value} ${row.category?.identifier ?? '-'}`;
}

describe('makeStateRows', () => {
  it.each(['full', 'brief'] as const)(
    'makes rows that a correct reader reads as the rates in force, %s',
    (detail) => {
      const anyDay = fc
        .integer({ min: 210, max: 4400 })
        .map((days) => addDays(isoDate('2016-01-01'), days));

      fc.assert(
        fc.property(fc.constantFrom(...memberStates), anyDay, (state, date) => {
          const { rates } = situation(state, date);
          const expected = (values: readonly string[]) =>
            [...new Set(values.map(Number))].filter((one) => one !== 0).sort((a, b) => a - b);

          expect(read(makeStateRows(situation(state, date), detail))).toEqual({
            standard: Number(rates.standard[0]),
            reduced: expected(rates.reduced),
            superReduced: expected(rates.super_reduced),
            parking: expected(rates.parking),
          });
        }),
      );
    },
  );

  it('makes the same rows every time', () => {
    expect(rowsOf('IT')).toEqual(rowsOf('IT'));
  });

  it('puts the Canary Islands right before the rate of Spain', () => {
    const standard = rowsOf('ES').filter(({ type }) => type === 'STANDARD');

    expect(standard.map(({ value }) => value)).toEqual(['7', '21']);
    expect(standard[0]?.comment).toBe('VAT - Canary Islands - ');
    expect(standard[1]?.comment).toBeUndefined();
  });

  it('doubles the rows of Germany for imports', () => {
    const rows = rowsOf('DE');

    const copies = rows.filter(({ comment }) => comment?.startsWith('VAT - Import - '));
    // 44 and 22 in 2025, and restaurants since 2026.
    expect(rows).toHaveLength(46);
    expect(copies).toHaveLength(23);
  });

  it.each([
    ['AT', ['19']],
    ['EL', ['17']],
    ['FR', ['0.9', '1.05', '13', '8.5']],
    ['PT', ['16', '22']],
  ])('lists the regional rates of %s as reduced ones', (state, values) => {
    const regional = rowsOf(state).filter(({ category }) => category?.identifier === 'REGION');

    expect(regional.map(({ value }) => value).sort()).toEqual(values);
    expect(new Set(regional.map(({ rateType }) => rateType))).toEqual(new Set(['REDUCED_RATE']));
  });

  it('shows the rate of the Azores before July 2021', () => {
    const regional = rowsOf('PT', isoDate('2021-01-01')).filter(
      ({ category }) => category?.identifier === 'REGION',
    );

    expect(regional.map(({ value }) => value).sort()).toEqual(['18', '22']);
  });

  it.each(['BE', 'CZ', 'FR', 'IE', 'LU', 'LV'])(
    'comments the standard rate of %s in HTML',
    (state) => {
      const standard = rowsOf(state).filter(({ type }) => type === 'STANDARD');

      expect(standard.map(({ comment }) => comment)).toEqual([
        '<p>Art. 1, § 1, of the code (made up).</p>',
      ]);
    },
  );

  it.each([
    ['AT', 'REDUCED_RATE 20 LOAN_LIBRARIES'],
    ['PL', 'SUPER_REDUCED_RATE 8 TEMPORARY_EXEMPTION_RATE'],
    ['PT', 'SUPER_REDUCED_RATE 6 TEMPORARY_EXEMPTION_RATE'],
  ])('has the misleading row of %s: %s', (state, row) => {
    expect(rowsOf(state).map(brief)).toContain(row);
  });

  it('shows Luxembourg with two super-reduced rates', () => {
    const values = rowsOf('LU')
      .filter(({ rateType }) => rateType === 'SUPER_REDUCED_RATE')
      .map(({ value }) => value);

    expect(new Set(values)).toEqual(new Set(['3', '8']));
  });

  it('has zero rates as reduced ones until 2023-07-01 and as exemptions since', () => {
    const zeroes = (date: IsoDate) =>
      new Set(
        rowsOf('IE', date)
          .filter(({ value }) => value === '0')
          .map(({ rateType }) => rateType),
      );

    expect(zeroes(isoDate('2023-01-01'))).toEqual(new Set(['REDUCED_RATE']));
    expect(zeroes(isoDate('2023-07-01'))).toContain('EXEMPTED');
    expect(zeroes(isoDate('2023-07-01'))).not.toContain('REDUCED_RATE');
  });

  it.each(['IT', 'SK'])('repeats a row of %s', (state) => {
    const rows = rowsOf(state).map((row) => JSON.stringify(row));

    expect(new Set(rows).size).toBeLessThan(rows.length);
  });

  it('has the real rows about newspapers in Belgium, and no made-up ones', () => {
    const codesOf = (row: TedbRow) => row.cnCodes.map(({ value }) => value);
    const rows = rowsOf('BE').filter((row) => codesOf(row).some((code) => code.startsWith('4902')));

    expect(rows.map(brief).sort()).toEqual([
      'EXEMPTED 0 LOAN_LIBRARIES',
      'REDUCED_RATE 6 LOAN_LIBRARIES',
    ]);
    expect(rows.flatMap(codesOf)).toContain('4903 00 00');
    expect(rows.map(({ comment }) => comment).join(' ')).toContain(
      'Exemption with deduction right',
    );
  });

  it.each([
    ['BE', 'ACCOMMODATION', '2026-02-28', ['6'], ['12']],
    ['SE', 'FOODSTUFFS', '2026-03-31', ['12'], ['6']],
    ['DE', 'RESTAURANT', '2025-12-31', [], ['7']],
    ['NL', 'ACCOMMODATION', '2025-12-31', ['9', '9'], ['9']],
    ['IE', 'RESTAURANT', '2026-06-30', ['13.5'], ['9']],
    ['AT', 'FOODSTUFFS', '2026-06-30', ['10'], ['10', '4.9']],
    ['AT', 'PHARMACEUTICAL_PRODUCTS', '2025-12-31', [], ['0']],
  ])('moves %s %s in 2026, with a record of its own', (state, category, before, was, is) => {
    const valuesOn = (date: IsoDate) =>
      rowsOf(state, situationDates(state, date, []).at(-1))
        .filter((row) => row.category?.identifier === category)
        .filter(({ comment }) => comment?.startsWith('VAT - Import') !== true)
        .map(({ value }) => value);

    expect(valuesOn(isoDate(before)).sort()).toEqual(was);
    expect(valuesOn(today).sort()).toEqual(is);
  });

  it('gives the real rows a rate that is in force', () => {
    const rates = { standard: ['21'], reduced: ['7'], super_reduced: [], parking: [] };
    const rows = makeStateRows({ state: 'BE', date: today, rates }, 'brief');

    const values = rows.filter(({ rateType }) => rateType === 'REDUCED_RATE');
    expect(new Set(values.map(({ value }) => value))).toEqual(new Set(['7']));
    expect(values.length).toBeGreaterThan(5);
  });

  it('gives a category to every reduced row and to no standard row', () => {
    const rows = memberStates.flatMap((state) => rowsOf(state));

    expect(
      rows.filter(({ type, category }) => (type === 'REDUCED') !== (category !== undefined)),
    ).toEqual([]);
  });
});

describe.skipIf(!hasCaptured)('makeStateRows beside the real rates of 2026-09-15', () => {
  interface Captured {
    readonly standard: number;
    readonly reduced: readonly number[];
    readonly super_reduced_values: readonly number[];
    readonly parking_values: readonly number[];
  }
  const captured = hasCaptured
    ? (
        JSON.parse(
          readFileSync(`${capturedFolder}/tedb/eu27-national-rates_2026-09-15.json`, 'utf8'),
        ) as { rates: Record<string, Captured> }
      ).rates
    : {};

  it.each(Object.entries(captured))('gives a correct reader the rates of %s', (state, expected) => {
    expect(read(rowsOf(state))).toEqual({
      standard: expected.standard,
      reduced: expected.reduced,
      superReduced: expected.super_reduced_values,
      parking: expected.parking_values,
    });
  });
});
