import { eventually } from '../../support/eventually.ts';
import { changeRate, correctFixing, publishValue } from '../../support/sandbox/scripts.ts';
import { type Answer, readAnswers, readBodies, readUsed } from './earlier-answers.ts';
import {
  createCheck,
  listChecks,
  makeChecks,
  nameWatched,
  orderedCheck,
} from './earlier-checks.ts';
import { addErrata, blockCalls, withdrawFxOf } from './earlier-incidents.ts';
import { get, type ServeProcess } from './serve-process.ts';
import { days, type UpgradeWorld } from './upgrade-world.ts';
import { WebhookCaller } from './webhook-caller.ts';

type CreatedKey = { readonly id: string; readonly key: string };
type CreatedSubscription = { readonly id: string; readonly secret: string };

/** Data of the earlier program, as its callers and operators know it. */
export type EarlierData = {
  /** `partner` has two secrets: its own, which ends in a day, and `rotated`. `left` and `revoked` were revoked. */
  readonly keys: Readonly<Record<(typeof keyNames)[number] | 'rotated', CreatedKey>>;
  /** By the name of their receiver. */
  readonly subscriptions: Readonly<Record<ReceiverName, CreatedSubscription>>;
  /** The answers of the earlier program by path, which never change. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** The JSON bodies of paths to whose answers a later program may add fields. */
  readonly bodies: Readonly<Record<string, unknown>>;
  /** Requests that were charged to `shop`. */
  readonly used: number;
};

const keyNames = ['shop', 'partner', 'left', 'revoked'] as const;

/** `paused` is disabled by its caller, `left` because its key is revoked; `checks` names its events. */
export const receiverAnswers = {
  up: {},
  down: { status: 503 },
  gone: { status: 410 },
  paused: { status: 503 },
  left: {},
  checks: {},
} as const;
type ReceiverName = keyof typeof receiverAnswers;
const receiverNames = Object.keys(receiverAnswers) as ReceiverName[];
const eventsOfChecks = ['categories.changed', 'vat.checked', 'vat.changed'];

/** Paths of published data whose answer never changes. */
const finalPaths = [
  `/rates/${days[0]}`,
  `/rates/${days[1]}`,
  `/rates/${days[1]}.csv`,
  '/rates/2026-11-10',
  `/changes/${days[0]}`,
  `/changes/${days[1]}`,
  `/fx/${days[0]}`,
  `/fx/${days[0]}.csv`,
  `/fx/${days[1]}`,
  '/fx/2026-11-02',
  `/fx/range?from=2026-11-02&to=${days[1]}&currencies=USD,GBP`,
  `/fx/nbp/${days[0]}`,
  `/fx/cnb/${days[1]}.csv`,
  '/evidence/keys',
];

/**
 * Works for two days with the earlier program until every table has rows, and kills its server.
 *
 * Rates have changed, exchange rates were corrected or taken back, a publication is held, and of two errata TEDB has
 * corrected one. Deliveries have succeeded or failed, or wait for an attempt or for their subscription. Checks have each
 * status, a watched number has changed, and VIES has blocked the service for a time.
 */
export async function makeEarlierData(world: UpgradeWorld): Promise<EarlierData> {
  await publishFirstDay(world);
  await withdrawFxOf(world, days[1], days[0]);
  await addErrata(world, days[0]);
  const keys = await createKeys(world);
  const { key } = keys.shop;
  const first = await world.serveEarlier({ JOBS: 'on', DELIVERY: 'off' });
  const subscriptions = await subscribeAll(world, first, keys);
  await makeChecks(world, first, key);
  await blockCalls(world, first, key);
  first.process.signal('SIGTERM');
  await first.process.ended();
  await world.readEarlier(['keys', 'revoke', keys.left.id]);
  await world.readEarlier(['keys', 'revoke', keys.revoked.id]);
  await world.readEarlier(['evidence', 'rotate']);

  await publishSecondDay(world);

  nameWatched(world, 'IMAGINARIA E FILHOS LDA');
  const server = await world.serveEarlier({ JOBS: 'on' });
  await deliverAll(server, key, subscriptions);
  await createCheck(server, key, { body: orderedCheck, idempotencyKey: 'order-1001' });
  await eventually(async () => (await readEvents(server, key, 'type=vat.changed')).length > 0);
  await untilQuiet(world);
  const answers = await readAnswers(server, key, [
    ...finalPaths,
    ...(await listChecks(server, key, 'status=answered')).map(
      ({ id }) => `/vatchecks/${id}/evidence`,
    ),
  ]);
  const bodies = await readBodies(server, key, await listPaths(server, key, subscriptions));
  const used = await killWithUse(world, server, keys.shop);
  world.moveTo(days[2]);
  await world.readEarlier(['jobs', 'run', 'fx']);
  return { keys, subscriptions, answers, bodies, used };
}

async function publishFirstDay(world: UpgradeWorld): Promise<void> {
  await runJobs(world);
  const backfill = ['backfill', 'rates', '--from', '2026-11-10', '--to', '2026-11-10'];
  await world.readEarlier(backfill);
}

async function runJobs(world: UpgradeWorld): Promise<void> {
  for (const job of ['rates', 'fx', 'nbp', 'cnb']) await world.readEarlier(['jobs', 'run', job]);
}

async function publishSecondDay(world: UpgradeWorld): Promise<void> {
  world.moveTo(days[1]);
  scriptUpstreams(world);
  await runJobs(world);
  await world.readEarlier(['fx', 'correct', days[0]]);
}

/** Scripts what the upstreams say from the second day on; the third day's publication of the ECB is implausible. */
export function scriptUpstreams({ sandbox: { scenario } }: UpgradeWorld): void {
  changeRate(scenario, 'HU', 'standard', ['25'], days[1]);
  correctFixing(scenario, days[0], 'NOK', '11.5829');
  correctFixing(scenario, '2026-11-16', 'SEK', '11.1234');
  publishValue(scenario, days[2], 'USD', '999');
}

async function createKeys(world: UpgradeWorld): Promise<EarlierData['keys']> {
  const create = async (name: string): Promise<CreatedKey> =>
    toKey(await world.readEarlier(['keys', 'create', '--name', name, '--quota', '5000']));
  const shop = await create('shop');
  const partner = await create('partner');
  const left = await create('left');
  const revoked = await create('revoked');
  const rotated = toKey(await world.readEarlier(['keys', 'rotate', partner.id]));
  return { shop, partner, left, revoked, rotated };
}

/** Leaves out what tests do not need. */
function toKey({ id, key }: CreatedKey): CreatedKey {
  return { id, key };
}

async function subscribeAll(
  world: UpgradeWorld,
  server: ServeProcess,
  { shop, left }: EarlierData['keys'],
): Promise<EarlierData['subscriptions']> {
  const created: Partial<Record<ReceiverName, CreatedSubscription>> = {};
  for (const name of receiverNames) {
    const caller = new WebhookCaller(server, name === 'left' ? left.key : shop.key);
    const events = name === 'checks' ? eventsOfChecks : undefined;
    const answer = receiverAnswers[name];
    const { id, secret } = await caller.subscribe(world.sandbox, name, answer, events);
    created[name] = { id, secret };
  }
  return created as EarlierData['subscriptions'];
}

/** Waits for the first attempts of the event, sends a test, replays a delivery, and disables a subscription. */
async function deliverAll(
  server: ServeProcess,
  key: string,
  { up, paused, ...others }: EarlierData['subscriptions'],
): Promise<void> {
  const caller = new WebhookCaller(server, key);
  const attempted = async ({ id }: CreatedSubscription, count: number): Promise<void> =>
    eventually(async () => {
      const deliveries = await caller.listDeliveries(id);
      return deliveries.flatMap(({ attempts }) => attempts).length >= count;
    });
  for (const one of [up, others.down, others.gone, paused]) await attempted(one, 1);
  await caller.post(`/${up.id}/test`, {});
  await attempted(up, 2);
  const [delivered] = (await caller.listDeliveries(up.id)).toReversed();
  await caller.post(`/${up.id}/deliveries/${delivered?.id}/replay`, {});
  await attempted(up, 3);
  await caller.disable(paused.id);
}

/** Paths of the key's own data, and of lists to which later days add. */
async function listPaths(
  server: ServeProcess,
  key: string,
  { left: _ofAnotherKey, ...own }: EarlierData['subscriptions'],
): Promise<readonly string[]> {
  const checks = await listChecks(server, key);
  const batches = new Set(checks.flatMap(({ batchId }) => batchId ?? []));
  return [
    '/vatchecks?limit=100',
    ...checks.map(({ id }) => `/vatchecks/${id}`),
    ...[...batches].map((id) => `/vatchecks/batch/${id}`),
    '/vatwatches',
    '/webhooks',
    ...Object.values(own).map(({ id }) => `/webhooks/${id}/deliveries?limit=100`),
    '/events?limit=2',
    '/events?limit=100',
    '/changes',
    '/rates/errata?country=LU',
    '/rates/dates',
    '/fx/dates',
    `/rates/${days[1]}/categories/changes`,
  ];
}

type LoggedEvent = {
  readonly id: string;
  readonly cursor: string;
  readonly type: string;
  readonly snapshotDate?: string;
  readonly check?: { readonly id: string };
};

/** The oldest events that a key can read. */
export async function readEvents(
  { apiUrl }: ServeProcess,
  key: string,
  query = '',
): Promise<readonly LoggedEvent[]> {
  const { events } = JSON.parse((await get(`${apiUrl}/events?limit=100&${query}`, key)).text) as {
    readonly events: readonly LoggedEvent[];
  };
  return events;
}

/** Waits until no delivery and no check is to be attempted before the next hour, and checks have expired that are over. */
async function untilQuiet(world: UpgradeWorld): Promise<void> {
  const db = world.connect();
  const now = new Date(world.clock.now()).toISOString();
  const soon = new Date(world.clock.now() + 60_000).toISOString();
  await eventually(async () => {
    const deliveries = db.selectFrom('webhook_deliveries').where('due_at', '<', soon).select('id');
    const checks = db
      .selectFrom('vat_checks')
      .where((e) => e.or([e('due_at', '<', soon), e('expires_at', '<', now)]))
      .where('status', '=', 'pending')
      .select('id');
    return (await deliveries.execute()).length + (await checks.execute()).length === 0;
  }, 120_000);
  await db.destroy();
}

/** Kills the server, so that its row in `replicas` stays, when the use of a key is stored; returns the use. */
async function killWithUse(
  world: UpgradeWorld,
  server: ServeProcess,
  { id, key }: CreatedKey,
): Promise<number> {
  const db = world.connect();
  const used = await readUsed(server, key);
  await eventually(async () => {
    const rows = await db
      .selectFrom('key_use')
      .select('requests')
      .where('key_id', '=', id)
      .execute();
    return rows.reduce((sum, { requests }) => sum + requests, 0) === used;
  });
  server.process.signal('SIGKILL');
  await server.process.ended();
  await db.destroy();
  return used;
}
