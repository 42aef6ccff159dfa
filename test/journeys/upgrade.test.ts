import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { tableNames } from '../support/table-names.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';
import { readAnswers, readUsed } from './support/earlier-data.ts';
import { loadReleaseData } from './support/release-data.ts';
import { shareRelease } from './support/release-program.ts';
import { get, type ServeProcess } from './support/serve-process.ts';
import { days, readRows, UpgradeWorld } from './support/upgrade-world.ts';
import { WebhookCaller } from './support/webhook-caller.ts';

const version = '0.1.0';
const release = shareRelease(version);

type Subscriptions = readonly { readonly id: string; readonly disabledReason: string | null }[];
type Audit = readonly { readonly action: string; readonly actor: string | null }[];

async function stop({ process }: ServeProcess): Promise<void> {
  process.signal('SIGTERM');
  expect((await process.ended()).code).toBe(0);
}

/** Tables that each start of a server writes. */
const ofStarts = new Set(['replicas', 'revisions', 'event_log', 'event_log_epochs']);

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

/** For a slow machine: a test starts up to five processes, one after the other. */
const timeout = 180_000;

describe.skipIf(isPostgresql)(
  `a database of version ${version} in a file (operator.md)`,
  { timeout },
  () => {
    it('is migrated by the start of the server, and everything in it is as before', async () => {
      const world = await UpgradeWorld.start(release());
      const { keys, subscriptions, answers, used } = loadReleaseData(world, version, 'sqlite');
      const before = await readTables(world);
      world.moveTo(days[2]);

      const server = await world.serve({ DELIVERY: 'off' });

      expect(await readUsed(server, keys.shop.key)).toBe(used);
      expect(await readAnswers(server, keys.shop.key)).toEqual(answers);
      const statusOf = async (key: string): Promise<number> =>
        (await get(`${server.apiUrl}/rates`, key)).status;
      expect(await Promise.all(Object.values(keys).map(async ({ key }) => statusOf(key)))).toEqual([
        // The first secret of `partner` has ended by now.
        200, 401, 401, 401, 200,
      ]);
      const listed = await world.read<Subscriptions>(['webhooks', 'list']);
      const reasons = [null, null, 'gone', 'requested', 'key_ended'];
      expect(listed.map(({ disabledReason }) => disabledReason)).toEqual(reasons);
      const audit = await world.read<Audit>(['audit', '--limit', '100']);
      expect(audit.map(({ actor }) => actor)).toEqual(before['audit']?.map(() => null));
      await stop(server);
      const after = await readTables(world);
      for (const same of ['rate_snapshots', 'rate_changes', 'fx_snapshots', 'webhook_secrets']) {
        expect(after[same]).toEqual(before[same]);
      }
      expect(after['key_use_journal']).toEqual([]);

      await stop(await world.serve({ DELIVERY: 'off' }));

      expect(await readTables(world)).toEqual(after);
      expect(Object.keys(subscriptions)).toHaveLength(listed.length);
    });

    it('keeps its pending deliveries: they arrive once, with their ids, signed with their secrets', async () => {
      const world = await UpgradeWorld.start(release());
      const { keys, subscriptions } = loadReleaseData(world, version, 'sqlite');
      const { receivers } = world.sandbox;
      for (const name of ['down', 'paused']) receivers.named(name).apply({ answer: {} });
      world.moveTo(days[3]);

      const server = await world.serve();
      const caller = new WebhookCaller(server, keys.shop.key);
      await caller.enable(subscriptions.paused.id);
      const received = (name: string) => receivers.named(name).received;
      await eventually(() => received('down').length > 0 && received('paused').length > 0);
      await caller.post(`/${subscriptions.up.id}/test`, {});
      await eventually(() => received('up').length > 0);
      await stop(server);

      const changes = await world.connect().selectFrom('events').selectAll().execute();
      const changed = changes.find(({ type }) => type === 'rates.changed');
      for (const name of ['down', 'paused']) {
        expect(received(name)).toMatchObject([
          { id: changed?.id, verified: true, body: { snapshotDate: days[1], count: 1 } },
        ]);
      }
      expect(received('up')).toMatchObject([{ verified: true, body: { type: 'webhook.test' } }]);
      expect([received('gone'), received('left')]).toEqual([[], []]);
    });

    it('is refused by its own program after the migration, which restores a backup that it made', async () => {
      const world = await UpgradeWorld.start(release());
      const { keys, answers } = loadReleaseData(world, version, 'sqlite');
      world.moveTo(days[2]);
      const backup = join(temporaryFolder(), 'copy.db');
      await world.readEarlier(['backup', backup]);
      await stop(await world.serve());
      const migrated = await readTables(world);

      const refused = await world.runEarlier(['serve']);

      expect(refused.code).not.toBe(0);
      expect(refused.stdout + refused.stderr).toMatch(
        /made by a newer vatfx \(\d{4}-[a-z-]+\); start that version or a later one/,
      );
      expect(await readTables(world)).toEqual(migrated);
      await world.readEarlier(['restore', backup]);
      const earlier = await world.serveEarlier();
      expect(await readAnswers(earlier, keys.shop.key)).toEqual(answers);
      await stop(earlier);
    });

    it('is restored from a backup of its own program with the key of its secrets', async () => {
      const world = await UpgradeWorld.start(release());
      const { keys, answers, subscriptions, used } = loadReleaseData(world, version, 'sqlite');
      world.moveTo(days[2]);
      const backup = join(temporaryFolder(), 'copy.db');
      await world.readEarlier(['backup', backup]);
      const target = await UpgradeWorld.start(release());
      target.moveTo(days[2]);

      const restored = await target.run(['restore', backup]);

      expect(restored).toMatchObject({ code: 0, stderr: '' });
      expect(existsSync(`${backup}.secret-key`)).toBe(true);
      const settings = { ...world.env, DATABASE_URL: target.env['DATABASE_URL'] ?? '' };
      const server = await target.serve(settings);
      expect(await readUsed(server, keys.shop.key)).toBe(used);
      expect(await readAnswers(server, keys.shop.key)).toEqual(answers);
      const caller = new WebhookCaller(server, keys.shop.key);
      await caller.post(`/${subscriptions.up.id}/test`, {});
      const { received } = world.sandbox.receivers.named('up');
      await eventually(() => received.length > 0);
      expect(received).toMatchObject([{ verified: true }]);
      await stop(server);
    });
  },
);

describe.skipIf(isPostgresql)('a database of version 0.2.0 in a file', { timeout }, () => {
  it('is answered byte for byte as its own program did, with the same ETags, on every final path', async () => {
    const world = await UpgradeWorld.start('');
    const { keys, answers } = loadReleaseData(world, '0.2.0', 'sqlite');
    world.moveTo(days[2]);

    const server = await world.serve();

    expect(Object.keys(answers)).toEqual(
      expect.arrayContaining(['rates', 'changes', 'fx'].map((one) => `/${one}/${days[1]}`)),
    );
    expect(await readAnswers(server, keys.shop.key)).toEqual(answers);
    await stop(server);
  });
});
