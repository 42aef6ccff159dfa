import { describe, expect, it } from 'vitest';
import { type BasicKind, dataSetKinds } from '../../src/platform/publication/data-set-kinds.ts';
import { Dice } from '../support/dice.ts';
import { countOf, isFull, seedOf, someOf, reportFigure } from '../support/proof.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { CrashWorld, type Kill, type Trial } from './support/crash-world.ts';
import { inParallel } from '../support/in-parallel.ts';

const engine = isPostgresql ? 'PostgreSQL' : 'SQLite';
/** Kills of each job. */
const killCount = countOf({ full: 200, perCommit: 10 });
const seed = seedOf(20_250_801);

/** The points of a kill during a call to an upstream: before it is sent, in its answer, and after it. */
const inFetch: readonly Kill[] = [
  { moment: 'before the fetch', killAtChannel: 'undici:request:create' },
  { moment: 'in the answer', killAtChannel: 'undici:request:headers' },
  { moment: 'after the fetch', killAtChannel: 'undici:request:trailers' },
];

describe(`kill -9 during a run, on ${engine} (contract C31, reliability R1)`, () => {
  it.each(someOf(dataSetKinds, 1).map((job) => ({ job })))(
    'leaves the state of yesterday or of today, and the next run loses and doubles no row: job $job',
    async ({ job }) => {
      const world = await CrashWorld.prepare(job);
      const { statements, durationMs } = await world.runWhole();
      const all = [...inFetch, ...momentsOf(statements)];
      // The last moment is after the commit: one run at least must leave today.
      const named = [...someOf(all.slice(0, -1), killCount - 3), ...all.slice(-1)];

      const atNamed = await inParallel(2, named, async (kill) => world.kill(kill));
      const dice = new Dice(seed);
      const pace = { durationMs };
      const randomly = Array.from({ length: killCount - named.length }, () => dice);
      const atRandom = await inParallel(2, randomly, async () => killAtRandom(world, dice, pace));

      const trials = [...atNamed, ...atRandom.flat()];
      tell(job, { trials, namedCount: named.length });
      expect(all.length).toBeGreaterThanOrEqual(12);
      expect(atNamed.filter(({ isKilled }) => !isKilled)).toEqual([]);
      const wanted = Math.max(killCount, named.length);
      expect(trials.filter(({ isKilled }) => isKilled)).toHaveLength(wanted);
      expect(trials.filter(isBad)).toEqual([]);
      expect(new Set(trials.map(({ left }) => left))).toEqual(new Set(['yesterday', 'today']));
    },
    300_000,
  );

  it('is noticed by this check in a build that writes rows in a second transaction', async () => {
    const world = await CrashWorld.prepare('rates');
    const { statements } = await world.runWhole();
    const rows = statements.findIndex((sql) => sql.startsWith('insert into "rate_changes"'));
    const kills = [rows, rows + 1, rows + 2].map((at) => ({
      moment: `before ${statements[at]}`,
      killBeforeStatement: at,
      splitTransaction: true,
    }));

    const trials = await inParallel(2, kills, async (kill) => world.kill(kill));

    // The snapshot is there, so the next run has nothing to do: three rows and an event are gone.
    expect(trials).toMatchObject(kills.map(() => ({ left: 'in between', lost: 4 })));
  });
});

/** Kills before and after every statement; for a commit only those of the transaction that publishes. */
function momentsOf(statements: readonly string[]): Kill[] {
  const begin = statements.findLastIndex((sql) => sql.startsWith('begin'));
  const commit = statements.lastIndexOf('commit');
  return statements.flatMap((sql, at) => {
    const before = { moment: `before ${at} ${sql}`, killBeforeStatement: at };
    const after = { moment: `after ${at} ${sql}`, killAfterStatement: at };
    if (isFull || at === commit) return [before, after];
    return at >= begin && at <= commit ? [before] : [];
  });
}

/**
 * Kills at a random moment of a run; repeats it if the run had ended before.
 *
 * The time of a run depends on other work on the machine, so the range of moments is adapted to measured times.
 */
async function killAtRandom(
  world: CrashWorld,
  dice: Dice,
  pace: { durationMs: number },
): Promise<Trial[]> {
  const trials: Trial[] = [];
  do {
    const afterMs = (dice.below(1_000) / 1_000) * pace.durationMs;
    const trial = await world.kill({ moment: `after ${afterMs.toFixed(1)} ms`, afterMs });
    trials.push(trial);
    pace.durationMs *= trial.isKilled ? 1.01 : 0.95;
  } while (trials.at(-1)?.isKilled !== true && trials.length < 50);
  return trials;
}

function isBad({ left, lost, doubled, wrong }: Trial): boolean {
  return left === 'in between' || lost > 0 || doubled > 0 || wrong.length > 0;
}

function tell(
  job: BasicKind,
  { trials, namedCount }: { readonly trials: readonly Trial[]; readonly namedCount: number },
): void {
  const sum = (key: 'lost' | 'doubled'): number =>
    trials.reduce((total, trial) => total + trial[key], 0);
  const count = (left: Trial['left']): number => trials.filter((t) => t.left === left).length;
  const kills = trials.filter(({ isKilled }) => isKilled).length;
  const wrong = new Set(trials.flatMap((trial) => trial.wrong));
  reportFigure(
    'R1',
    `${kills} kills in ${trials.length} runs of the ${job} job on ${engine}, ${namedCount} of them at as many named points and the others ` +
      `at random (seed ${seed}): ${count('yesterday')} left yesterday, ${count('today')} today, ` +
      `${count('in between')} in between; after the next run ${sum('lost')} rows, events and publications lost, ` +
      `${sum('doubled')} doubled, ${[...wrong].join(', ') || 'one detectedAt for each date'}`,
  );
}
