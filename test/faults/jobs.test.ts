import { describe, expect, it, vi } from 'vitest';
import { dataSetKinds } from '../../src/platform/publication/data-set-kinds.ts';
import { isFull, reportFigure } from '../support/proof.ts';
import { begin, type Case, casesOf } from './support/faults.ts';
import { liveUnderFault } from './support/day-under-fault.ts';
import { shareUpstreamWorld } from './support/upstream-world.ts';
import { patienceMs } from '../support/eventually.ts';

const world = await shareUpstreamWorld('http', 1);

/** In a commit only received bytes are damaged, and `drip`, which takes seconds, is left out. */
const ofCommit = ({ fault, direction }: Case): boolean =>
  isFull || (direction === 'toClient' && fault.kind !== 'drip');
const links = [
  { link: 'tedb', cases: casesOf({ question: 1_800, answer: 20_000 }).filter(ofCommit) },
  { link: 'ecb', cases: casesOf({ question: 200, answer: 2_000 }).filter(ofCommit) },
] as const;

const counted = { cases: 0, publishedDuring: 0 };

/**
 * A job with a bad connection publishes the upstream's own data or nothing. Published data is still answered, and an hour
 * later the day is published.
 */
describe.each(links)('faults on the connection to $link (reliability R26)', ({ link, cases }) => {
  it.each(cases)(
    '$name: the day is published right or not at all, and right after the fault',
    async (one) => {
      const proxy = world.proxies[link];

      const lived = await liveUnderFault(world, {
        begin: () => begin(proxy, one),
        end: () => proxy.heal(),
        // A job would wait for a minute or more; the answer arrives then.
        unstick: () => one.fault.kind === 'black-hole' && proxy.heal(),
      });

      expect([lived.before, lived.right]).toContainEqual(lived.meanwhile);
      for (const kind of dataSetKinds) {
        expect([lived.right[kind], '404']).toContain(lived.after[kind]);
      }
      expect(lived.healed).toEqual(lived.right);
      counted.cases += 1;
      if (dataSetKinds.every((kind) => lived.after[kind] === lived.right[kind])) {
        counted.publishedDuring += 1;
      }
    },
  );
});

it('leaves no open socket to an upstream', async () => {
  const { tedb, ecb } = world.proxies;

  // Connections are kept for a moment.
  await vi.waitFor(() => expect(tedb.openCount + ecb.openCount).toBe(0), patienceMs);

  reportFigure(
    'R26',
    `${counted.cases} faults on the way to TEDB and the ECB: ${counted.publishedDuring} days ` +
      'published in spite of it, the others an hour later, every body as without a fault; ' +
      `${tedb.openCount + ecb.openCount} sockets left`,
  );
});
