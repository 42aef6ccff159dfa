import { sha256 } from '../../../src/platform/values/digest.ts';
import { eventually } from '../../support/eventually.ts';
import { changeRate, correctFixing, publishValue } from '../../support/sandbox/scripts.ts';
import type { ServeProcess } from './serve-process.ts';
import { days, type UpgradeWorld } from './upgrade-world.ts';
import { WebhookCaller } from './webhook-caller.ts';

type CreatedKey = { readonly id: string; readonly key: string };
type CreatedSubscription = { readonly id: string; readonly secret: string };

/** An answer as callers and caches keep it. */
export type Answer = {
  readonly status: number;
  readonly etag: string | null;
  readonly cacheControl: string | null;
  /** SHA-256 of the body. */
  readonly digest: string;
};

/** Data of the earlier program, as its callers and operators know it. */
export type EarlierData = {
  /** `partner` has two secrets: its own, which ends in a day, and `rotated`. `left` and `revoked` were revoked. */
  readonly keys: Readonly<Record<(typeof keyNames)[number] | 'rotated', CreatedKey>>;
  /** By the name of their receiver. */
  readonly subscriptions: Readonly<Record<ReceiverName, CreatedSubscription>>;
  /** The answers of the earlier program by path. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** Requests that were charged to `shop`. */
  readonly used: number;
};

const keyNames = ['shop', 'partner', 'left', 'revoked'] as const;

/** `paused` is disabled by its caller, `left` because its key is revoked. */
export const receiverAnswers = {
  up: {},
  down: { status: 503 },
  gone: { status: 410 },
  paused: { status: 503 },
  left: {},
} as const;
type ReceiverName = keyof typeof receiverAnswers;
const receiverNames = Object.keys(receiverAnswers) as ReceiverName[];

/** Paths whose answer never changes. */
const finalPaths = [
  `/rates/${days[0]}`,
  `/rates/${days[1]}`,
  '/rates/2026-11-10',
  `/changes/${days[0]}`,
  `/changes/${days[1]}`,
  `/fx/${days[0]}`,
  `/fx/${days[1]}`,
  '/fx/2026-11-02',
  `/fx/range?from=2026-11-02&to=${days[1]}&currencies=USD,GBP`,
];

/**
 * Works for two days with the earlier program until every table has rows, and kills its server.
 *
 * Rates have changed, exchange rates were corrected, and a publication is held. Deliveries have succeeded or failed,
 * or wait for an attempt or for their subscription.
 */
export async function makeEarlierData(world: UpgradeWorld): Promise<EarlierData> {
  await publishFirstDay(world);
  const keys = await createKeys(world);
  const subscriptions = await subscribeAll(world, keys);
  await world.readEarlier(['keys', 'revoke', keys.left.id]);
  await world.readEarlier(['keys', 'revoke', keys.revoked.id]);

  await publishSecondDay(world);

  const server = await world.serveEarlier();
  await deliverAll(server, keys.shop.key, subscriptions);
  const answers = await readAnswers(server, keys.shop.key);
  world.moveTo(days[2]);
  await world.readEarlier(['jobs', 'run', 'fx']);
  const used = await killWithJournal(world, server, keys.shop.key);
  return { keys, subscriptions, answers, used };
}

/** Works for two days with the earlier program, and reads what it answers: published data and a key, nothing else. */
export async function makePublishedData(world: UpgradeWorld): Promise<EarlierData> {
  await publishFirstDay(world);
  const shop = toKey(await world.readEarlier<CreatedKey>(['keys', 'create', '--name', 'shop']));
  await publishSecondDay(world);
  const server = await world.serveEarlier();
  const answers = await readAnswers(server, shop.key);
  server.process.signal('SIGTERM');
  await server.process.ended();
  const none = {} as EarlierData['subscriptions'];
  return { keys: { shop } as EarlierData['keys'], subscriptions: none, answers, used: 0 };
}

async function publishFirstDay(world: UpgradeWorld): Promise<void> {
  await world.readEarlier(['jobs', 'run', 'rates']);
  await world.readEarlier(['jobs', 'run', 'fx']);
  const backfill = ['backfill', 'rates', '--from', '2026-11-10', '--to', '2026-11-10'];
  await world.readEarlier(backfill);
}

async function publishSecondDay(world: UpgradeWorld): Promise<void> {
  world.moveTo(days[1]);
  scriptUpstreams(world);
  await world.readEarlier(['jobs', 'run', 'rates']);
  await world.readEarlier(['jobs', 'run', 'fx']);
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
  { shop, left }: EarlierData['keys'],
): Promise<EarlierData['subscriptions']> {
  const server = await world.serveEarlier({ DELIVERY: 'off' });
  const created: Partial<Record<ReceiverName, CreatedSubscription>> = {};
  for (const name of receiverNames) {
    const caller = new WebhookCaller(server, name === 'left' ? left.key : shop.key);
    const { id, secret } = await caller.subscribe(world.sandbox, name, receiverAnswers[name]);
    created[name] = { id, secret };
  }
  server.process.signal('SIGTERM');
  await server.process.ended();
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
  await caller.post(`/${up.id}/replay`, { since: days[1] });
  await attempted(up, 3);
  await caller.disable(paused.id);
}

/** Reads what callers see of the final paths. */
export async function readAnswers(
  { apiUrl }: ServeProcess,
  key: string,
): Promise<Readonly<Record<string, Answer>>> {
  const answers: Record<string, Answer> = {};
  for (const path of finalPaths) {
    const response = await fetch(apiUrl + path, { headers: { authorization: `Bearer ${key}` } });
    const { status, headers } = response;
    const etag = headers.get('etag');
    const cacheControl = headers.get('cache-control');
    answers[path] = { status, etag, cacheControl, digest: sha256(await response.text()) };
  }
  return answers;
}

/** Reads the count of requests charged to a key this month; the request itself is not counted in it. */
export async function readUsed({ apiUrl }: ServeProcess, key: string): Promise<number> {
  const response = await fetch(`${apiUrl}/usage`, { headers: { authorization: `Bearer ${key}` } });
  const { quota } = (await response.json()) as { readonly quota: { readonly used: number } };
  return quota.used;
}

/** Kills the server while the use of a key is in its journal only; returns the use. */
async function killWithJournal(
  world: UpgradeWorld,
  server: ServeProcess,
  key: string,
): Promise<number> {
  const db = world.connect();
  const used = await readUsed(server, key);
  await eventually(async () => {
    const rows = await db.selectFrom('key_use_journal').select('id').execute();
    return rows.length > 0;
  });
  server.process.signal('SIGKILL');
  await server.process.ended();
  await db.destroy();
  return used;
}
