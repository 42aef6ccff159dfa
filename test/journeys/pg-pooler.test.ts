import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import { connectDatabase } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/database/migrations/migrations.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { type Server, startServer } from '../../src/composition/server.ts';
import { plainDefaults, sealConfig } from '../support/plain-config.ts';
import { isCi } from '../support/programs.ts';
import { isPostgresql, temporaryDatabaseUrl } from '../support/temporary-database.ts';
import { fxMoment, ratesMoment } from './support/days.ts';
import { eventually } from '../support/eventually.ts';
import { findPgbouncer, Pooler } from './support/pg-pooler.ts';
import { localReceivers } from './support/webhook-service.ts';
import { expectWithin } from '../support/proof.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const requestsCount = 100;

/** A pooler in front of a database of the test. */
async function startPooler(databaseUrl = temporaryDatabaseUrl()): Promise<Pooler> {
  const pooler = await Pooler.start(databaseUrl);
  onTestFinished(async () => pooler.stop());
  return pooler;
}

/** Two replicas behind the pooler, in simulated time, and all their log lines at `warn` and above. */
async function startReplicas(pooler: Pooler, at: string) {
  const startMs = Date.parse(at);
  const sandbox = await startSandbox({ brief: true, clock: { now: () => startMs } });
  onTestFinished(async () => sandbox.close());
  const config = sealConfig({
    ...plainDefaults(),
    ...localReceivers,
    databaseUrl: pooler.url,
    secretKey: '5e'.repeat(32),
    port: 0,
    opsPort: 0,
    ...sandbox.settings,
  });
  const trouble: string[] = [];
  const log = pino({ level: 'warn', base: null }, { write: (line) => trouble.push(line) });
  const replicas = await Promise.all(
    [1, 2].map(async () => {
      const replica = await startServer({ config, log, clock: sandbox.clock });
      onTestFinished(async () => replica.stop());
      return replica;
    }),
  );
  return { sandbox, trouble, replicas: replicas as [Server, Server] };
}

async function createTestKey({
  core,
}: Server): Promise<{ readonly id: string; readonly key: string }> {
  const limits = { rateLimit: 'none', quota: 'none' } as const;
  return createKey(core.db, { name: 'test', ...limits, at: '2026-11-01T00:00:00.000Z' });
}

async function sendRequest(
  { apiUrl }: Server,
  key: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${apiUrl}${path}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

async function publish(replica: Server, sandbox: Sandbox, moment: string): Promise<void> {
  setNow(sandbox.scenario, moment);
  await replica.tick();
}

// If PgBouncer is not installed the suite is skipped and says so; in CI it fails.
describe.skipIf(!isPostgresql || (findPgbouncer() === undefined && !isCi))(
  'replicas behind PgBouncer in transaction mode, with two sessions in all',
  () => {
    it('migrate once if they start at the same time', async () => {
      const pooler = await startPooler(temporaryDatabaseUrl({ isEmpty: true }));
      const processes = Array.from({ length: 5 }, () => connectDatabase(pooler.url));
      onTestFinished(async () => {
        for (const db of processes) await db.destroy();
      });

      const done = await Promise.all(processes.map(async (db) => migrate(db)));

      expect(done.flat().length).toBeGreaterThan(3);
      expect(new Set(done.flat()).size).toBe(done.flat().length);
    });

    it('serve a publication of another replica within 2 s', async () => {
      const pooler = await startPooler();
      const { sandbox, replicas } = await startReplicas(pooler, ratesMoment('2025-07-31'));
      const [one, other] = replicas;
      const { key } = await createTestKey(one);
      await publish(one, sandbox, ratesMoment('2025-07-31'));

      await publish(one, sandbox, ratesMoment('2025-08-01'));
      const publishedMs = performance.now();
      await eventually(async () =>
        (await sendRequest(other, key, '/rates')).text.includes('"2025-08-01"'),
      );
      const tookMs = performance.now() - publishedMs;

      console.log(`behind PgBouncer: seen by the other replica after ${Math.round(tookMs)} ms`);
      expectWithin(tookMs, 2_000);
      expect((await sendRequest(other, key, '/changes/2025-08-01')).text).toContain('"RO"');
    });

    it('answer 100 mixed requests during jobs and deliveries without errors of sessions', async () => {
      const pooler = await startPooler();
      const { sandbox, replicas, trouble } = await startReplicas(pooler, ratesMoment('2025-07-31'));
      const [one, other] = replicas;
      const { key } = await createTestKey(one);
      await publish(one, sandbox, fxMoment('2025-07-31'));
      await eventually(async () => (await sendRequest(other, key, '/rates')).status === 200);
      await eventually(async () => (await sendRequest(other, key, '/fx')).status === 200);
      for (const replica of replicas) replica.startDelivery();
      const paths = [
        '/rates',
        '/fx',
        '/changes?limit=5',
        '/rates/2025-07-31',
        '/usage',
        '/webhooks',
      ];
      const made = await sendRequest(one, key, '/webhooks', { url: sandbox.receiverUrl('shop') });
      const { id, secret } = JSON.parse(made.text) as {
        readonly id: string;
        readonly secret: string;
      };
      sandbox.receivers.named('shop').apply({ secrets: [secret], answer: {} });

      const asked = Array.from({ length: requestsCount }, async (_, n) => {
        await wait(n * 5);
        const replica = replicas[n % 2] ?? one;
        if (n % 40 === 7) return sendRequest(replica, key, `/webhooks/${id}/rotate-secret`, {});
        if (n % 20 === 3) return sendRequest(replica, key, `/webhooks/${id}/test`, {});
        return sendRequest(replica, key, paths[n % paths.length] ?? '/rates');
      });
      const publishing = publish(one, sandbox, fxMoment('2025-08-01'));
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      await publishing;
      const { received } = sandbox.receivers.named('shop');
      await eventually(
        () => new Set(received.map((each) => each.id)).size === requestsCount / 20 + 1,
      );

      expect(made.status).toBe(201);
      expect(statuses.filter((status) => status >= 400)).toEqual([]);
      expect(trouble).toEqual([]);
    });
  },
);
