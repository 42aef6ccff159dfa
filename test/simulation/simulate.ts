import { addDays, isoDate, type IsoDate } from '../../src/platform/time/time.ts';
import { Invariants } from './invariants.ts';
import { Life } from './life.ts';
import { Operator } from './operator.ts';
import { Seeded } from './seeded.ts';
import { Weather } from './weather.ts';
import { World } from './world.ts';

/** The outcome of a seed. */
export type Figures = {
  readonly days: number;
  readonly steps: number;
  readonly publications: number;
  readonly rows: number;
  readonly holds: number;
  readonly runs: number;
  readonly restarts: number;
  /** URLs that answered `immutable`. */
  readonly finals: number;
};

export type Simulated = {
  readonly seed: number;
  readonly figures: Figures;
  /** Null if all invariants held. */
  readonly violation: string | null;
};

/** Simulates the days of one seed; the same seed gives the same days. */
export async function simulate(seed: number, days: number): Promise<Simulated> {
  const chance = new Seeded(seed);
  const first = firstDay(chance);
  // Late in the evening, so that the date differs between time zones.
  const earliest = chance.chance(0.4) ? 22 * 3_600 : 0;
  const atMs = Date.parse(`${first}T00:00:00Z`) + chance.integer(earliest, 86_399) * 1_000;
  await using world = await World.start(first, atMs);
  const weather = new Weather(world.scenario, chance);
  const invariants = new Invariants(world, chance);
  const operator = new Operator(world, chance, first);
  const life = new Life({ world, chance, weather, operator, invariants });

  let violation: string | null = null;
  try {
    await life.begin(atMs);
    let day = first;
    for (let lived = 1; lived < days; lived += 1) {
      day = addDays(day, 1);
      await life.liveDay(day);
    }
    await life.settle(addDays(day, 1));
    await invariants.checkEnd();
  } catch (error) {
    const told = error instanceof Error ? error : new Error(String(error));
    violation = `${life.last}: ${told.name === 'Violation' ? told.message : told.stack}`;
  }
  const { rows } = invariants;
  const published = rows?.rates.filter(({ origin }) => origin === 'job').length ?? 0;
  const figures = {
    days,
    steps: life.steps,
    publications: published + (rows?.fx.length ?? 0),
    rows: rows?.changes.length ?? 0,
    holds: rows?.heldCount ?? 0,
    runs: invariants.runCount,
    restarts: life.restarts,
    finals: invariants.finalCount,
  };
  return { seed, figures, violation };
}

/** The first day: in every second simulation shortly before clocks change, otherwise any day. */
function firstDay(chance: Seeded): IsoDate {
  const year = chance.pick([2024, 2025]);
  const clocks = [`${year}-03-10`, `${year}-10-10`] as const;
  if (chance.chance(0.5)) return isoDate(chance.pick(clocks));
  return addDays(isoDate('2024-01-01'), chance.integer(0, 800));
}
