import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPublishedKeys } from '../../src/vat-check/stored/evidence/published-keys.ts';
import { verifyEvidence } from '../../src/vat-check/stored/evidence/verify.ts';
import { eventually } from '../support/eventually.ts';
import { tableNames } from '../support/table-names.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';
import { readAnswers, readBodies, readUsed, withoutCursors } from './support/earlier-answers.ts';
import { createCheck, listChecks, nameWatched, orderedCheck } from './support/earlier-checks.ts';
import { readEvents } from './support/earlier-data.ts';
import { loadReleaseData, settingsOn } from './support/release-data.ts';
import { releaseBefore, shareRelease } from './support/release-program.ts';
import { get, stopServe } from './support/serve-process.ts';
import { hasEngines, shareEngines } from './support/shared-engines.ts';
import { days, readRows, UpgradeWorld } from './support/upgrade-world.ts';
import { WebhookCaller } from './support/webhook-caller.ts';

const releases = ['0.1.0', '0.2.0', releaseBefore] as const;
const program = shareRelease(releaseBefore);
const engines = shareEngines();

type Checks = { readonly checks: readonly { readonly id: string }[] };
type Events = { readonly events: readonly { readonly id: string }[]; readonly nextCursor: string };

/** Tables that each start of a server writes. */
const ofStarts = new Set(['replicas', 'revisions', 'event_log', 'event_log_epochs']);

/** Tables that the requests of the test write, and the list of migrations. */
const ofUse = new Set(['key_secrets', 'key_use', 'key_use_journal', 'kysely_migration']);

/** Reads all tables but those that each start writes. */
async function readTables(
  world: UpgradeWorld,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const db = world.connect();
  const tables: Record<string, readonly string[]> = {};
  for (const name of await tableNames(db)) {
    if (!ofStarts.has(name)) tables[name] = await readRows(db, name);
  }
  await db.destroy();
  return tables;
}

/** The reason that version 0.1 writes with a blank. */
const renameReason = (row: string): string => row.replace('"key ended"', '"key_ended"');

/** The rows of a table without the columns that a migration has added. */
function withColumnsOf(before: readonly string[], after: readonly string[] = []): string[] {
  const names = Object.keys(JSON.parse(before[0] ?? '{}') as object);
  return after.map((row) => JSON.stringify(JSON.parse(row), names)).toSorted();
}

/** For a slow machine: a test starts up to five processes, one after the other. */
const timeout = 180_000;

describe.skipIf(isPostgresql)('the database of a release (docs/upgrading.md)', { timeout }, () => {
  it.each([
    ...releases.map((made) => [made, 'sqlite'] as const),
    ...(hasEngines ? releases.map((made) => [made, 'postgresql'] as const) : []),
  ])(
    '%s in %s is migrated by the start of the server, and all that callers and operators read is as before',
    async (made, engine) => {
      const settings = settingsOn(engine, () => engines().postgresql);
      const world = await UpgradeWorld.start('', settings);
      const data = loadReleaseData(world, made, engine);
      const { key } = data.keys.shop;
      const before = await readTables(world);
      world.moveTo(days[2]);

      const server = await world.serve({ DELIVERY: 'off' });

      expect(await readUsed(server, key)).toBe(data.used);
      expect(await readAnswers(server, key, Object.keys(data.answers))).toEqual(data.answers);
      const bodies = await readBodies(server, key, Object.keys(data.bodies));
      expect(withoutCursors(bodies)).toMatchObject(withoutCursors(data.bodies));
      const statusOf = async (one: { readonly key: string }): Promise<number> =>
        (await get(`${server.apiUrl}/rates`, one.key)).status;
      // The first secret of `partner` has ended by now.
      const { shop, partner, left, revoked, rotated } = data.keys;
      const all = [shop, partner, left, revoked, rotated];
      expect(await Promise.all(all.map(statusOf))).toEqual([200, 401, 401, 401, 200]);
      await stopServe(server);
      const after = await readTables(world);
      for (const [name, rows] of Object.entries(before)) {
        if (ofUse.has(name)) continue;
        expect([name, withColumnsOf(rows, after[name])]).toEqual([name, rows.map(renameReason)]);
      }
      expect(after['key_use_journal']).toEqual([]);
    },
  );

  it('goes on with pending deliveries, checks and watches, with cursors and repeated requests', async () => {
    const world = await UpgradeWorld.start('');
    const { keys, subscriptions, bodies } = loadReleaseData(world, releaseBefore, 'sqlite');
    const { key } = keys.shop;
    const { receivers } = world.sandbox;
    const received = (name: string) => receivers.named(name).received;
    for (const name of ['down', 'paused']) receivers.named(name).apply({ answer: {} });
    nameWatched(world, 'IMAGINARIA SA');
    world.clock.set(`${days[1]}T20:00:00Z`);

    const server = await world.serve({ JOBS: 'on' });
    const repeated = await createCheck(server, key, {
      body: orderedCheck,
      idempotencyKey: 'order-1001',
    });
    const caller = new WebhookCaller(server, key);
    await caller.enable(subscriptions.paused.id);
    await eventually(() => received('down').length > 0 && received('paused').length > 0);
    await caller.post(`/${subscriptions.up.id}/test`, {});
    await eventually(() => received('up').length > 0);
    await eventually(async () => (await listChecks(server, key, 'status=pending')).length === 0);
    world.moveTo(days[2]);
    const before = bodies['/events?limit=100'] as Events;
    await eventually(async () => (await readEvents(server, key, 'type=vat.changed')).length > 1);
    const { nextCursor } = bodies['/events?limit=2'] as Events;
    const following = await readEvents(server, key, `after=${nextCursor}`);
    const added = following.slice(before.events.length - 2);
    await eventually(() => received('checks').length >= added.length);
    const [answered] = await listChecks(server, key, 'countryCode=AT&vatNumber=100');
    const evidence = await get(`${server.apiUrl}/vatchecks/${answered?.id}/evidence`, key);
    const published = await get(`${server.apiUrl}/evidence/keys`, key);
    await stopServe(server);

    expect(repeated.id).toBe((bodies['/vatchecks?limit=100'] as Checks).checks[0]?.id);
    const changes = await world.connect().selectFrom('events').selectAll().execute();
    const changed = changes.find(({ type }) => type === 'rates.changed');
    for (const name of ['down', 'paused']) {
      expect(received(name)).toMatchObject([
        { id: changed?.id, verified: true, body: { snapshotDate: days[1], count: 1 } },
      ]);
    }
    expect(received('up')).toMatchObject([{ verified: true, body: { type: 'webhook.test' } }]);
    expect([received('gone'), received('left')]).toEqual([[], []]);
    expect(following.slice(0, before.events.length - 2)).toMatchObject(
      before.events.slice(2).map(({ id }) => ({ id })),
    );
    expect(added.map(({ type }) => type).toSorted()).toEqual([
      'vat.changed',
      'vat.checked',
      'vat.checked',
    ]);
    expect(received('checks').map(({ verified }) => verified)).toEqual(added.map(() => true));
    expect(new Set(received('checks').map(({ id }) => id))).toEqual(
      new Set(added.map(({ id }) => id)),
    );
    const keysThen = readPublishedKeys(Buffer.from(published.text));
    expect(await verifyEvidence(Buffer.from(evidence.text), keysThen)).toMatchObject({
      faults: [],
      isKeyPublished: true,
    });
  });

  it('is changed by no second start, and refused by its own program, which restores a backup that it made', async () => {
    const world = await UpgradeWorld.start(program());
    const { keys, answers } = loadReleaseData(world, releaseBefore, 'sqlite');
    world.moveTo(days[2]);
    const backup = join(temporaryFolder(), 'copy.db');
    await world.readEarlier(['backup', backup]);
    await stopServe(await world.serve({ DELIVERY: 'off' }));
    const migrated = await readTables(world);

    await stopServe(await world.serve({ DELIVERY: 'off' }));
    expect(await readTables(world)).toEqual(migrated);
    const refused = await world.runEarlier(['serve']);

    expect(refused.code).not.toBe(0);
    expect(refused.stdout + refused.stderr).toMatch(
      /made by a newer vatfx \(\d{4}-[a-z-]+\); use that version or a later one/,
    );
    expect(await readTables(world)).toEqual(migrated);
    await world.readEarlier(['restore', backup]);
    const earlier = await world.serveEarlier();
    expect(await readAnswers(earlier, keys.shop.key, Object.keys(answers))).toEqual(answers);
    await stopServe(earlier);
  });

  it('is restored from a backup of its own program with the key of its secrets', async () => {
    const world = await UpgradeWorld.start(program());
    const { keys, answers, subscriptions, used } = loadReleaseData(world, releaseBefore, 'sqlite');
    world.moveTo(days[2]);
    const backup = join(temporaryFolder(), 'copy.db');
    await world.readEarlier(['backup', backup]);
    const target = await UpgradeWorld.start('');
    target.moveTo(days[2]);

    const restored = await target.run(['restore', backup]);

    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(`${backup}.secret-key`)).toBe(true);
    const settings = { ...world.env, DATABASE_URL: target.env['DATABASE_URL'] ?? '' };
    const server = await target.serve(settings);
    expect(await readUsed(server, keys.shop.key)).toBe(used);
    expect(await readAnswers(server, keys.shop.key, Object.keys(answers))).toEqual(answers);
    const caller = new WebhookCaller(server, keys.shop.key);
    await caller.post(`/${subscriptions.up.id}/test`, {});
    const { received } = world.sandbox.receivers.named('up');
    await eventually(() => received.length > 0);
    expect(received).toMatchObject([{ verified: true }]);
    await stopServe(server);
  });
});
