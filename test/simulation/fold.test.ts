import { describe, expect, it } from 'vitest';
import { diffSnapshots, toChanges } from '../../src/rates/diff.ts';
import { memberStates } from '../../src/rates/member-states.ts';
import {
  parseSnapshot,
  printSnapshot,
  type RateEntry,
  type RateSnapshot,
  sortRates,
} from '../../src/rates/snapshot.ts';
import { addDays, isoDate, type IsoDate } from '../../src/platform/time/time.ts';
import { type Fields, fieldsOf, foldChanges } from '../journeys/support/fold.ts';
import { countOf, reportFigure } from '../support/proof.ts';
import { Seeded } from './seeded.ts';

const seeds = countOf({ full: 10_000, perCommit: 200 });
const days = countOf({ full: 365, perCommit: 60 });
const firstDate = isoDate('2026-01-01');

/** Rates that a Member State may decide on; `undefined` for none. */
function drawEntry(country: RateEntry['country'], chance: Seeded): RateEntry {
  const rate = (): string => String(chance.integer(0, 60) / 2);
  const reduced = Array.from({ length: chance.integer(0, 3) }, rate);
  return {
    country,
    standard: rate(),
    reduced: sortRates(reduced),
    superReduced: chance.chance(0.3) ? rate() : undefined,
    parking: chance.chance(0.3) ? rate() : undefined,
  };
}

/** A year in which Member States change rates on some days, and one may leave or return. */
function* draw(seed: number): Generator<readonly RateEntry[]> {
  const chance = new Seeded(seed);
  const all = memberStates.map(({ country }) => drawEntry(country, chance));
  const absent = new Set<string>();
  for (let day = 0; day < days; day += 1) {
    while (chance.chance(0.1)) {
      const at = chance.integer(0, all.length - 1);
      const country = memberStates[at]?.country;
      if (country === undefined) break;
      if (!chance.chance(0.05)) all[at] = drawEntry(country, chance);
      else if (!absent.delete(country)) absent.add(country);
    }
    yield all.filter(({ country }) => !absent.has(country));
  }
}

describe('a year of rates (reliability R4)', () => {
  it('equals its first snapshot with all rows applied', { timeout: 900_000 }, () => {
    let rowsCount = 0;
    for (let seed = 1; seed <= seeds; seed += 1) rowsCount += liveYear(seed);

    reportFigure(
      'R4',
      `fold: ${seeds} seeds × ${days} days, ${rowsCount} rows, first + rows = latest`,
    );
    expect(rowsCount).toBeGreaterThan(seeds);
  });
});

/** Applies the rows of a year to its first day and compares the result with its last day; returns the number of rows. */
function liveYear(seed: number): number {
  let version = firstDate;
  let previous: Pick<RateSnapshot, 'entries'> | undefined;
  let folded: Fields = new Map();
  let rowsCount = 0;
  let latest: readonly RateEntry[] = [];
  for (const entries of draw(seed)) {
    const moves = previous === undefined ? [] : diffSnapshots(previous, { entries });
    const rows = toChanges(moves, { version, detectedAt: `${version}T07:00:00.000Z` });
    folded = previous === undefined ? fieldsOf(print(version, entries)) : foldChanges(folded, rows);
    // The job compares with a stored text, so the snapshot is printed and parsed again. Doing that every day would take minutes.
    if (previous === undefined || rows.length > 0)
      previous = parseSnapshot(print(version, entries));
    rowsCount += rows.length;
    latest = entries;
    version = addDays(version, 1);
  }
  expect(folded, `seed ${seed}`).toEqual(fieldsOf(print(version, latest)));
  return rowsCount;
}

function print(version: IsoDate, entries: readonly RateEntry[]): string {
  return printSnapshot({ version, entries }, 'https://flags.example');
}
