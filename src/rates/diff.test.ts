import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEntries } from '../../test/support/arbitraries.ts';
import { isoDate } from '../platform/time/time.ts';
import { diffSnapshots, type FieldMove, toChanges } from './diff.ts';
import type { CountryCode } from './member-states.ts';
import type { RateEntry } from './snapshot.ts';

type Rates = Partial<Omit<RateEntry, 'country'>>;

function entry(country: string, rates: Rates = {}): RateEntry {
  const none = { standard: '20', reduced: [], superReduced: undefined, parking: undefined };
  return { country: country as CountryCode, ...none, ...rates };
}

/** The moves between entries, as text. */
function moves(was: readonly RateEntry[], is: readonly RateEntry[]): string[] {
  return diffSnapshots({ entries: was }, { entries: is }).map(
    (move) => `${move.country} ${move.field} ${move.old} → ${move.new}`,
  );
}

const fieldsOf = ({ standard, reduced, superReduced, parking }: RateEntry): [string, string][] =>
  [
    ['standard', standard],
    ...reduced.map((rate, at) => [`reduced[${at}]`, rate]),
    ['super_reduced', superReduced],
    ['parking', parking],
  ].filter((field): field is [string, string] => field[1] !== undefined);

/** Applies moves to entries: the property of a diff, written independently of it. */
function apply(entries: readonly RateEntry[], diff: readonly FieldMove[]): RateEntry[] {
  const fields = new Map(entries.map((one) => [String(one.country), new Map(fieldsOf(one))]));
  for (const { country, field, old, new: value } of diff) {
    const own = fields.get(country) ?? new Map<string, string>();
    expect(own.get(field) ?? null).toBe(old);
    if (value === null) own.delete(field);
    else own.set(field, value);
    fields.set(country, own);
  }
  return [...fields]
    .filter(([, own]) => own.has('standard'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([country, own]) =>
      entry(country, {
        standard: own.get('standard') ?? '',
        reduced: [...own.keys()]
          .filter((field) => field.startsWith('reduced['))
          .map((_, at) => own.get(`reduced[${at}]`) ?? 'a hole'),
        superReduced: own.get('super_reduced'),
        parking: own.get('parking'),
      }),
    );
}

describe('diffSnapshots (interface 2.2, contract C16)', () => {
  it.each<[string, Rates, Rates, string[]]>([
    ['a standard rate', { standard: '27' }, { standard: '25' }, ['standard 27 → 25']],
    ['a reduced rate', { reduced: ['5', '18'] }, { reduced: ['5', '15'] }, ['reduced[1] 18 → 15']],
    ['a new super-reduced rate', {}, { superReduced: '4.9' }, ['super_reduced null → 4.9']],
    ['a parking rate that ends', { parking: '12' }, {}, ['parking 12 → null']],
    [
      'a new reduced rate by its position',
      { reduced: ['10'] },
      { reduced: ['5', '10'] },
      ['reduced[0] 10 → 5', 'reduced[1] null → 10'],
    ],
    ['nothing', { reduced: ['5'] }, { reduced: ['5'] }, []],
  ])('reports %s', (_, was, is, expected) => {
    expect(moves([entry('HU', was)], [entry('HU', is)])).toEqual(expected.map((m) => `HU ${m}`));
  });

  it('reports every field of a country that appears, by country, then by field', () => {
    const hungary = entry('HU', { standard: '27', reduced: ['5', '18'], parking: '12' });

    expect(moves([entry('RO'), entry('AT')], [hungary, entry('AT', { standard: '21' })])).toEqual([
      'AT standard 20 → 21',
      'HU parking null → 12',
      'HU reduced[0] null → 5',
      'HU reduced[1] null → 18',
      'HU standard null → 27',
      'RO standard 20 → null',
    ]);
  });

  it('leads to the new snapshot, and back if the snapshots are exchanged', () => {
    fc.assert(
      fc.property(anyEntries, anyEntries, (was, is) => {
        const there = diffSnapshots({ entries: was }, { entries: is });
        const back = diffSnapshots({ entries: is }, { entries: was });
        expect(apply(was, there)).toEqual(is);
        expect(back).toEqual(there.map((move) => ({ ...move, old: move.new, new: move.old })));
        expect(diffSnapshots({ entries: is }, { entries: is })).toEqual([]);
      }),
    );
  });
});

describe('toChanges (contract C16)', () => {
  const move = { country: 'HU', field: 'standard', old: '27', new: '25' };
  const of = { version: isoDate('2026-11-21'), detectedAt: '2026-11-21T07:00:00.000Z' };

  it('gives a row an id that depends only on date, country and field', () => {
    const idOf = (own: object, version: object = {}) =>
      toChanges([{ ...move, ...own }], { ...of, ...version })[0]?.id;
    // Computed with sha256sum: printf '2026-11-21\nHU\nstandard'.
    const id = 'rc_458b427ba9f4ea2d9333cc80';

    const { version: snapshotDate, detectedAt } = of;
    expect(toChanges([move], of)).toEqual([{ ...move, id, snapshotDate, detectedAt }]);
    expect(idOf({ old: '26' }, { detectedAt: 'later' })).toBe(id);
    for (const other of [{ country: 'RO' }, { field: 'parking' }]) {
      expect(idOf(other)).not.toBe(id);
    }
    expect(idOf({}, { version: isoDate('2026-11-22') })).not.toBe(id);
  });
});
