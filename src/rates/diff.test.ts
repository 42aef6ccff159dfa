import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEntries } from '../../test/support/arbitraries.ts';
import { isoDate } from '../platform/time.ts';
import { diffSnapshots, type FieldMove, toChanges } from './diff.ts';
import type { CountryCode } from './member-states.ts';
import type { RateEntry } from './snapshot.ts';

type Rates = Partial<Omit<RateEntry, 'country'>>;

function entry(country: string, rates: Rates = {}): RateEntry {
  const none = { standard: '20', reduced: [], superReduced: undefined, parking: undefined };
  return { country: country as CountryCode, ...none, ...rates };
}

/** The moved fields of one country, as text. */
function moves(was: Rates, is: Rates): string[] {
  const [previous, current] = [[entry('HU', was)], [entry('HU', is)]];
  return diffSnapshots({ entries: previous }, { entries: current }).map(
    (move) => `${move.field} ${move.old} → ${move.new}`,
  );
}

/** Applies moves to entries: the property of a diff, written independently of it. */
function apply(entries: readonly RateEntry[], diff: readonly FieldMove[]): RateEntry[] {
  const fields = new Map<string, Map<string, string>>();
  for (const { country, standard, reduced, superReduced, parking } of entries) {
    const own = new Map([['standard', standard]]);
    for (const [at, rate] of reduced.entries()) own.set(`reduced[${at}]`, rate);
    if (superReduced !== undefined) own.set('super_reduced', superReduced);
    if (parking !== undefined) own.set('parking', parking);
    fields.set(country, own);
  }
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
    ['nothing', { reduced: ['5'] }, { reduced: ['5'] }, []],
  ])('reports %s', (_, was, is, expected) => {
    expect(moves(was, is)).toEqual(expected);
  });

  it('compares reduced rates by their position', () => {
    expect(moves({ reduced: ['10'] }, { reduced: ['5', '10'] })).toEqual([
      'reduced[0] 10 → 5',
      'reduced[1] null → 10',
    ]);
    expect(moves({ reduced: ['5', '10'] }, { reduced: ['10'] })).toEqual([
      'reduced[0] 5 → 10',
      'reduced[1] 10 → null',
    ]);
  });

  it('reports every field of a country that appears or disappears', () => {
    const others = [entry('AT')];
    const own = entry('HU', { standard: '27', reduced: ['5', '18'], parking: '12' });

    const entering = diffSnapshots({ entries: others }, { entries: [...others, own] });
    const leaving = diffSnapshots({ entries: [...others, own] }, { entries: others });

    expect(entering.map((m) => `${m.country} ${m.field} ${m.old} ${m.new}`)).toEqual([
      'HU parking null 12',
      'HU reduced[0] null 5',
      'HU reduced[1] null 18',
      'HU standard null 27',
    ]);
    expect(leaving).toEqual(entering.map((m) => ({ ...m, old: m.new, new: m.old })));
  });

  it('lists the moves by country, then by field', () => {
    const was = [entry('AT'), entry('HU', { reduced: ['5'] })];
    const is = [
      entry('AT', { standard: '21', superReduced: '4' }),
      entry('HU', { standard: '25', reduced: ['6'] }),
    ];

    const order = diffSnapshots({ entries: was }, { entries: is.toReversed() });

    expect(order.map(({ country, field }) => `${country} ${field}`)).toEqual([
      'AT standard',
      'AT super_reduced',
      'HU reduced[0]',
      'HU standard',
    ]);
  });

  it('is empty between a snapshot and itself', () => {
    fc.assert(
      fc.property(anyEntries, (entries) => {
        expect(diffSnapshots({ entries }, { entries })).toEqual([]);
      }),
    );
  });

  it('leads to the new snapshot if it is applied to the old one', () => {
    fc.assert(
      fc.property(anyEntries, anyEntries, (was, is) => {
        expect(apply(was, diffSnapshots({ entries: was }, { entries: is }))).toEqual(is);
      }),
    );
  });

  it('is reversed if the snapshots are exchanged', () => {
    fc.assert(
      fc.property(anyEntries, anyEntries, (was, is) => {
        const there = diffSnapshots({ entries: was }, { entries: is });
        const back = diffSnapshots({ entries: is }, { entries: was });
        expect(back).toEqual(there.map((move) => ({ ...move, old: move.new, new: move.old })));
      }),
    );
  });

  it('leads from the first snapshot to the last over any sequence', () => {
    fc.assert(
      fc.property(fc.array(anyEntries, { minLength: 1, maxLength: 6 }), (sequence) => {
        const folded = sequence.slice(1).reduce<readonly RateEntry[]>((state, next, at) => {
          const entries = sequence[at] ?? [];
          return apply(state, diffSnapshots({ entries }, { entries: next }));
        }, sequence[0] ?? []);
        expect(folded).toEqual(sequence.at(-1));
      }),
      { numRuns: 50 },
    );
  });
});

describe('toChanges (contract C16)', () => {
  const move = { country: 'HU', field: 'standard', old: '27', new: '25' };
  const of = { version: isoDate('2026-11-21'), detectedAt: '2026-11-21T07:00:00.000Z' };

  it('makes one row of a move', () => {
    expect(toChanges([move], of)).toEqual([
      {
        ...move,
        id: expect.stringMatching(/^rc_[0-9a-f]{24}$/),
        snapshotDate: '2026-11-21',
        detectedAt: '2026-11-21T07:00:00.000Z',
      },
    ]);
  });

  it('gives a row an id that depends only on date, country and field', () => {
    const [first] = toChanges([move], of);
    const [again] = toChanges([{ ...move, old: '26' }], { ...of, detectedAt: 'later' });

    expect(again?.id).toBe(first?.id);
    // Computed with sha256sum: printf '2026-11-21\nHU\nstandard'.
    expect(first?.id).toBe('rc_458b427ba9f4ea2d9333cc80');
  });

  it.each([
    ['version', move, { ...of, version: isoDate('2026-11-22') }],
    ['country', { ...move, country: 'RO' }, of],
    ['field', { ...move, field: 'parking' }, of],
  ])('gives a row with another %s another id', (_, other, version) => {
    expect(toChanges([other], version)[0]?.id).not.toBe(toChanges([move], of)[0]?.id);
  });
});
