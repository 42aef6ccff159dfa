import { describe, expect, it } from 'vitest';
import { type BasicKind, dataSetKinds } from '../../src/platform/publication/data-set-kinds.ts';
import { viesStates } from '../../src/sandbox/data/traders.ts';
import { fieldsOf } from '../journeys/support/fold.ts';
import { doubts, fxDoubts } from '../simulation/plausibility.ts';
import { countOf, seedOf, reportFigure } from '../support/proof.ts';
import { CheckedNumbers } from './support/checked-numbers.ts';
import { type DayUnderFault, liveUnderFault } from './support/day-under-fault.ts';
import { shareUpstreamWorld, type UpstreamWorld } from './support/upstream-world.ts';

/*
 * Bits that flip on the network, in spite of the checksums of TCP.
 *
 * TLS, which the real upstreams use, detects each of them: publications are right, and no check has a wrong answer. Over
 * plain TCP a digit can become another digit, which looks like an answer of the upstream. The promise is then that nothing
 * malformed or implausible is published, and that a damaged answer about a registered number never becomes
 * `valid:false`: no single bit turns `true` into `false`. A damaged request is about another number, so over plain TCP
 * only answers are damaged.
 */

const days = countOf({ full: 40, perCommit: 1 });
const rounds = countOf({ full: 50, perCommit: 1 });
const seed = seedOf(11);

const worlds = [
  { scheme: 'https', world: await shareUpstreamWorld('https', seed) },
  { scheme: 'http', world: await shareUpstreamWorld('http', seed) },
] as const;

/** A handshake is longer than an answer. */
const everyBytesOfCheck = { https: 3_000, http: 700 } as const;
const place = { https: {}, http: { direction: 'toClient' } } as const;

describe.each(worlds)('bits that flip on the way to upstreams, by $scheme', ({ scheme, world }) => {
  it('publishes nothing implausible', async () => {
    const { tedb, ecb } = world.proxies;
    const found = { right: 0, other: 0, nothing: 0 };
    const implausible: string[] = [];

    for (let day = 0; day < days; day += 1) {
      const lived = await liveUnderFault(world, {
        begin: () => {
          tedb.set({ kind: 'bit-flip', everyBytes: 40_000 }, place[scheme]);
          ecb.set({ kind: 'bit-flip', everyBytes: 10_000 }, place[scheme]);
        },
        end: () => [tedb, ecb].forEach((proxy) => proxy.heal()),
        // A damaged length makes the client wait until its deadline, of a minute and more.
        unstick: () => [tedb, ecb].forEach((proxy) => proxy.cut()),
      });
      for (const kind of dataSetKinds) found[fateOf(lived, kind)] += 1;
      implausible.push(...doubtsOf(lived));
    }

    reportFigure(
      'R26',
      `${tedb.flips + ecb.flips} bits flipped on the way to TEDB and the ECB by ${scheme} on ${days} ` +
        `days (seed ${seed}): ${found.right} bodies right, ${found.nothing} not published then, ` +
        `${found.other} with another plausible value, ${implausible.length} implausible`,
    );
    expect(implausible).toEqual([]);
    expect(tedb.flips + ecb.flips).toBeGreaterThan(0);
    expect(scheme === 'https' ? found.other : 0).toBe(0);
  }, 600_000);

  it('never answers a wrong `valid:false`', async () => {
    const { vies } = world.proxies;
    const checked = await checkUnderFlips(world, scheme);

    const count = (kind: string): number => checked.filter((one) => one.kind === kind).length;
    reportFigure(
      'R26',
      `${vies.flips} bits flipped on the way to VIES by ${scheme} (seed ${seed}): ${checked.length} ` +
        `checks, ${count('right')} answered right, ${count('refused')} with 502 or 503, ` +
        `${count('wrong')} wrong`,
    );
    expect(vies.flips).toBeGreaterThan(0);
    const bad = checked.filter(({ kind }) => kind === 'wrong' || kind === 'undocumented');
    expect(bad).toEqual([]);
  });
});

async function checkUnderFlips({ service, proxies }: UpstreamWorld, scheme: 'http' | 'https') {
  const numbers = new CheckedNumbers(service, viesStates);
  const checked = [];
  for (let round = 0; round < rounds; round += 1) {
    proxies.vies.set({ kind: 'bit-flip', everyBytes: everyBytesOfCheck[scheme] }, place[scheme]);
    checked.push(...(await numbers.checkSome()));
    proxies.vies.heal();
    await numbers.timeUntilAnswered();
  }
  return checked;
}

function fateOf({ after, right }: DayUnderFault, kind: BasicKind): 'right' | 'other' | 'nothing' {
  if (after[kind] === '404') return 'nothing';
  return after[kind] === right[kind] ? 'right' : 'other';
}

const doubtsAbout: Readonly<Record<BasicKind, (before: string, after: string) => string[]>> = {
  rates: (before, after) => doubts(fieldsOf(before), fieldsOf(after)),
  fx: fxDoubts,
};

/** Reasons why the contract forbids to publish this. */
function doubtsOf({ before, after }: DayUnderFault): readonly string[] {
  return dataSetKinds.flatMap((kind) =>
    after[kind] === '404' ? [] : doubtsAbout[kind](before[kind], after[kind]),
  );
}
