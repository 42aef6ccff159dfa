import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createKey, revokeKey } from '../../src/access/authentication/key-changes.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { openEmptyRedis } from '../support/open-redis.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { readAnswers, readUsed } from './support/earlier-answers.ts';
import {
  createBatch,
  createCheck,
  listChecks,
  nameWatched,
  orderedCheck,
} from './support/earlier-checks.ts';
import { readEvents } from './support/earlier-data.ts';
import { loadReleaseData, settingsOn } from './support/release-data.ts';
import { releaseBefore, shareRelease } from './support/release-program.ts';
import type { Environment } from './support/run-vatfx.ts';
import { get, type ServeProcess, stopServe } from './support/serve-process.ts';
import { hasEngines, shareEngines } from './support/shared-engines.ts';
import { days, UpgradeWorld } from './support/upgrade-world.ts';
import { WebhookCaller } from './support/webhook-caller.ts';

const [, , third, fourth] = days;
/** A Saturday: the ECB publishes nothing. */
const fifth = '2026-11-21';
const release = shareRelease(releaseBefore);
const engines = shareEngines();

/** Opens the database of the release in PostgreSQL, with a replica of the release with jobs and then one of the present version. */
async function startBoth(ofPresent: Environment = {}) {
  const { postgresql, redis } = engines();
  await openEmptyRedis(redis.url);
  const world = await UpgradeWorld.start(release(), {
    ...settingsOn('postgresql', () => postgresql),
    REDIS_URL: redis.url,
    VIES_BACKGROUND_PER_SECOND: '50',
  });
  const data = loadReleaseData(world, releaseBefore, 'postgresql');
  nameWatched(world, 'IMAGINARIA SA');
  world.moveTo(third);
  const db = world.connect();
  const earlier = await world.serveEarlier({ JOBS: 'on' });
  const present = await world.serve(ofPresent);
  await untilPublished(db, third);
  const both = [earlier, present] as const;
  // Each follows what the other has published.
  for (const one of both) await untilAnswered(one, `/rates/${third}`, data.keys.shop.key);
  return { world, ...data, earlier, present, both, db };
}

/** Waits for the rates of a day in the database. Requests would count against the limits of a key. */
async function untilPublished(db: Db, version: string): Promise<void> {
  const rates = db.selectFrom('rate_snapshots').select('version').where('version', '=', version);
  await eventually(async () => (await rates.executeTakeFirst()) !== undefined);
}

/** Waits until a replica answers a path with 200, with a few requests. */
async function untilAnswered({ apiUrl }: ServeProcess, path: string, key: string): Promise<void> {
  await eventually(async () => {
    await pause(200);
    return (await get(apiUrl + path, key)).status === 200;
  });
}

/** Numbers of four Member States for a batch of each replica; none is registered. */
const countOfBatch = 20;
const numbersOf = (replica: number) =>
  Array.from({ length: countOfBatch }, (_, n) => ({
    countryCode: ['DE', 'FR', 'IT', 'PL'][n % 4],
    vatNumber: String(10_000_000_000 + 1_000 * replica + n),
  }));

/** The errors in the log of a replica, without those about the clock, which the test moves. */
function errorsOf({ process }: ServeProcess): readonly string[] {
  const lines = (process.stdout + process.stderr).split('\n');
  return lines.filter((line) => /"level":"(?:error|fatal)"(?!.*clock of this machine)/.test(line));
}

describe.skipIf(!hasEngines)(
  `replicas of version ${releaseBefore} and of this one on one PostgreSQL`,
  () => {
    it('give the same answers, publish each day once, and deliver each event once', async () => {
      const { world, keys, subscriptions, answers, earlier, present, both, db } = await startBoth();
      const paths = Object.keys(answers);
      const { key } = keys.shop;
      for (const replica of both) {
        expect(await readAnswers(replica, key, paths)).toEqual(answers);
      }

      changeRate(world.sandbox.scenario, 'EE', 'standard', ['25'], fourth);
      world.moveTo(fourth);
      await untilPublished(db, fourth);
      for (const path of [`/fx/${fourth}`, `/fx/nbp/${fourth}`, `/rates/${fourth}`]) {
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

      const published = [`/rates/${fourth}`, `/changes/${fourth}`, `/changes/${fifth}`];
      for (const path of [...published, `/fx/nbp/${fourth}`]) {
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
      await stopServe(earlier);
      await stopServe(second);
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
      const logged = await readEvents(present, key, 'type=rates.changed');
      // The first is that of the release, before both.
      expect(logged.slice(-2).map(({ id }) => id)).toEqual(ofDays);
      expect(logged.map(({ snapshotDate }) => snapshotDate)).toContain(days[1]);
      const runs = await db.selectFrom('runs').selectAll().where('published', '>', 0).execute();
      const versions = runs.flatMap(({ job, version: of }) => (job === 'rates' ? [of] : []));
      expect(versions).toHaveLength(new Set(versions).size);
      const caller = new WebhookCaller(present, key);
      await caller.post(`/${subscriptions.up.id}/test`, {});
      await eventually(() => received('up').length > 2);
      expect([earlier, present, second].flatMap(errorsOf)).toEqual([]);
    });

    it('query the registry once for each check, and follow watches, repeated requests and cursors of each other', async () => {
      const { world, keys, bodies, earlier, present, both } = await startBoth({ JOBS: 'on' });
      const { key } = keys.shop;
      const { checks } = bodies['/vatchecks?limit=100'] as { readonly checks: readonly object[] };

      // Long enough for the other replica to find a check whose query is under way.
      world.sandbox.scenario.apply({ vies: { latencyMs: 1_500 } });
      await Promise.all(both.map(async (one, n) => createBatch(one, key, numbersOf(n))));
      const pending = async () => listChecks(present, key, 'status=pending');
      await eventually(async () => (await pending()).length === 0, 90_000);
      const repeated = await Promise.all(
        [earlier, present, earlier].map(async (one) =>
          createCheck(one, key, { body: orderedCheck, idempotencyKey: 'order-1002' }),
        ),
      );
      await eventually(async () => (await readEvents(earlier, key, 'type=vat.changed')).length > 1);

      expect(new Set(repeated.map(({ id }) => id)).size).toBe(1);
      // The two that waited, the watched number, and the repeated request.
      const made = 2 * countOfBatch + 4;
      expect(world.sandbox.requests.vies.calls()).toBe(made);
      const all = await listChecks(present, key);
      expect(all).toHaveLength(checks.length + made - 2);
      const ended = await readEvents(present, key, 'type=vat.checked');
      const idsOf = ended.map(({ check }) => check?.id);
      expect(new Set(idsOf).size).toBe(idsOf.length);
      const after = (bodies['/events?limit=2'] as { readonly nextCursor: string }).nextCursor;
      const [read, same] = await Promise.all(
        both.map(async (one) => readEvents(one, key, `after=${after}`)),
      );
      expect(same?.map(({ id }) => id)).toEqual(read?.map(({ id }) => id));
      const following = await readEvents(earlier, key, `after=${same?.[0]?.cursor}`);
      expect(following.map(({ id }) => id)).toEqual(same?.slice(1).map(({ id }) => id));
      await Promise.all(both.map(stopServe));
      expect(both.flatMap(errorsOf)).toEqual([]);
    });

    it('keep the headers of a receiver from another one, whichever replica changes the subscription', async () => {
      const { world, keys, earlier, present, db } = await startBoth();
      const send = async (to: ServeProcess, method: string, path: string, body?: object) => {
        const response = await fetch(`${to.apiUrl}/webhooks${path}`, {
          method,
          headers: { authorization: `Bearer ${keys.shop.key}`, 'content-type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
        });
        const text = await response.text();
        return { code: response.status, ...(JSON.parse(text || '{}') as { id?: string }) };
      };
      const headers = { 'x-gateway': 'open sesame' };
      const url = world.sandbox.receiverUrl('gateway');
      const { id } = await send(present, 'POST', '', { url, headers });
      const path = `/${id}`;

      expect(await send(earlier, 'GET', path)).toMatchObject({ code: 200, url });
      expect(await send(present, 'GET', path)).toMatchObject({ headers: ['x-gateway'] });
      expect(await send(earlier, 'PATCH', path, { url: `${url}2` })).toMatchObject({ code: 200 });
      expect(await send(present, 'GET', path)).toMatchObject({ url: `${url}2`, headers: [] });
      const again = await send(present, 'PATCH', path, { headers });
      expect(again).toMatchObject({ headers: ['x-gateway'] });
      expect(await send(earlier, 'DELETE', path)).toMatchObject({ code: 204 });

      expect(await db.selectFrom('webhook_headers').selectAll().execute()).toEqual([]);
      expect(errorsOf(earlier)).toEqual([]);
    });

    it('follow changes of keys and subscriptions, and share limits in Redis and use in the database', async () => {
      const { world, keys, used, earlier, present, both, db } = await startBoth();
      const at = new Date(world.clock.now()).toISOString();
      const limited = await createKey(db, { name: 'limited', rateLimit: 10, at });
      const statuses = async (key: string, path = '/rates'): Promise<number[]> =>
        Promise.all(both.map(async ({ apiUrl }) => (await get(apiUrl + path, key)).status));
      await eventually(async () => (await statuses(keys.rotated.key)).join() === '200,200');

      await revokeKey(db, keys.partner.id, { at });
      await eventually(async () => (await statuses(keys.rotated.key)).join() === '401,401');
      for (let sent = 0; sent < 5; sent += 1) {
        expect(await statuses(limited.key)).toEqual([200, 200]);
      }
      expect(await statuses(limited.key)).toEqual([429, 429]);

      const monthly = await createKey(db, { name: 'monthly', quota: 10, at });
      for (let sent = 0; sent < 10; sent += 1) await get(`${earlier.apiUrl}/rates`, monthly.key);
      const use = db.selectFrom('key_use').select('requests').where('key_id', '=', monthly.id);
      await eventually(async () => (await use.executeTakeFirst())?.requests === 10);
      expect(await statuses(monthly.key)).toEqual([429, 429]);

      const callers = both.map((one) => new WebhookCaller(one, keys.shop.key));
      const { id } = await (callers[0] as WebhookCaller).subscribe(
        world.sandbox,
        'made-by-earlier',
      );
      await (callers[1] as WebhookCaller).post(`/${id}/test`, {});
      const { received } = world.sandbox.receivers.named('made-by-earlier');
      await eventually(() => received.length > 0);
      await stopServe(earlier);
      await stopServe(present);
      const rows = await db.selectFrom('key_use').selectAll().execute();
      const stored = rows.filter((row) => row.key_id === keys.shop.id);
      const later = await world.serve();
      const usedLater = await readUsed(later, keys.shop.key);
      expect(usedLater).toBe(stored.reduce((sum, { requests }) => sum + requests, 0));
      expect(usedLater).toBeGreaterThan(used);
      await stopServe(later);
      expect(received).toMatchObject([{ verified: true }]);
    });
  },
);
