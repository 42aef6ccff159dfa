import { describe, expect, it } from 'vitest';
import type { Aftermath } from './support/crash-aftermath.ts';
import { CrashWorld, type Kill } from './support/crash-world.ts';

/** Where a call to an upstream is killed: before it is sent, in its answer, and after it. */
const fetchMoments = [
  { moment: 'before the fetch', killAtChannel: 'undici:request:create' },
  { moment: 'in the answer', killAtChannel: 'undici:request:headers' },
  { moment: 'after the fetch', killAtChannel: 'undici:request:trailers' },
];
const randomKills = 20;

type Trial = Aftermath & { readonly moment: string };

describe('kill -9 during a run (contract C31, reliability R1)', () => {
  it('leaves yesterday or today of the rates at every statement, and loses nothing', async () => {
    const world = await CrashWorld.prepare('rates');
    const { statements } = await world.runWhole();

    const trials = await killAt(world, [
      ...statements.map((sql, at) => ({ moment: `before ${sql}`, killBeforeStatement: at })),
      ...fetchMoments,
    ]);

    tell('rates, every statement', trials);
    expect(statements.length).toBeGreaterThan(20);
    expect(trials.every(({ isKilled }) => isKilled)).toBe(true);
    expect(trials.filter(isBad)).toEqual([]);
    expect(new Set(trials.map(({ left }) => left))).toEqual(new Set(['yesterday', 'today']));
  }, 60_000);

  it('leaves yesterday or today of the rates at random moments, and loses nothing', async () => {
    const world = await CrashWorld.prepare('rates');
    const { durationMs } = await world.runWhole();
    const random = createRandom(20_250_801);

    const trials = await killAt(
      world,
      Array.from({ length: randomKills }, () => {
        const afterMs = random() * durationMs * 1.2;
        return { moment: `after ${afterMs.toFixed(1)} ms`, afterMs };
      }),
    );

    tell('rates, at random', trials);
    expect(trials.filter(isBad)).toEqual([]);
  }, 60_000);

  it('leaves yesterday or today of the exchange rates while they are published', async () => {
    const world = await CrashWorld.prepare('fx');
    const { statements } = await world.runWhole();
    const insert = statements.findIndex((sql) => sql.startsWith('insert into "fx_snapshots"'));
    const commit = statements.lastIndexOf('commit');

    const trials = await killAt(
      world,
      [insert, insert + 1, commit, commit + 1].map((at) => ({
        moment: `before ${statements[at]}`,
        killBeforeStatement: at,
      })),
    );

    tell('fx, around its publication', trials);
    expect(trials.filter(isBad)).toEqual([]);
    expect(new Set(trials.map(({ left }) => left))).toEqual(new Set(['yesterday', 'today']));
  }, 60_000);

  it('is seen by this very check when rows are written in a second transaction', async () => {
    const world = await CrashWorld.prepare('rates');
    const { statements } = await world.runWhole();
    const rows = statements.findIndex((sql) => sql.startsWith('insert into "rate_changes"'));

    const trials = await killAt(
      world,
      [rows, rows + 1, rows + 2].map((at) => ({
        moment: `before ${statements[at]}`,
        killBeforeStatement: at,
        splitTransaction: true,
      })),
    );

    tell('a broken build', trials);
    // The snapshot is there, so the next run has nothing to do: three rows and an event are gone.
    expect(trials).toMatchObject(trials.map(() => ({ left: 'in between', lost: 4 })));
  });
});

function isBad({ left, lost, doubled, wrong }: Trial): boolean {
  return left === 'in between' || lost > 0 || doubled > 0 || wrong.length > 0;
}

async function killAt(
  world: CrashWorld,
  kills: readonly (Kill & { readonly moment: string })[],
): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const { moment, ...kill } of kills) trials.push({ moment, ...(await world.kill(kill)) });
  return trials;
}

function tell(what: string, trials: readonly Trial[]): void {
  const sum = (key: 'lost' | 'doubled'): number =>
    trials.reduce((total, trial) => total + trial[key], 0);
  const count = (left: Trial['left']): number => trials.filter((t) => t.left === left).length;
  console.log(
    `${what}: ${trials.filter(({ isKilled }) => isKilled).length} kills, ` +
      `${count('yesterday')} left yesterday, ${count('today')} today, ` +
      `${count('in between')} in between; ${sum('lost')} lost, ${sum('doubled')} doubled`,
  );
}

/** A generator of numbers from 0 to 1 that gives the same ones in every run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
