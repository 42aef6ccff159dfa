import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../src/access/authentication/key-changes.ts';
import type { Db } from '../src/platform/database/database.ts';
import { bumpRevision } from '../src/platform/database/replicas/revisions.ts';
import { announce } from '../src/events/outbox.ts';
import { seal } from '../src/platform/encryption/secret-box.ts';
import { createSigningSecret } from '../src/webhooks/signature.ts';
import { subscriptionsMax } from '../src/webhooks/subscriptions/subscription.ts';
import { openUntilScopeEnds } from './database-contents.ts';
import { goals } from './goals.ts';
import { serverCore } from './load.ts';
import { type Result, startProgram, startServe, temporaryFolder } from './measure.ts';

const sizes = [100, 1_000, 10_000];
/** Rows of an event: a body of about 2 KB. */
const rowsPerEvent = 14;

/**
 * P10: the time until one event is delivered to all subscriptions.
 *
 * `serve` runs on one core, and receivers that answer 204 on the other. An event is written as the daily job writes
 * it. The time counts from its commit to the last arrival, and to the last stored result.
 */
export async function measureFanOut(rounds: number): Promise<Result[]> {
  const results: Result[] = [];
  for (const size of sizes) {
    const found = await measureSize(size, rounds);
    const isLargest = size === Math.max(...sizes);
    results.push(
      {
        name: `P10 ${size} subscriptions, rate`,
        rounds: found.map(({ storedMs }) => size / (storedMs / 1_000)),
        unit: 'deliveries/s',
        goal: isLargest ? goals.P10.rate : '—',
      },
      {
        name: `P10 ${size} subscriptions, last arrival`,
        rounds: found.map(({ lastMs }) => lastMs),
        unit: 'ms after commit',
        goal: isLargest ? goals.P10.lastArrival : '—',
      },
    );
  }
  return results;
}

async function measureSize(
  size: number,
  rounds: number,
): Promise<{ readonly lastMs: number; readonly storedMs: number }[]> {
  using folder = temporaryFolder();
  await using receivers = await startProgram(['bench/receivers.ts', '1'], {}, /at (http:\S+)/);
  const receiverUrl = receivers.match[1] ?? '';
  const secretKey = randomBytes(32);
  const environment = {
    DATABASE_URL: `file:${join(folder.path, 'vatfx.db')}`,
    JOBS: 'off',
    LOG_LEVEL: 'info',
    SECRET_KEY: secretKey.toString('hex'),
    WEBHOOK_ALLOW_HTTP: 'on',
    WEBHOOK_ALLOW_PORTS: new URL(receiverUrl).port,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
  };
  await using database = await openUntilScopeEnds(environment.DATABASE_URL);
  const { db } = database;
  await insertSubscriptions(db, { size, receiverUrl, secretKey });
  const logFile = join(folder.path, 'access.log');
  await using _serve = await startServe(environment, { core: serverCore, logFile });

  const measured: { lastMs: number; storedMs: number }[] = [];
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const committedAtMs = await publishEvent(db, round);
    while ((await countPending(db)) > 0) await sleep(5);
    const storedMs = Date.now() - committedAtMs;
    const received = (await (await fetch(receiverUrl)).json()) as {
      count: number;
      lastAtMs: number;
    };
    if (received.count !== size * (round + 1)) throw new Error(`${received.count} deliveries came`);
    measured.push({ lastMs: received.lastAtMs - committedAtMs, storedMs });
  }
  return measured.slice(1);
}

/**
 * Writes subscriptions directly into the tables. Each key has ten, the largest number that the API allows, because one
 * key gets only a part of the concurrent attempts.
 */
async function insertSubscriptions(
  db: Db,
  wanted: { readonly size: number; readonly receiverUrl: string; readonly secretKey: Buffer },
): Promise<void> {
  const at = new Date().toISOString();
  const keyIds: string[] = [];
  for (let n = 0; n < wanted.size / subscriptionsMax; n += 1) {
    keyIds.push((await createKey(db, { name: `bench ${n}`, at })).id);
  }
  await db.transaction().execute(async (tx) => {
    for (let index = 0; index < wanted.size; index += 1) {
      const id = `sub_${index.toString(16).padStart(16, '0')}`;
      await tx
        .insertInto('webhook_subscriptions')
        .values({
          id,
          key_id: keyIds[Math.floor(index / subscriptionsMax)] ?? '',
          url: `${wanted.receiverUrl}/${index}`,
          events: '["rates.changed"]',
          description: null,
          status: 'enabled',
          disabled_reason: null,
          created_at: at,
          enabled_at: at,
          last_success_at: null,
          exhausted_events: 0,
          failing: 0,
        })
        .execute();
      const sealed = seal(wanted.secretKey, createSigningSecret(randomBytes(32)), id);
      await tx
        .insertInto('webhook_secrets')
        .values({ id: `whs_${index}`, subscription_id: id, sealed, created_at: at, ends_at: null })
        .execute();
    }
  });
}

/** Writes an event with its rows as the daily job does; returns the moment of the commit. */
async function publishEvent(db: Db, round: number): Promise<number> {
  const at = new Date().toISOString();
  const snapshotDate = `2026-01-${String(round + 1).padStart(2, '0')}`;
  await db.transaction().execute(async (tx) => {
    for (let row = 0; row < rowsPerEvent; row += 1) {
      await tx
        .insertInto('rate_changes')
        .values({
          id: `rc_${snapshotDate}_${row}_bench`,
          snapshot_date: snapshotDate,
          country: 'HU',
          field: `reduced[${row}]`,
          old: '5',
          new: '18',
          detected_at: at,
        })
        .execute();
    }
    await announce(tx, { type: 'rates.changed', snapshotDate, at });
    await bumpRevision(tx, 'rates');
  });
  return Date.now();
}

async function countPending(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_deliveries')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return count;
}
