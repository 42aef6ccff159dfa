import { describe, expect, it, onTestFinished } from 'vitest';
import { Dice } from '../support/dice.ts';
import { countOf, seedOf, reportFigure } from '../support/proof.ts';
import { FaultyDisk, hasFaultyDisk } from './support/faulty-disk.ts';
import { PowerLoss, type Survival } from './support/power-loss.ts';
import { frameOf } from './support/wal-frames.ts';

const cutCount = countOf({ full: 400, perCommit: 15 });
const flipCount = countOf({ full: 200, perCommit: 8 });
const seed = seedOf(4_711);

/** Recorded once, because each test works on copies. */
let recorded: Promise<PowerLoss> | undefined;
const record = async (): Promise<PowerLoss> =>
  (recorded ??= PowerLoss.record({ disk: hasFaultyDisk ? makeDisk() : undefined }));

describe('power loss, on SQLite (reliability R2)', () => {
  it('keeps every acknowledged commit before a cut of the log, at any place', async () => {
    const loss = await record();

    const survivals: Survival[] = [];
    for (const at of cutsOf(loss)) survivals.push(await loss.reopen(loss.wal.subarray(0, at), at));

    tell(`the log of ${loss.commits.length} commits cut at ${cutCount} places`, survivals);
    expect(loss.commits.length).toBeGreaterThan(20);
    expect(survivals).toHaveLength(cutCount);
    expect(survivals.filter(isBad)).toEqual([]);
  });

  it('keeps every acknowledged commit before a damaged place of the log, and none after it', async () => {
    const loss = await record();

    const survivals: Survival[] = [];
    for (const bit of bitsOf(loss)) {
      survivals.push(await loss.reopen(flip(loss.wal, bit), frameOf(bit >> 3).start));
    }

    tell(`one bit of that log flipped, ${flipCount} times`, survivals);
    expect(survivals).toHaveLength(flipCount);
    expect(survivals.filter(isBad)).toEqual([]);
  });

  it.skipIf(!hasFaultyDisk)('has flushed each commit before it is acknowledged', async () => {
    const loss = await record();

    const survivals: Survival[] = [];
    for (const commit of loss.commits) survivals.push(await loss.loseAfter(commit));

    tell(
      `the power lost just after each of ${survivals.length} commits, with what was flushed`,
      survivals,
    );
    expect(survivals.length).toBeGreaterThan(20);
    expect(survivals.filter(isBad)).toEqual([]);
  });

  it.skipIf(!hasFaultyDisk)(
    'is noticed by this check in a build that does not flush commits',
    async () => {
      const loss = await PowerLoss.record({ disk: makeDisk(), build: 'synchronous=NORMAL' });

      const survivals: Survival[] = [];
      for (const commit of loss.commits) survivals.push(await loss.loseAfter(commit));

      expect(survivals.filter(({ isAsAcknowledged }) => !isAsAcknowledged).length).toBeGreaterThan(
        20,
      );
    },
  );
});

function isBad(survival: Survival): boolean {
  const { isAsAcknowledged, halfWritten, integrity, synchronous } = survival;
  return !isAsAcknowledged || halfWritten.length > 0 || integrity !== 'ok' || synchronous !== 2;
}

/** Half of the cuts are at the end of a commit or just before it, the others at random places. */
function cutsOf({ commits, wal }: PowerLoss): number[] {
  const dice = new Dice(seed);
  const ends = commits.map(({ walBytes }) => walBytes);
  return Array.from({ length: cutCount }, (_, nth) =>
    nth % 2 === 0 ? dice.pick(ends) - dice.below(2) : dice.below(wal.length + 1),
  );
}

/** Random places in the log, and some in its header. */
function bitsOf({ wal }: PowerLoss): number[] {
  const dice = new Dice(seed);
  return Array.from({ length: flipCount }, (_, nth) =>
    dice.below(nth % 10 === 0 ? 32 * 8 : wal.length * 8),
  );
}

function flip(wal: Buffer, bit: number): Buffer {
  const flipped = Buffer.from(wal);
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return flipped;
}

function makeDisk(): FaultyDisk {
  const disk = FaultyDisk.make();
  onTestFinished(() => disk.remove());
  return disk;
}

function tell(what: string, survivals: readonly Survival[]): void {
  const count = (is: (survival: Survival) => boolean): number => survivals.filter(is).length;
  const synchronous = [...new Set(survivals.map((survival) => survival.synchronous))];
  reportFigure(
    'R2',
    `${what}, seed ${seed}, and the database opened again each time: ` +
      `${count(({ halfWritten }) => halfWritten.length > 0)} half-written days, ` +
      `${count(({ isAsAcknowledged }) => !isAsAcknowledged)} acknowledged commits lost or others there, ` +
      `${count(({ integrity }) => integrity !== 'ok')} corrupt; ` +
      `synchronous read back as ${synchronous.join(', ')} (FULL is 2)`,
  );
}
