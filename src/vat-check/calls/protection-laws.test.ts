import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countOf, seedOf, reportFigure } from '../../../test/support/proof.ts';
import { answered, called, timedOut } from '../../../test/vat-check/support/held-calls.ts';
import {
  type Ending,
  ModelledProtection,
} from '../../../test/vat-check/support/protection-model.ts';
import type { RegistryCode } from '../numbers/vat-number.ts';

const numRuns = countOf({ full: 10_000, perCommit: 400 });
const seed = seedOf(20_261_122);
const states: readonly RegistryCode[] = ['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK'];

const endings: readonly Ending[] = [
  answered,
  { kind: 'rejected' },
  { kind: 'memberStateUnavailable', because: 'down' },
  timedOut,
  timedOut,
  { kind: 'serviceUnavailable', because: 'down' },
  { kind: 'failed', failure: 'unreachable' },
  { kind: 'failed', failure: 'blocked' },
  { kind: 'failed', failure: 'forbidden' },
  { kind: 'failed', failure: 'webPage', retryAfterSeconds: 1 },
  { kind: 'failed', failure: 'tooManyRequests', retryAfterSeconds: 7_200, isOfRegistry: true },
  'bug',
];

const state = fc.constantFrom(...states);
const ending = fc.constantFrom(...endings);
const index = fc.nat(99);
const key = fc.constantFrom('key_1', 'key_2', 'key_3', 'key_4', 'key_5');

/** Random events, often enough in a row that breakers open and queues are full. */
const step = fc.oneof(
  fc.record({ do: fc.constant('request'), state, key, times: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ do: fc.constant('request'), state, key, times: fc.constantFrom(1, 10, 40), ending }),
  fc.record({ do: fc.constant('end'), at: index, times: fc.integer({ min: 1, max: 12 }), ending }),
  fc.record({ do: fc.constant('cancel'), at: index, times: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ do: fc.constant('advance'), ms: fc.constantFrom(1_000, 29_999, 30_000, 7_200_000) }),
);
type Step = {
  readonly do: string;
  readonly state?: RegistryCode;
  readonly key?: string;
  readonly times?: number;
  readonly at?: number;
  readonly ms?: number;
  readonly ending?: Ending;
};

async function live(world: ModelledProtection, steps: readonly Step[]): Promise<void> {
  for (const { do: what, state = 'AT', key = '', times = 1, at = 0, ms = 0, ending } of steps) {
    world.timers.advance(ms);
    for (let time = 0; time < times; time += 1) {
      if (what === 'request') world.sendRequest(state, key);
      if (what === 'cancel') world.cancel(at);
      if (what !== 'end' && ending === undefined) continue;
      await turn();
      world.end(what === 'end' ? at : world.inFlight - 1, ending ?? answered);
      await turn();
    }
    await turn();
    world.check();
  }
}

async function endAll(world: ModelledProtection): Promise<void> {
  while (world.inFlight > 0) {
    world.end(0, answered);
    await turn();
  }
  expect(world.unended).toBe(0);
}

/** Answers all calls, and lets every breaker close. */
async function recover(world: ModelledProtection): Promise<void> {
  await endAll(world);
  // The longest of the times that a block can last here.
  world.timers.advance(7_200_000);
  for (const state of states) {
    world.sendRequest(state, 'key_1');
    await turn();
    // The service's own question comes first, if there was a block.
    await endAll(world);
    expect(world.results.at(-1)).toEqual(called(answered));
    expect([world.isOpen(state), world.isBlocked]).toEqual([false, false]);
    world.check();
  }
}

/** Checks that all places are free again: 4 for each Member State, and 20 in total. */
async function expectAllFree(world: ModelledProtection): Promise<void> {
  for (const one of states) {
    for (let n = 0; n < 4; n += 1) world.sendRequest(one, 'key_1');
    await turn();
    expect([one, world.inFlight]).toEqual([one, 4]);
    await endAll(world);
  }
  for (const one of states) for (let n = 0; n < 4; n += 1) world.sendRequest(one, 'key_1');
  await turn();
  expect(world.inFlight).toBe(20);
}

it('keeps every law of the places and breakers in random histories (contract C24, rule K21)', async () => {
  let opened = 0;
  let blocked = 0;
  let refused = 0;
  let cancelled = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const world = new ModelledProtection();

      await live(world, steps);

      opened += states.filter((one) => world.isOpen(one)).length;
      blocked += world.isBlocked ? 1 : 0;
      refused += world.results.filter(({ kind }) => kind === 'refused').length;
      cancelled += world.results.filter(({ kind }) => kind === 'cancelled').length;
      await recover(world);
      await expectAllFree(world);
    }),
    { numRuns, seed },
  );
  reportFigure(
    'R14',
    `${numRuns} random histories of calls, failures, cancellations and time (seed ${seed}): never more than 4 calls ` +
      `in flight to a Member State or 20 in all, no breaker that closes without an answer; ${opened} open breakers, ` +
      `${blocked} blocks of the whole registry, ${refused} refusals, ${cancelled} cancelled while waiting`,
  );
  expect(Math.min(opened, blocked, refused, cancelled)).toBeGreaterThan(numRuns / 10);
}, 600_000);
