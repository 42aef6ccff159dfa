import { describe, expect, it } from 'vitest';
import {
  categoryRow as row,
  matchDay as match,
  rowsOf as country,
} from '../../../test/support/category-rows.ts';
import { isoDate } from '../../platform/time/time.ts';
import type { CategoryRow } from './category-row.ts';
import type { RowFilter } from './matched-row.ts';

/** A row of goods whose code has four digits, without a condition. */
const six = row('A', { rate: '6', cnCodes: ['4902'] });

describe('conditional (rules G5, G5b)', () => {
  it.each<[string, Partial<CategoryRow>, boolean]>([
    ['a comment', { comment: 'For the blind' }, true],
    ['a digit as its comment', { comment: '1' }, true],
    ['a lone dash as its comment', { comment: '-' }, false],
    ['blanks as its comment', { comment: ' \n\u00A0' }, false],
    ['a chapter as its code', { cnCodes: ['49'] }, true],
    ['a longer code beside its chapter', { cnCodes: ['49', '4902'] }, false],
    ['a last day before the version', { inForce: { from: null, to: isoDate('2026-11-19') } }, true],
    ['the version as its last day', { inForce: { from: null, to: isoDate('2026-11-20') } }, false],
    ['a first day after it', { inForce: { from: isoDate('2026-11-21'), to: null } }, true],
    ['a category that the State does not use', { treatment: 'not_applicable', rate: null }, true],
    ['no comment and a code of four digits', {}, false],
  ])('is decided by %s', (_, own, expected) => {
    const { rows } = match([country('BE', { ...six, ...own })], { cn: '4902' });

    expect(rows.map(({ conditional }) => conditional)).toEqual([expected]);
  });

  it('is decided by a group of the CPA and the section F, not by a missing code of a question by category', () => {
    const repair = country(
      'NL',
      row('REPAIR', { cpaCodes: ['95.2'] }),
      row('HOUSING', { cpaCodes: ['F'] }),
      row('BOOKS'),
    );
    const ofQuestion = (filter: Partial<RowFilter>) =>
      match([repair], filter).rows.map(({ conditional }) => conditional);

    expect(ofQuestion({ cpa: '9522' })).toEqual([true]);
    expect(ofQuestion({ cpa: '4120' })).toEqual([true]);
    expect(ofQuestion({ category: 'BOOKS' })).toEqual([false]);
    expect(ofQuestion({ cpa: '9522', withUncoded: true })).toEqual([true, true]);
  });
});

describe('ambiguous and verdict (rules G5, G13)', () => {
  const judge = (rows: readonly CategoryRow[], filter: Partial<RowFilter> = { cn: '4902' }) => {
    const { ambiguous, verdicts } = match([country('BE', ...rows)], filter);
    return [ambiguous, verdicts['BE']];
  };
  const one = { kind: 'one', treatment: 'rate', rate: '6' };
  const depends = (rates: string[], treatments: string[] = ['rate']) => ({
    kind: 'depends',
    rates,
    treatments,
  });

  it.each<[string, Partial<CategoryRow>, unknown]>([
    ['another rate', { rate: '12' }, depends(['6', '12'])],
    ['another rate for a longer code', { rate: '12', cnCodes: ['49020000'] }, depends(['6', '12'])],
    ['another rate for a shorter code', { rate: '12', cnCodes: ['49'] }, depends(['6', '12'])],
    ['a zero rate', { rate: '0', treatment: 'zero' }, depends(['0', '6'], ['rate', 'zero'])],
    ['an exemption', { rate: null, treatment: 'exempted' }, depends(['6'], ['rate', 'exempted'])],
    ['another kind', { kind: 'parking' }, one],
    ['the same rate for a part of the code', { cnCodes: ['49020000'] }, one],
    ['the same rate under a condition', { comment: 'Only on paper' }, depends(['6'])],
    ['another rate for another code', { rate: '12', cnCodes: ['4901'] }, one],
    ['another rate for imports', { rate: '12', scope: 'import' }, one],
  ])('are decided by a row of the same country with %s', (_, own, verdict) => {
    const rows = [six, { ...six, ...own, category: 'B' }];

    expect(judge(rows)).toEqual([verdict !== one, verdict]);
  });

  it('are decided by a row that contains only a part of the code', () => {
    expect(judge([{ ...six, cnCodes: ['490210'] }])).toEqual([true, depends(['6'])]);
  });

  it('are null and none without a national row: rows for imports and of places are none', () => {
    const none = [null, { kind: 'none', uncoded: 0 }];
    const place = { ...six, territory: 'Corsica', comment: 'VAT - Corsica -' };

    expect(judge([])).toEqual(none);
    expect(judge([{ ...six, scope: 'import' }])).toEqual(none);
    expect(judge([place], { cn: '4902', withTerritories: true })).toEqual(none);
    expect(judge([six, place], { cn: '4902', withTerritories: true })).toEqual([
      true,
      depends(['6']),
    ]);
  });

  it('differ if rows without a code are included: only ambiguous counts them', () => {
    const book = row('BOOKS', { rate: '12' });
    const included = { cn: '4902', withUncoded: true };

    expect(judge([book], { cn: '4902' })).toEqual([null, { kind: 'none', uncoded: 1 }]);
    expect(judge([book], included)).toEqual([true, { kind: 'none', uncoded: 1 }]);
    expect(judge([six, book], included)).toEqual([true, one]);
  });

  it('are those of each country, and there is no verdict on a country alone', () => {
    const other = row('A', { rate: '12', cnCodes: ['4902'] });
    const both = [country('BE', six), country('IT', other)];
    const { ambiguous, verdicts } = match(both, { cn: '4902' });

    expect(ambiguous).toBe(false);
    expect(Object.keys(verdicts)).toHaveLength(27);
    expect(verdicts).toMatchObject({ BE: one, IT: { kind: 'one', rate: '12' } });
    expect(match(both, { country: 'BE' }).verdicts).toEqual({});
  });

  it.each<[Partial<CategoryRow>, unknown]>([
    [
      { treatment: 'exempted', rate: null },
      { kind: 'one', treatment: 'exempted', rate: null },
    ],
    [
      { treatment: 'zero', rate: '0' },
      { kind: 'one', treatment: 'zero', rate: '0' },
    ],
    [{ treatment: 'not_applicable', rate: null }, depends([], ['not_applicable'])],
  ])('have no rate for a treatment without one: %j', (own, verdict) => {
    expect(judge([{ ...six, ...own }])[1]).toEqual(verdict);
  });
});

describe('uncoded and withoutCodes (rule G5)', () => {
  const spain = country(
    'ES',
    row('-', { rate: '4', kind: 'super_reduced' }),
    row('HOTEL', { rate: '10', cpaCodes: ['55'] }),
    row('CARE', { rate: null, treatment: 'exempted' }),
    row('CANARIES', { rate: '3', territory: 'Canary Islands' }),
    row('FOOD', { rate: '10', cnCodes: ['04'] }),
  );
  const ofSpain = (rows: number, ...rates: string[]) => ({ ES: { rows, rates } });
  it.each<[Partial<RowFilter>, object | undefined, string[] | undefined]>([
    [{ cn: '4901' }, ofSpain(2, '4'), []],
    [{ cpa: '5510' }, ofSpain(2, '4'), ['AT']],
    [{ cn: '0401', cpa: '5510' }, ofSpain(2, '4'), ['AT']],
    [{ cn: '4901', category: 'CARE' }, ofSpain(1), []],
    [{ cn: '4901', withTerritories: true }, ofSpain(2, '4'), []],
    [{ category: 'CARE' }, undefined, undefined],
  ])('are the rows and countries that %j cannot find', (filter, uncoded, withoutCodes) => {
    const countries = [spain, country('AT', row('FOOD', { cnCodes: ['04'] }))];
    const found = match(countries, filter);

    expect(found.uncoded).toEqual(uncoded);
    // Countries without any row have no code either.
    expect(found.withoutCodes?.filter((one) => ['AT', 'ES'].includes(one))).toEqual(withoutCodes);
  });
});
