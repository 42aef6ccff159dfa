import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import { writeUse, noteLastUses, pruneUse } from '../../src/access/usage/store.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { formatInstant, isoDate } from '../../src/platform/time/time.ts';
import { writeResults } from '../../src/webhooks/delivery/delivery-results.ts';
import { claimDue } from '../../src/webhooks/delivery/store.ts';
import { replayDelivery, requestTest } from '../../src/webhooks/delivery/replays.ts';
import { announce } from '../../src/events/outbox.ts';
import { rotateSecret } from '../../src/webhooks/subscriptions/secret-store.ts';
import {
  insertSubscription,
  removeSubscription,
  updateSubscription,
} from '../../src/webhooks/subscriptions/store.ts';
import {
  disableFailing,
  pruneDeliveries,
  suspendDeliveries,
} from '../../src/webhooks/delivery/maintenance.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../support/temporary-database.ts';
import { churn, type Deed, pick, randomBelow } from './support/pg-churn.ts';

/** Time for which all kinds of work run at the same time. */
const churnMs = 4_000;
const processesCount = 4;
const keysCount = 3;
const deliveriesEnough = 300;
const at = '2026-11-20T08:00:00.000Z';
/** Long enough ago for deliveries that ended then to be deleted, and for receivers that failed since to be disabled. */
const longAgo = '2026-01-02T08:00:00.000Z';

async function openProcesses(): Promise<[Db, ...Db[]]> {
  const url = temporaryDatabaseUrl();
  const first = await openTemporaryDatabase(url);
  const more = Array.from({ length: processesCount - 1 }, async () => openTemporaryDatabase(url));
  return [first, ...(await Promise.all(more))];
}

async function createKeys(db: Db): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < keysCount; n += 1)
    ids.push((await createKey(db, { name: `key ${n}`, at })).id);
  return ids;
}

const subscribe = async (db: Db, keyId: string) =>
  insertSubscription(db, {
    keyId,
    url: new URL('https://shop.example/hook'),
    events: ['rates.changed'],
    description: null,
    at: pick([at, longAgo]),
    seal: () => 'sealed',
  });

async function idsOf(db: Db, table: 'webhook_subscriptions' | 'webhook_deliveries') {
  const rows = await db.selectFrom(table).select('id').execute();
  return rows.map(({ id }) => id);
}

/** Claims due deliveries like a dispatcher, and ends them in one of all ways. */
async function deliver(db: Db): Promise<void> {
  const claimed = await claimDue(db, {
    at,
    until: formatInstant(Date.parse(at) + 30_000),
    busy: [],
    busyKeys: [],
    roomOf: () => 4,
    roomOfKey: () => 32,
    failing: pick([true, false]),
    max: 20,
  });
  const verdicts = [
    { kind: 'succeeded' },
    { kind: 'retry', dueAt: at },
    { kind: 'exhausted' },
    { kind: 'gone' },
  ] as const;
  const order = claimed.map((delivery) => ({ delivery, by: Math.random() }));
  await writeResults(
    db,
    order
      .sort((a, b) => a.by - b.by)
      .map(({ delivery }) => ({
        delivery,
        attempt: { at: pick([at, longAgo]), statusCode: 500, durationMs: 1, error: undefined },
        verdict: pick([...verdicts, verdicts[0], verdicts[1]]),
      })),
  );
}

let eventsCount = 0;

/** An event of a random day for all subscriptions, unless enough are waiting: with too much work, processes rarely collide. */
async function tell(db: Db): Promise<void> {
  const { count } = await db
    .selectFrom('webhook_deliveries')
    .select((e) => e.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) > deliveriesEnough) return;
  eventsCount += 1;
  const snapshotDate = `day ${eventsCount}`;
  await db
    .transaction()
    .execute(async (tx) =>
      announce(tx, { type: 'rates.changed', snapshotDate, at: pick([at, longAgo]) }),
    );
}

async function withSubscription(db: Db, work: (id: string) => Promise<unknown>): Promise<void> {
  const ids = await idsOf(db, 'webhook_subscriptions');
  if (ids.length > 0) await work(pick(ids));
}

function webhookDeeds(db: Db, keys: readonly string[]): Deed[] {
  const nowMs = Date.parse(at);
  return [
    { name: 'subscribe', work: async () => subscribe(db, pick(keys)) },
    { name: 'announce', work: async () => tell(db) },
    {
      name: 'test',
      work: async () =>
        withSubscription(db, async (id) => requestTest(db, { id, keyId: pick(keys) }, longAgo)),
    },
    { name: 'deliver', work: async () => deliver(db) },
    { name: 'deliver too', work: async () => deliver(db) },
    {
      name: 'remove',
      work: async () =>
        withSubscription(db, async (id) => removeSubscription(db, id, { at: longAgo })),
    },
    {
      name: 'rotate',
      work: async () =>
        withSubscription(db, async (id) =>
          rotateSecret(db, id, {
            by: { at },
            seal: () => 'sealed',
            overlapEndsAt: pick([at, longAgo]),
          }),
        ),
    },
    {
      name: 'replay',
      work: async () =>
        withSubscription(db, async (subscriptionId) => {
          const deliveries = db.selectFrom('webhook_deliveries').select('id');
          const rows = await deliveries.where('subscription_id', '=', subscriptionId).execute();
          if (rows.length === 0) return;
          const replay = { subscription: { id: subscriptionId }, id: pick(rows).id };
          await replayDelivery(db, replay, pick([at, longAgo]));
        }),
    },
    {
      name: 'enable',
      work: async () =>
        withSubscription(db, async (id) =>
          updateSubscription(db, id, { status: 'enabled' }, { at: longAgo }),
        ),
    },
    { name: 'disable', work: async () => disableFailing(db, nowMs) },
    { name: 'set aside', work: async () => suspendDeliveries(db) },
    { name: 'prune', work: async () => pruneDeliveries(db, nowMs) },
  ];
}

describe.skipIf(!isPostgresql)('all kinds of work from four processes (contract C29)', () => {
  it('never deadlocks, and leaves no rows of a deleted subscription', async () => {
    const processes = await openProcesses();
    const [db] = processes;
    const keys = await createKeys(db);
    for (const key of keys) for (let n = 0; n < 10; n += 1) await subscribe(db, key);
    for (let n = 0; n < 20; n += 1) await tell(db);

    const { done, wrong } = await churn(
      processes.flatMap((one) => webhookDeeds(one, keys)),
      churnMs,
    );

    console.log(`churn of webhooks: ${JSON.stringify(done)}`);
    expect(wrong).toEqual({});
    const subscriptions = new Set(await idsOf(db, 'webhook_subscriptions'));
    const deliveries = new Set(await idsOf(db, 'webhook_deliveries'));
    const owners = await db.selectFrom('webhook_deliveries').select('subscription_id').execute();
    const secrets = await db.selectFrom('webhook_secrets').select('subscription_id').execute();
    const attempts = await db.selectFrom('webhook_attempts').select('delivery_id').execute();
    const known = (row: { readonly subscription_id: string }): boolean =>
      subscriptions.has(row.subscription_id);
    expect(owners.filter((row) => !known(row))).toEqual([]);
    expect(secrets.filter((row) => !known(row))).toEqual([]);
    expect(attempts.filter((row) => !deliveries.has(row.delivery_id))).toEqual([]);
    const perKey = await db
      .selectFrom('webhook_subscriptions')
      .select((e) => ['key_id', e.fn.countAll().as('count')])
      .groupBy('key_id')
      .execute();
    expect(perKey.filter(({ count }) => Number(count) > 10)).toEqual([]);
  }, 60_000);

  it('gives a key ten subscriptions if thirty are requested at the same time', async () => {
    const processes = await openProcesses();
    const [db] = processes;
    const [key = ''] = await createKeys(db);

    const made = await Promise.all(
      Array.from({ length: 30 }, async (_, n) =>
        subscribe(processes[n % processesCount] ?? db, key),
      ),
    );

    expect(made.filter((one) => one !== undefined)).toHaveLength(10);
    expect(await idsOf(db, 'webhook_subscriptions')).toHaveLength(10);
  });
});

describe.skipIf(!isPostgresql)('use of keys, written by four processes (contract C26)', () => {
  it('adds up exactly, without a deadlock', async () => {
    const processes = await openProcesses();
    const [db] = processes;
    const keys = await createKeys(db);
    const hashes = (await db.selectFrom('key_secrets').select('secret_hash').execute()).map(
      (row) => row.secret_hash,
    );
    const days = ['2026-11-18', '2026-11-19', '2026-11-20'].map(isoDate);
    let charged = 0;
    const charge = async (one: Db): Promise<void> => {
      const requests = 1 + randomBelow(5);
      const uses = keys.flatMap((keyId) => days.map((useDate) => ({ keyId, useDate, requests })));
      await writeUse(
        one,
        uses.sort(() => Math.random() - 0.5),
      );
      charged += requests * uses.length;
    };
    const deedsOf = (one: Db): Deed[] => [
      { name: 'charge', work: async () => charge(one) },
      {
        name: 'note',
        work: async () => {
          const instant = formatInstant(Date.parse(at) + randomBelow(1_000_000));
          await noteLastUses(
            one,
            [...hashes].sort(() => Math.random() - 0.5),
            instant,
          );
        },
      },
      { name: 'prune', work: async () => pruneUse(one, isoDate('2026-11-20')) },
    ];

    const { done, wrong } = await churn(processes.flatMap(deedsOf), churnMs);

    console.log(`churn of use: ${JSON.stringify(done)}`);
    expect(wrong).toEqual({});
    const { sum } = await db
      .selectFrom('key_use')
      .select((e) => e.fn.sum('requests').as('sum'))
      .executeTakeFirstOrThrow();
    expect(Number(sum)).toBe(charged);
  }, 60_000);
});
