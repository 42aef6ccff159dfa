import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ReceiverAnswer } from '../../src/sandbox/receiver/script.ts';
import { brokenEnvironment } from '../support/broken-environment.ts';
import { countOf, isFull, reportFigure, someOf } from '../support/proof.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { eventually } from '../support/eventually.ts';
import { type Reckoning, WebhookWorld } from './support/webhook-world.ts';

/** Worlds run in parallel, each with servers that are killed, a database and receivers of its own. */
const worlds = countOf({ full: 4, perCommit: 2 });
const killsEach = countOf({ full: 200, perCommit: 6 }) / worlds;
/** A kill comes at a random moment after an event. The first attempts take about this long. */
const deliveryMs = 120;
/**
 * In full runs a claim that a killed process left ends after 30 s, as in the product (contract C29). For a commit the
 * servers have claims of 2 s; the rest of the build is the product's.
 */
const claims = brokenEnvironment(isFull ? undefined : 'short claims');
const claimsEndMs = 60_000;

/** How receivers answer; those that refuse or break the connection do so once after each event. */
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
const engine = isPostgresql ? 'PostgreSQL' : 'SQLite';
const succeededStatus = `status = 'succeeded'`;

const brokenBuilds = [
  {
    build: 'gives each attempt an id',
    name: 'short claims + another id for each attempt',
    shows: 'phantom',
  },
  {
    build: 'writes results before it sends',
    name: 'short claims + results before the attempts',
    shows: 'lost',
  },
  { build: 'never lets a claim end', name: 'endless claims', shows: 'lost' },
] as const;

describe('kill -9 during delivery (contract C28, C31, reliability R16)', () => {
  it('loses no event, invents none, and repeats events with the same id and body', async () => {
    const lives = Array.from({ length: worlds }, runWorld);
    const [first, ...others] = await Promise.all(lives);
    const all = others.reduce(add, first as Life);

    reportLife(all);
    expect(all).toMatchObject({ kills: killsEach * worlds, lost: 0, phantom: 0, wrong: [] });
    expect(all.underWay).toBeGreaterThan(0);
    expect(all.repeated).toBeGreaterThan(0);
    expect(all.succeeded).toBe(all.deliveries);
  }, 600_000);

  // The test above shows that the check accepts a build with short claims.
  it.each(someOf(brokenBuilds, 1))('is caught by the same check if a build $build', async (row) => {
    const world = await WebhookWorld.start(names, brokenEnvironment(row.name));

    const killed = { kills: 0, underWay: 0, replays: 0 };
    for (let n = 0; n < 3; n += 1) await killOnce(world, n, killed);
    // Three times as long as the claims that do end.
    const life = await settle(world, killed, 6_000);

    reportLife(life, `caught: a build that ${row.build}`);
    expect(life[row.shows]).toBeGreaterThan(0);
  });
});

type Killed = { kills: number; underWay: number; replays: number };

/** The kills in one world, and what its receivers and its outbox hold at the end. */
type Life = Reckoning &
  Readonly<Killed> & { readonly deliveries: number; readonly succeeded: number };

async function runWorld(): Promise<Life> {
  const world = await WebhookWorld.start(names, claims);
  const killed = { kills: 0, underWay: 0, replays: 0 };
  for (let n = 0; n < killsEach; n += 1) await killOnce(world, n, killed);
  return settle(world, killed, claimsEndMs);
}

/** Starts a last server, waits until no delivery is pending, and compares. */
async function settle(world: WebhookWorld, killed: Killed, withinMs: number): Promise<Life> {
  await world.serve();
  const isSettled = async (): Promise<boolean> => (await world.count(`status = 'pending'`)) === 0;
  await eventually(isSettled, withinMs).catch(() => {});
  const [deliveries, succeeded] = [await world.count('true'), await world.count(succeededStatus)];
  return { ...killed, ...(await world.reckon()), deliveries, succeeded };
}

/** Starts a server, publishes a day, and kills the server. */
async function killOnce(world: WebhookWorld, n: number, killed: Killed): Promise<void> {
  for (const [name, answer] of Object.entries(answers)) {
    world.receivers.receivers.named(name).apply({ answer });
  }
  const server = await world.serve();
  await world.publishNextDay();
  if (n % 3 === 1) {
    await world.replay(server, names[n % names.length] ?? '');
    killed.replays += 1;
  }
  if (n % 3 === 2) await world.test(server, names[n % names.length] ?? '');
  // Another process sees a new day within half a second.
  await wait(Math.random() * (n % 3 === 0 ? 500 + deliveryMs : deliveryMs));
  killed.underWay += await world.kill(server);
  killed.kills += 1;
}

function add(a: Life, b: Life): Life {
  return {
    kills: a.kills + b.kills,
    underWay: a.underWay + b.underWay,
    replays: a.replays + b.replays,
    events: a.events + b.events,
    due: a.due + b.due,
    lost: a.lost + b.lost,
    phantom: a.phantom + b.phantom,
    repeated: a.repeated + b.repeated,
    wrong: [...a.wrong, ...b.wrong],
    deliveries: a.deliveries + b.deliveries,
    succeeded: a.succeeded + b.succeeded,
  };
}

function reportLife(life: Life, build?: string): void {
  const { kills, underWay, replays, due, lost, phantom, repeated, wrong } = life;
  reportFigure(
    'R16',
    `${build === undefined ? '' : `${build}, `}${kills} kills on ${engine}, ${underWay} attempts under way, ` +
      `${replays} replays, ${names.length} receivers: ${due - lost} of ${due} there by webhook-id, ` +
      `${lost} lost, ${phantom} phantom, ${repeated} repeated with the same id, ${wrong.length} otherwise wrong`,
  );
}
