import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createKey, revokeKey } from '../../src/access/authentication/key-changes.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { openEmptyRedis } from '../support/open-redis.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { readAnswers, readUsed } from './support/earlier-data.ts';
import { loadReleaseData } from './support/release-data.ts';
import { shareRelease } from './support/release-program.ts';
import { get, type ServeProcess } from './support/serve-process.ts';
import { hasEngines, makeDatabaseIn, shareEngines } from './support/shared-engines.ts';
import { days, UpgradeWorld } from './support/upgrade-world.ts';
import { WebhookCaller } from './support/webhook-caller.ts';

const version = '0.1.0';
const [, , third, fourth] = days;
/** A Saturday: the ECB publishes nothing. */
const fifth = '2026-11-21';
const secretKey = '5e'.repeat(32);
const release = shareRelease(version);
const engines = shareEngines();

type Logged = { readonly id: string; readonly snapshotDate: string };

/** Opens the database of the release in PostgreSQL, with a replica of the release and then one of the present version. */
async function startBoth(delivery: 'on' | 'off' = 'on') {
  const { postgresql, redis } = engines();
  await openEmptyRedis(redis.url);
  const world = await UpgradeWorld.start(release(), {
    DATABASE_URL: makeDatabaseIn(postgresql),
    REDIS_URL: redis.url,
    SECRET_KEY: secretKey,
  });
  const data = loadReleaseData(world, version, 'postgresql');
  world.moveTo(third);
  const db = world.connect();
  const earlier = await world.serveEarlier({ JOBS: 'on' });
  await untilPublished(db, third);
  const present = await world.serve({ DELIVERY: delivery });
  return { world, ...data, earlier, present, both: [earlier, present] as const, db };
}

/** Waits for the rates of a day in the database. Requests would count against the limits of a key. */
async function untilPublished(db: Db, version: string): Promise<void> {
  const rates = db.selectFrom('rate_snapshots').select('version').where('version', '=', version);
  await eventually(async () => (await rates.executeTakeFirst()) !== undefined, 30_000);
}

/** Waits until a replica answers a path with 200, with a few requests. */
async function untilAnswered({ apiUrl }: ServeProcess, path: string, key: string): Promise<void> {
  await eventually(async () => {
    await pause(200);
    return (await get(apiUrl + path, key)).status === 200;
  }, 30_000);
}

async function stop({ process }: ServeProcess): Promise<void> {
  process.signal('SIGTERM');
  expect((await process.ended()).code).toBe(0);
}

describe.skipIf(!hasEngines)(
  `replicas of version ${version} and of this one on one PostgreSQL`,
  () => {
    it('give the same answers, publish each day once, and deliver each event once', async () => {
      const { world, keys, subscriptions, answers, earlier, present, both, db } = await startBoth();
      const { key } = keys.shop;
      for (const replica of both) expect(await readAnswers(replica, key)).toEqual(answers);

      changeRate(world.sandbox.scenario, 'EE', 'standard', ['25'], fourth);
      world.moveTo(fourth);
      await untilPublished(db, fourth);
      for (const path of [`/fx/${fourth}`, `/rates/${fourth}`]) {
        await Promise.all(both.map(async (one) => untilAnswered(one, path, key)));
      }
      const received = (name: string) => world.sandbox.receivers.named(name).received;
      await eventually(() => received('up').length > 0);
      const second = await world.serve({ JOBS: 'on' });
      changeRate(world.sandbox.scenario, 'FI', 'standard', ['26'], fifth);
      world.moveTo(fifth);
      const all = [...both, second];
      await untilPublished(db, fifth);
      await Promise.all(all.map(async (one) => untilAnswered(one, `/rates/${fifth}`, key)));
      await eventually(() => received('up').length > 1);

      for (const path of [`/rates/${fourth}`, `/changes/${fourth}`, `/changes/${fifth}`]) {
        const [first, ...others] = await Promise.all(
          all.map(async ({ apiUrl }) => get(apiUrl + path, key)),
        );
        expect(others).toEqual([first, first]);
      }
      const range = await get(
        `${present.apiUrl}/fx/range?from=${third}&to=${fourth}&currencies=USD`,
        key,
      );
      expect(range).toMatchObject({ status: 200, text: expect.stringContaining(fourth) as string });
      await stop(earlier);
      await stop(second);
      const events = await db
        .selectFrom('events')
        .select(['id', 'type', 'snapshot_date'])
        .execute();
      const ofDays = [fourth, fifth].map(
        (day) =>
          events.find((one) => one.type === 'rates.changed' && one.snapshot_date === day)?.id,
      );
      expect(received('up').map(({ id, verified }) => [id, verified])).toEqual(
        ofDays.map((id) => [id, true]),
      );
      const log = await get(`${present.apiUrl}/events?type=rates.changed`, key);
      const { events: logged } = JSON.parse(log.text) as { readonly events: readonly Logged[] };
      // The first is that of the release, before both.
      expect(logged.slice(-2).map(({ id }) => id)).toEqual(ofDays);
      expect(logged.map(({ snapshotDate }) => snapshotDate)).toContain(days[1]);
      const runs = await db.selectFrom('runs').selectAll().where('published', '>', 0).execute();
      const versions = runs.flatMap(({ job, version: of }) => (job === 'rates' ? [of] : []));
      expect(versions).toHaveLength(new Set(versions).size);
      const caller = new WebhookCaller(present, key);
      await caller.post(`/${subscriptions.up.id}/test`, {});
      await eventually(() => received('up').length > 2);
    }, 180_000);

    it('follow changes of keys and subscriptions, count limits in Redis by version, and share use in the database', async () => {
      const { world, keys, used, earlier, present, both, db } = await startBoth();
      const at = new Date(world.clock.now()).toISOString();
      const limited = await createKey(db, { name: 'limited', rateLimit: 10, at });
      const statuses = async (key: string, path = '/rates'): Promise<number[]> =>
        Promise.all(both.map(async ({ apiUrl }) => (await get(apiUrl + path, key)).status));
      await eventually(async () => (await statuses(keys.rotated.key)).join() === '200,200');

      await revokeKey(db, keys.partner.id, { at });
      await eventually(async () => (await statuses(keys.rotated.key)).join() === '401,401');
      for (let sent = 0; sent < 10; sent += 1) {
        expect(await statuses(limited.key)).toEqual([200, 200]);
      }
      expect(await statuses(limited.key)).toEqual([429, 429]);

      const callers = both.map((one) => new WebhookCaller(one, keys.shop.key));
      const { id } = await (callers[0] as WebhookCaller).subscribe(
        world.sandbox,
        'made-by-earlier',
      );
      await (callers[1] as WebhookCaller).post(`/${id}/test`, {});
      const { received } = world.sandbox.receivers.named('made-by-earlier');
      await eventually(() => received.length > 0);
      await stop(earlier);
      await stop(present);
      const rows = await db.selectFrom('key_use').selectAll().execute();
      const stored = rows.filter((row) => row.key_id === keys.shop.id);
      const later = await world.serve();
      const usedLater = await readUsed(later, keys.shop.key);
      expect(usedLater).toBe(stored.reduce((sum, { requests }) => sum + requests, 0));
      expect(usedLater).toBeGreaterThan(used);
      await stop(later);
      expect(received).toMatchObject([{ verified: true }]);
    }, 180_000);

    it('leave events that the earlier version does not know to those of this version', async () => {
      const { world, keys, earlier, present } = await startBoth('off');
      const caller = new WebhookCaller(present, keys.shop.key);
      const created = await caller.post<{ readonly id: string; readonly secret: string }>(
        '',
        { url: world.sandbox.receiverUrl('checks'), events: ['vat.checked'] },
        201,
      );
      const receiver = world.sandbox.receivers.named('checks');
      receiver.apply({ secrets: [created.secret] });

      await fetch(`${present.apiUrl}/vatchecks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys.shop.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ countryCode: 'AT', vatNumber: '100', waitSeconds: 10 }),
      });
      await earlier.process.waitForOutput(/only a newer version of vatfx can deliver the event/);
      expect(receiver.received).toEqual([]);
      const delivering = await world.serve();
      await eventually(() => receiver.received.length > 0);
      await caller.post(`/${created.id}/test`, {});
      await eventually(() => receiver.received.length > 1);

      expect(receiver.received).toMatchObject([
        { verified: true, body: { type: 'vat.checked', check: { status: 'answered' } } },
        { verified: true, body: { type: 'webhook.test' } },
      ]);
      await stop(earlier);
      await stop(delivering);
    }, 180_000);
  },
);
