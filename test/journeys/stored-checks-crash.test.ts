import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../src/access/authentication/key-changes.ts';
import { eventually } from '../support/eventually.ts';
import { countOf, reportFigure } from '../support/proof.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { setMemberState } from '../support/sandbox/scripts.ts';
import type { ServeProcess } from './support/serve-process.ts';
import { WebhookCaller } from './support/webhook-caller.ts';
import { isRegistered, numberOf, StoredCheckWorld } from './support/stored-check-world.ts';

/** Of one Member State, which is queried twice a second (rule K8): half a second for each. */
const count = countOf({ full: 200, perCommit: 20 });
const stoppedCount = countOf({ full: 30, perCommit: 8 });

describe(`kill -9 with ${count} pending checks (rules K8 and K20, reliability R29)`, () => {
  it('ends in an answer of the registry and one event for each', async () => {
    const world = await StoredCheckWorld.start(count);
    const { scenario, receivers } = world.sandbox;
    setMemberState(scenario, 'DE', 'down');
    const servers = await Promise.all((isPostgresql ? [1, 2] : [1]).map(async () => world.serve()));
    await subscribe(world, servers[0]!);
    for (let from = 0; from < count; from += 20) {
      const portion = Array.from({ length: 20 }, (_, n) => from + n);
      await Promise.all(
        portion.map(async (n) => {
          const waitSeconds = n % 2;
          const check = await world.post(servers[n % servers.length]!, n, { waitSeconds });
          expect(check).toMatchObject({ status: 'pending', valid: null });
        }),
      );
    }

    await wait(Math.random() * 1_000);
    await killAll(servers);
    const again = await Promise.all(servers.map(async () => world.serve()));
    expect(await world.countPending()).toBe(count);
    // The answers take a moment, so that the second kill comes during attempts.
    setMemberState(scenario, 'DE', 'up', { latencyMs: 100 });
    await eventually(async () => (await world.countPending()) < count * 0.9);
    await killAll(again);
    const left = await world.countPending();
    expect(left).toBeGreaterThan(0);
    const last = await world.serve();
    // In a full run 90 s for 180 checks, and a reserve.
    await eventually(async () => (await world.countPending()) === 0, 180_000);

    const checks = await world.list(last);
    expect(new Set(checks.map(({ vatNumber }) => vatNumber)).size).toBe(count);
    expect(checks).toHaveLength(count);
    const wrong = checks.filter(
      ({ status, valid, vatNumber }) => status !== 'answered' || valid !== isRegistered(vatNumber),
    );
    expect(wrong).toEqual([]);
    const { received } = receivers.named('checks');
    const bodies = () => new Map(received.map((one) => [one.id, one.bytes.toString()]));
    await eventually(async () => bodies().size === count);
    const told = [...bodies().values()].map((text) => JSON.parse(text) as Told);
    expect(new Set(told.map(({ check }) => check.id))).toEqual(new Set(checks.map(({ id }) => id)));
    expect(told.every(({ type }) => type === 'vat.checked')).toBe(true);
    const events = world.db.selectFrom('events').select('id').where('type', '=', 'vat.checked');
    expect(await events.execute()).toHaveLength(count);
    const engine = isPostgresql ? 'PostgreSQL' : 'SQLite';
    reportFigure(
      'R29',
      `${count} pending checks, kill -9 of ${servers.length} server(s) twice on ${engine}: ${checks.length} answered ` +
        `as the registry did, ${wrong.length} otherwise; ${bodies().size} webhooks with an id of their own`,
    );
  }, 400_000);
});

describe('a server that is stopped in mid-attempt (rule K8)', () => {
  it('writes the attempts under way and gives all other checks to the next server', async () => {
    // No attempt times out, however slow the machine.
    const world = await StoredCheckWorld.start(stoppedCount, { VIES_TIMEOUT_MS: '20000' });
    setMemberState(world.sandbox.scenario, 'DE', 'up', { latencyMs: 500 });
    const server = await world.serve();
    await Promise.all(
      Array.from({ length: stoppedCount }, async (_, n) =>
        world.post(server, n, { waitSeconds: 0 }),
      ),
    );
    await eventually(async () => (await world.countPending()) < stoppedCount);

    server.process.signal('SIGTERM');
    expect(await server.process.ended()).toMatchObject({ code: 0 });

    const claims = world.db.selectFrom('vat_checks').select('id').where('claim', 'is not', null);
    expect(await claims.execute()).toEqual([]);
    const other = await world.serve();
    await eventually(async () => (await world.countPending()) === 0);
    const checks = await world.list(other);
    expect(checks.filter(({ attempts }) => attempts !== 1)).toEqual([]);
    expect(checks.filter(({ valid, vatNumber }) => valid !== isRegistered(vatNumber))).toEqual([]);
    const { vies } = world.sandbox.requests;
    // Not one more, however the attempts fell around the stop.
    expect(vies.calls()).toBe(stoppedCount);
  });
});

describe('a key that is revoked while its checks are pending', () => {
  it('has them expired without a further query', async () => {
    const world = await StoredCheckWorld.start(5);
    setMemberState(world.sandbox.scenario, 'DE', 'down');
    const server = await world.serve();
    for (let n = 0; n < 5; n += 1) await world.post(server, n, { waitSeconds: 0 });

    await revokeKey(world.db, world.keyId, { at: new Date().toISOString() });

    await eventually(async () => (await world.countPending()) === 0);
    const rows = world.db.selectFrom('vat_checks').select(['status', 'valid', 'number']);
    expect(await rows.orderBy('number').execute()).toEqual(
      [0, 1, 2, 3, 4].map((n) => ({ status: 'expired', valid: null, number: numberOf(n) })),
    );
  });
});

type Told = { readonly type: string; readonly check: { readonly id: string } };

async function subscribe({ sandbox, key }: StoredCheckWorld, server: ServeProcess): Promise<void> {
  const wanted = { url: sandbox.receiverUrl('checks'), events: ['vat.checked'] };
  const caller = new WebhookCaller(server, key);
  const { secret } = await caller.post<{ readonly secret: string }>('', wanted, 201);
  sandbox.receivers.named('checks').apply({ secrets: [secret] });
}

async function killAll(servers: readonly ServeProcess[]): Promise<void> {
  for (const { process } of servers) process.signal('SIGKILL');
  await Promise.all(servers.map(async ({ process }) => process.ended()));
}
