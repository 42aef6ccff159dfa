import { describe, expect, it, vi } from 'vitest';
import { viesStates } from '../../src/sandbox/data/traders.ts';
import { expectWithin, isFull, reportFigure } from '../support/proof.ts';
import { begin, type Case, casesOf } from './support/faults.ts';
import { CheckedNumbers } from './support/checked-numbers.ts';
import { shareUpstreamWorld } from './support/upstream-world.ts';
import { patienceMs } from '../support/eventually.ts';

const world = await shareUpstreamWorld('http', 2);
const numbers = new CheckedNumbers(world.service, viesStates);
/** The longest that a check may take in a full run: the hard timeout of these tests, and a second of room. */
const answerMs = 1_000 + 1_000;

const cases = casesOf({ question: 700, answer: 900 }).filter(
  ({ direction }: Case) => isFull || direction === 'toClient',
);
const counted = { cases: 0, checks: 0, answered: 0, wrong: 0, longestMs: 0, backMs: 0 };

describe('the connection to VIES (reliability R26, contract C22)', () => {
  it.each(cases)('$name: a check has the right answer, or 502 or 503', async (one) => {
    const proxy = world.proxies.vies;
    const before = await world.service().get('/rates');

    begin(proxy, one);
    const during = await numbers.checkSome();
    const meanwhile = await world.service().get('/rates');
    proxy.heal();
    const backMs = await numbers.timeUntilAnswered();

    counted.cases += 1;
    counted.checks += during.length;
    counted.wrong += during.filter(({ kind }) => kind === 'wrong').length;
    counted.answered += during.filter(({ kind }) => kind === 'right').length;
    counted.longestMs = Math.max(counted.longestMs, ...during.map(({ tookMs }) => tookMs));
    counted.backMs = Math.max(counted.backMs, backMs);
    expect(during.filter(({ kind }) => kind !== 'right' && kind !== 'refused')).toEqual([]);
    expectWithin(counted.longestMs, answerMs);
    expect(meanwhile.text).toBe(before.text);
  });

  it('leaves no open socket', async () => {
    const { vies } = world.proxies;

    // Connections are kept for a moment.
    await vi.waitFor(() => expect(vies.openCount).toBe(0), patienceMs);

    reportFigure(
      'R26',
      `${counted.cases} faults on the way to VIES: ${counted.answered} of ${counted.checks} checks ` +
        `answered right, the others 502 or 503 within ${counted.longestMs} ms (hard timeout 1000 ms), ` +
        `${counted.wrong} wrong; answered again ${counted.backMs} ms after the fault at most; ` +
        `${vies.openCount} sockets left`,
    );
  });
});
