import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ReceiverAnswer } from '../../src/sandbox/receiver.ts';
import { eventually } from './support/eventually.ts';
import { type Reckoning, WebhookWorld } from './support/webhook-world.ts';

/** 200 in full (reliability R16). */
const kills = 30;
/** A kill comes at a random moment after an event; the first attempts take about so long. */
const deliveryMs = 120;
/** A claim that a killed process left ends after 30 s (contract C29). */
const claimsEndMs = 60_000;

/** How receivers answer: those that refuse, break or are slow do so once after each event. */
const answers: Readonly<Record<string, ReceiverAnswer>> = {
  'quick-1': {},
  'quick-2': {},
  'quick-3': {},
  'slow-1': { delayMs: 20 },
  'slow-2': { delayMs: 60 },
  'slow-3': { delayMs: 120 },
  'refuses-1': { status: 503, times: 1 },
  'refuses-2': { status: 500, delayMs: 60, times: 1 },
  breaks: { reset: true, delayMs: 20, times: 1 },
  redirects: { redirectTo: '/elsewhere', times: 1 },
};
const names = Object.keys(answers);

describe('kill -9 during delivery (contract C28, C31, reliability R16)', () => {
  it('loses nothing, invents nothing, and repeats with the same id and body', async () => {
    const world = await WebhookWorld.start(names);

    let underWay = 0;
    for (let n = 0; n < kills; n += 1) underWay += await killOnce(world, n);
    await world.serve();
    await eventually(async () => (await world.count(`status = 'pending'`)) === 0, claimsEndMs);
    const reckoning = await world.reckon();

    tell(`${kills} kills, ${underWay} attempts under way`, reckoning);
    expect(underWay).toBeGreaterThan(0);
    expect(reckoning).toMatchObject({ lost: 0, phantom: 0, wrong: [] });
    expect(reckoning.repeated).toBeGreaterThan(0);
    expect(await world.count(`status = 'succeeded'`)).toBe(await world.count('true'));
  }, 150_000);

  it.each([
    { build: 'has shorter claims', break: 'short-claims', isSound: true },
    { build: 'writes results before it sends', break: 'results-first', isSound: false },
    { build: 'never lets a claim end', break: 'endless-claims', isSound: false },
  ])(
    'is judged by this very check when a build $build',
    async (row) => {
      const hook = fileURLToPath(new URL('./support/break-build.ts', import.meta.url));
      const world = await WebhookWorld.start(names, {
        NODE_OPTIONS: `--import=${hook}`,
        BROKEN_BUILD: row.break,
      });

      let left = 0;
      for (let n = 0; n < 3; n += 1) left += await killOnce(world, n);
      await world.serve();
      // For claims that never end the deadline is the end.
      await eventually(async () => (await world.count(`status = 'pending'`)) === 0, 12_000).catch(
        () => {},
      );
      const reckoning = await world.reckon();

      tell(`3 kills of a build that ${row.build}, ${left} attempts under way`, reckoning);
      const pending = await world.count(`status = 'pending'`);
      expect(reckoning.lost + pending === 0).toBe(row.isSound);
    },
    60_000,
  );
});

/** Starts a server, publishes a day, and kills the server; gives how many attempts were under way. */
async function killOnce(world: WebhookWorld, n: number): Promise<number> {
  for (const [name, answer] of Object.entries(answers)) {
    world.receivers.receivers.named(name).told({ answer });
  }
  const server = await world.serve();
  await world.publishNextDay();
  if (n % 3 === 1) await world.replay(server, names[n % names.length] ?? '');
  if (n % 3 === 2) await world.test(server, names[n % names.length] ?? '');
  // Another process hears of a new day within half a second.
  await wait(Math.random() * (n % 3 === 0 ? 500 + deliveryMs : deliveryMs));
  return world.kill(server);
}

function tell(what: string, { events, lost, phantom, repeated }: Reckoning): void {
  console.log(
    `R16: ${what}; ${events} events, ${names.length} receivers: ` +
      `${lost} lost, ${phantom} phantom, ${repeated} repeated`,
  );
}
