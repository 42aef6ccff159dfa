import { setImmediate as turn } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/platform/log/log.ts';
import type { Db } from '../../src/platform/database/database.ts';
import type { Tables } from '../../src/platform/database/tables.ts';
import type { AttemptResult, Verdict } from '../../src/webhooks/delivery/delivery-results.ts';
import type { ClaimedDelivery } from '../../src/webhooks/delivery/delivery.ts';
import { deliveryIdOf } from '../../src/events/outbox.ts';
import { type ClaimRequest, insertTest } from '../../src/webhooks/delivery/store.ts';
import { DeliveryDispatcher } from '../../src/webhooks/delivery/dispatcher.ts';
import { findSubscription } from '../../src/webhooks/subscriptions/store.ts';
import { fakeTimeouts } from './driver-timers.ts';
import { SettableClock } from './settable-clock.ts';
import { openTwice } from './stored-keys.ts';

/** The time of these tests. */
export const noon = '2026-11-20T12:00:00.000Z';
export const longAgo = '2026-01-01T00:00:00.000Z';

/** Stores a working key, unless it is stored already. */
export async function storeKey(db: Db, own: Partial<Tables['api_keys']> = {}): Promise<void> {
  const plain = { rate_limit: 'default', quota: 'default', expires_at: null, revoked_at: null };
  const scopes = 'read checks webhooks';
  const row = { id: 'key_a', name: 'shop', created_at: longAgo, scopes, ...plain, ...own };
  await db
    .insertInto('api_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** Stores a test of a subscription that exists, due immediately; returns its delivery's id. */
export async function storeTest(db: Db, subscriptionId: string, at: string): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const subscription = await findSubscription(tx, subscriptionId);
    if (subscription === undefined) throw new Error(`${subscriptionId} is not stored`);
    return insertTest(tx, subscription, at);
  });
}

/** Stores an enabled subscription of `key_a`, which is stored first if it is missing. */
export async function storeSubscription(
  db: Db,
  own: Partial<Tables['webhook_subscriptions']> & { readonly id: string },
): Promise<void> {
  const row = {
    key_id: 'key_a',
    url: `https://${own.id.slice(4)}.example/`,
    events: '["rates.changed"]',
    description: null,
    status: 'enabled',
    disabled_reason: null,
    created_at: longAgo,
    enabled_at: longAgo,
    last_success_at: null,
    exhausted_events: 0,
    failing: 0,
    ...own,
  } as const;
  const known = await db.selectFrom('api_keys').select('id').where('id', '=', 'key_a').execute();
  if (known.length === 0 && row.key_id === 'key_a') await storeKey(db);
  await db.insertInto('webhook_subscriptions').values(row).execute();
}

/** Stores an event; two of one type have different dates. */
export async function storeEvent(
  db: Db,
  own: Partial<Tables['events']> & { readonly id: string },
): Promise<void> {
  const row = { type: 'rates.changed', snapshot_date: own.id.slice(4), created_at: noon, ...own };
  await db.insertInto('events').values(row).execute();
}

type Pending = Partial<Tables['webhook_deliveries']> & {
  readonly event_id: string;
  readonly subscription_id: string;
};

/** Stores deliveries that are due since noon. */
export async function storeDeliveries(db: Db, ...wanted: readonly Pending[]): Promise<string[]> {
  const rows = wanted.map((own) => ({
    id: deliveryIdOf(own.event_id, own.subscription_id),
    status: 'pending' as const,
    created_at: noon,
    due_at: noon,
    attempts_made: 0,
    claim: null,
    claimed_until: null,
    replayed_at: null,
    ...own,
  }));
  await db.insertInto('webhook_deliveries').values(rows).execute();
  return rows.map(({ id }) => id);
}

/** Deliveries to one subscription, numbered from 1; their events are not stored. */
export function pendingTo(subscription: string, count: number): Pending[] {
  return Array.from({ length: count }, (_, n) => ({
    event_id: `evt_${n + 1}_`,
    subscription_id: subscription,
  }));
}

/** An ordinary claim of the deliveries that are due at noon. */
export function claimsOf(own: Partial<ClaimRequest> = {}): ClaimRequest {
  const until = '2026-11-20T12:00:30.000Z';
  const room = { busy: [], busyKeys: [], roomOf: () => 4, roomOfKey: () => 512 };
  return { at: noon, until, ...room, failing: false, max: 512, ...own };
}

/** A stored delivery. */
export async function storedDelivery(db: Db, id: string) {
  const all = db.selectFrom('webhook_deliveries').selectAll();
  return all.where('id', '=', id).executeTakeFirstOrThrow();
}

/** A stored subscription. */
export async function storedSubscription(db: Db, id: string) {
  const all = db.selectFrom('webhook_subscriptions').selectAll();
  return all.where('id', '=', id).executeTakeFirstOrThrow();
}

/** A log that keeps its lines as objects. */
export function keepLog() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line));
  return { lines, log: createLog('debug', { write }) };
}

/** An attempt that ended with an answer. */
export function resultOf(
  delivery: ClaimedDelivery,
  verdict: Verdict = { kind: 'succeeded' },
  own: Partial<AttemptResult['attempt']> = {},
): AttemptResult {
  const statusCode = verdict.kind === 'succeeded' ? 204 : 500;
  return {
    delivery,
    verdict,
    attempt: { at: noon, statusCode, durationMs: 7, error: undefined, ...own },
  };
}

/**
 * A dispatcher, not started, whose attempts the test ends. Time passes for its polling when the test
 * advances it.
 */
export async function openDispatcher(connections?: readonly [Db, Db]) {
  fakeTimeouts();
  const [db, otherDb] = connections ?? (await openTwice());
  await storeKey(db);
  const clock = new SettableClock(noon);
  const { lines, log } = keepLog();
  /** Events in their order: `caught up`, and the ids of deliveries. */
  const begun: string[] = [];
  const underWay = new Map<string, (verdict?: Verdict) => void>();
  /** Called before attempts begin. */
  const hooks = { beforeAttempts: async (): Promise<void> => {} };
  const counter = new WritingCounter();
  const dispatcher = new DeliveryDispatcher({
    db: db.withPlugin(counter),
    clock,
    log,
    catchUp: async () => void begun.push('caught up'),
    attempt: async (deliveries) => {
      await hooks.beforeAttempts();
      return deliveries.map(async (delivery) => {
        begun.push(delivery.id);
        return new Promise<AttemptResult>((resolve) => {
          underWay.set(delivery.id, (verdict) => {
            underWay.delete(delivery.id);
            resolve(resultOf(delivery, verdict));
          });
        });
      });
    },
  });
  const endAll = (): void => {
    for (const end of underWay.values()) end();
  };
  onTestFinished(async () => {
    const stopped = dispatcher.stop();
    endAll();
    await stopped;
  });
  /** Waits until the dispatcher has begun all possible attempts. */
  const untilIdle = async (): Promise<void> => {
    await turn();
    await until(() => vi.getTimerCount() > 0);
  };
  return {
    dispatcher,
    db,
    otherDb,
    clock,
    lines,
    begun,
    hooks,
    underWay,
    counter,
    endAll,
    untilIdle,
    start: async (): Promise<void> => {
      dispatcher.start();
      await untilIdle();
    },
    wake: async (): Promise<void> => {
      dispatcher.wake();
      await untilIdle();
    },
    /** Lets time pass for the polling, not on the clock. */
    pass: async (ms: number): Promise<void> => {
      vi.advanceTimersByTime(ms);
      await untilIdle();
    },
  };
}

/** Waits for a condition while timers may be faked. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 10_000;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`not in time: ${String(condition)}`);
    await turn();
  }
}

/** Counts how often results were to be written, and how often due deliveries were locked to be claimed. */
class WritingCounter implements KyselyPlugin {
  writings = 0;
  claims = 0;

  transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => {
    const isWriting =
      node.kind === 'InsertQueryNode' && JSON.stringify(node.into).includes('_attempts');
    if (isWriting) this.writings += 1;
    const isClaim =
      node.kind === 'SelectQueryNode' && JSON.stringify(node.endModifiers ?? '').includes('Skip');
    if (isClaim) this.claims += 1;
    return node;
  };

  transformResult: KyselyPlugin['transformResult'] = async ({ result }) => result;
}
