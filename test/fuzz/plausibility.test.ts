import { describe, expect, it } from 'vitest';
import { ecb } from '../../src/fx/ecb/ecb.ts';
import { planPublications } from '../../src/fx/publishing/plan.ts';
import type { CurrencyCode, FxSnapshot } from '../../src/fx/snapshot.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { judgeAnswer } from '../../src/rates/gate.ts';
import { memberStates } from '../../src/rates/member-states.ts';
import type { RateSnapshot } from '../../src/rates/snapshot.ts';
import { readNationalRates, type TedbReading, type TedbRow } from '../../src/rates/tedb-rows.ts';
import { Dice } from '../support/dice.ts';
import { everyCode } from '../support/every-code.ts';
import { countOf, seedOf, reportFigure } from '../support/proof.ts';

const documents = countOf({ full: 20_000, perCommit: 2_000 });
const seed = seedOf(20_261_120);

/** A spoiled document, and whether it may still be published. */
type Spoiled<T> = { readonly how: string; readonly document: T };

describe('a spoiled answer of TEDB (reliability R5)', () => {
  const good = memberStates.flatMap(({ registryCode }, at) => rowsOf(registryCode, at));
  const reading = readNationalRates(good);
  const latest: RateSnapshot = { version: isoDate('2026-11-19'), entries: reading.entries };
  const known = { previous: latest, situationDate: reading.situationDate };
  const isHeld = (next: TedbReading): boolean =>
    judgeAnswer(next, { asked: isoDate('2026-11-20'), ...known }).length > 0;

  it('is held in every form, and the unspoiled answer is not', () => {
    const dice = new Dice(seed);
    const published: string[] = [];

    for (let made = 0; made < documents; made += 1) {
      const { how, document } = spoilRows(dice, good);
      if (!isHeld(readNationalRates(document))) published.push(`${how} (${made} of seed ${seed})`);
    }

    reportFigure(
      'R5',
      `${documents} spoiled answers of TEDB before the gate alone (seed ${seed}): ${published.length} published`,
    );
    expect(isHeld(readNationalRates(good))).toBe(false);
    expect(published.slice(0, 20)).toEqual([]);
  });
});

describe('a spoiled file of the ECB (reliability R5)', () => {
  /** A Sunday, so that the previous Saturday is not in the future. */
  const today = isoDate('2026-11-22');
  const names = Array.from(
    { length: 30 },
    (_, at) => `A${String.fromCharCode(65 + at / 6, 65 + (at % 6))}`,
  );
  const dayOf = (date: string, move: number): FxSnapshot => ({
    date: isoDate(date),
    rates: new Map(
      names.map((name, at) => [name as CurrencyCode, ((1 + at * 7.3) * (1 + move)).toFixed(4)]),
    ),
  });
  const before = dayOf('2026-11-19', 0);
  const accepts = (snapshot: FxSnapshot): boolean =>
    planPublications([{ snapshot, isFromHistory: false }], [before], {
      series: ecb,
      today,
      begunOn: before.date,
    }).accepted.length > 0;

  it('is held in every form, and the unspoiled file is not', () => {
    const dice = new Dice(seed);
    const published: string[] = [];

    for (let made = 0; made < documents; made += 1) {
      const { how, document } = spoilDay(dice, dayOf('2026-11-20', 0.004), before);
      if (accepts(document)) published.push(`${how} (${made} of seed ${seed})`);
    }

    reportFigure(
      'R5',
      `${documents} spoiled files of the ECB before the gate alone (seed ${seed}): ${published.length} published`,
    );
    expect(accepts(dayOf('2026-11-20', 0.004))).toBe(true);
    expect(published.slice(0, 20)).toEqual([]);
  });
});

/** The rows of a Member State: a standard rate, two reduced ones. */
function rowsOf(memberState: string, at: number): TedbRow[] {
  const row = (type: TedbRow['type'], rateType: TedbRow['rateType'], value: number): TedbRow => ({
    memberState,
    type,
    rateType,
    value: String(value),
    situationDate: '2026-07-01',
    category: undefined,
    description: undefined,
    cnCodes: [],
    cpaCodes: [],
    comment: undefined,
  });
  return [
    row('STANDARD', 'DEFAULT', 17 + (at % 10)),
    row('REDUCED', 'REDUCED_RATE', 5 + (at % 3)),
    row('REDUCED', 'REDUCED_RATE', 10 + (at % 3)),
  ];
}

function spoilRows(dice: Dice, good: readonly TedbRow[]): Spoiled<readonly TedbRow[]> {
  const state = dice.pick(good).memberState;
  const isOf = (row: TedbRow): boolean => row.memberState === state;
  const times = (factor: number, of: (row: TedbRow) => boolean): readonly TedbRow[] =>
    good.map((row) => (of(row) ? { ...row, value: String(Number(row.value) * factor) } : row));
  const ways: readonly (() => Spoiled<readonly TedbRow[]>)[] = [
    () => ({ how: 'cut', document: good.slice(0, dice.below(good.length - 2)) }),
    () => ({ how: `${state} missing`, document: good.filter((row) => !isOf(row)) }),
    () => ({ how: `${state} × 10`, document: times(10, isOf) }),
    () => ({ how: `${state} ÷ 100`, document: times(0.01, isOf) }),
    () => ({ how: 'all × 10', document: times(10, () => true) }),
    () => ({ how: 'all ÷ 100', document: times(0.01, () => true) }),
    () => ({
      how: `${state} zeroes for reduced rates`,
      document: times(0, (row) => isOf(row) && row.type === 'REDUCED'),
    }),
    () => ({ how: `${state} zeroes`, document: times(0, isOf) }),
    () => ({
      how: 'zeroes for reduced rates',
      document: times(0, ({ type }) => type === 'REDUCED'),
    }),
    () => ({
      how: `${state} swapped`,
      document: good.map((row) => (isOf(row) ? swapped(row) : row)),
    }),
    () => ({ how: `${state} twice`, document: [...good, ...times(1.1, isOf).filter(isOf)] }),
    () => ({
      how: 'an old one',
      document: good.map((row) => ({ ...row, situationDate: '2026-01-01' })),
    }),
    () => ({ how: 'nothing', document: [] }),
  ];
  return dice.pick(ways)();
}

/** The standard rate as a reduced one and vice versa. */
function swapped(row: TedbRow): TedbRow {
  return row.type === 'STANDARD'
    ? { ...row, type: 'REDUCED', rateType: 'REDUCED_RATE' }
    : { ...row, type: 'STANDARD', rateType: 'DEFAULT' };
}

function spoilDay(dice: Dice, good: FxSnapshot, before: FxSnapshot): Spoiled<FxSnapshot> {
  const entries = [...good.rates];
  const [one] = dice.pick(entries);
  const times = (factor: number, of: (name: string) => boolean): FxSnapshot => ({
    ...good,
    rates: new Map(
      entries.map(([name, value]) => [name, of(name) ? String(Number(value) * factor) : value]),
    ),
  });
  const keep = 1 + dice.below(entries.length - 4);
  const ways: readonly (() => Spoiled<FxSnapshot>)[] = [
    () => ({ how: 'cut', document: { ...good, rates: new Map(entries.slice(0, keep)) } }),
    () => ({ how: `${one} × 10`, document: times(10, (name) => name === one) }),
    () => ({ how: `${one} ÷ 100`, document: times(0.01, (name) => name === one) }),
    () => ({ how: 'all × 10', document: times(10, () => true) }),
    () => ({ how: 'all ÷ 100', document: times(0.01, () => true) }),
    () => ({ how: 'all × 1.24', document: times(1.24, () => true) }),
    () => ({ how: 'all ÷ 1.24', document: times(1 / 1.24, () => true) }),
    () => ({ how: 'two exchanged', document: { ...good, rates: exchanged(dice, good) } }),
    () => ({
      how: 'many new',
      document: { ...good, rates: withNew(good, 11 + dice.below(17_000)) },
    }),
    () => ({
      how: 'shifted by one',
      document: { ...good, rates: shifted(entries, 1 + dice.below(28)) },
    }),
    () => ({ how: 'the day before', document: { ...before, date: good.date } }),
    () => ({ how: 'of a Saturday', document: { ...good, date: isoDate('2026-11-21') } }),
    () => ({ how: 'of the future', document: { ...good, date: isoDate('2026-11-23') } }),
    () => ({ how: 'of the past', document: { ...good, date: isoDate('2026-11-18') } }),
    () => ({
      how: 'upside down',
      document: {
        ...good,
        rates: new Map(entries.map(([name, value]) => [name, String(1 / Number(value) / 3)])),
      },
    }),
  ];
  return dice.pick(ways)();
}

/** Two neighbours under each other's name, of those that are over 6 % apart. */
function exchanged(dice: Dice, { rates }: FxSnapshot): Map<CurrencyCode, string> {
  const at = dice.below(16);
  const [one, other] = [...rates].slice(at, at + 2);
  const swapped = new Map(rates);
  if (one !== undefined && other !== undefined) {
    swapped.set(one[0], other[1]).set(other[0], one[1]);
  }
  return swapped;
}

function withNew({ rates }: FxSnapshot, count: number): Map<CurrencyCode, string> {
  const all = everyCode.filter((code) => !rates.has(code)).slice(0, count);
  return new Map([...rates, ...all.map((code) => [code, '1.5'] as const)]);
}

/** Each value under the name of another currency. */
function shifted(
  entries: readonly (readonly [CurrencyCode, string])[],
  by: number,
): Map<CurrencyCode, string> {
  return new Map(
    entries.map(([name], at) => [name, entries[(at + by) % entries.length]?.[1] ?? '']),
  );
}
