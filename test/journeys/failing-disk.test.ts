import { describe, expect, it } from 'vitest';
import { Dice } from '../support/dice.ts';
import { countOf, seedOf, reportFigure } from '../support/proof.ts';
import { type DiskTrial, FailingDisks } from './support/failing-disk.ts';
import { type DiskFault, hasFaultyDisk } from './support/faulty-disk.ts';
import { inParallel } from '../support/in-parallel.ts';

const seed = seedOf(815);

/** Both kinds of errors, once and lasting. */
const kinds: readonly Omit<DiskFault, 'k'>[] = [
  { what: 'eio', lasts: 'once' },
  { what: 'eio', lasts: 'on' },
  { what: 'enospc', lasts: 'once' },
  { what: 'enospc', lasts: 'on' },
];

describe.skipIf(!hasFaultyDisk)(
  'a disk that fails at the k-th write or flush of the daily jobs, with SQLite (reliability R3)',
  () => {
    it.each([
      { when: 'while the log is only written to', checkpointPages: undefined },
      { when: 'also while the log is written back', checkpointPages: 1 },
    ])(
      'leaves the state of yesterday or of today, and the next run publishes the day: $when',
      async (world) => {
        const { when, checkpointPages } = world;
        const disks = await FailingDisks.prepare({ checkpointPages });
        const callCount = await disks.countCalls();
        const faults = chooseFaults(callCount);

        const trials = await inParallel(2, faults, async (fault) => disks.try(fault));

        tell(`the ${callCount} writes and flushes of both jobs on SQLite, ${when}`, trials);
        expect(trials.filter(({ isHit }) => isHit).length).toBeGreaterThan(0);
        expect(callCount).toBeGreaterThan(50);
        expect(trials.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
        expect(trials.filter(({ isPublished }) => !isPublished).length).toBeGreaterThan(0);
      },
      600_000,
    );

    it('is noticed by this check if the disk reports a write that it did not do', async () => {
      const disks = await FailingDisks.prepare();
      const faults = inTheMiddle(await disks.countCalls(), { what: 'lie', lasts: 'once' });

      const trials = await inParallel(2, faults, async (fault) => disks.try(fault));

      expect(trials.flatMap(({ wrong }) => wrong)).toContain('answered, and lost');
    });
  },
);

/** Faults while rates are published. They are in the first half, because exchange rates are published later. */
function inTheMiddle(callCount: number, kind: Omit<DiskFault, 'k'>): DiskFault[] {
  return [0.35, 0.45].map((share) => ({ ...kind, k: Math.round(callCount * share) }));
}

/** Faults of each kind at all calls, or at random ones if there are many; for a commit two of each kind. */
function chooseFaults(callCount: number): DiskFault[] {
  const dice = new Dice(seed);
  const count = Math.min(callCount, countOf({ full: 80, perCommit: 2 }));
  const step = callCount / count;
  return kinds.flatMap((kind) =>
    Array.from({ length: count }, (_, nth) => {
      const within = dice.below(Math.max(1, Math.floor(step)));
      return { ...kind, k: Math.floor(nth * step) + within + 1 };
    }),
  );
}

function tell(where: string, trials: readonly DiskTrial[]): void {
  const number = (is: (trial: DiskTrial) => boolean): number => trials.filter(is).length;
  const bad = (what: RegExp): number =>
    number(({ wrong }) => wrong.some((sentence) => what.test(sentence)));
  reportFigure(
    'R3',
    `${number(({ isHit }) => isHit)} errors of the disk at one of ${where} (I/O errors and no space left, once and ` +
      `from then on; seed ${seed}): ${number((t) => t.isFailed && !t.isPublished)} times a job failed before ` +
      `both had published, ${number((t) => t.isFailed && t.isPublished)} times after, ` +
      `${number((t) => !t.isFailed)} times neither failed; ` +
      `${bad(/meanwhile|neither/)} reads refused, ${bad(/runs|no report/)} runs not recorded when space returned, ` +
      `${bad(/corrupt|half/)} corrupt, ${bad(/lost|rows|in the end/)} lost or doubled`,
  );
}
