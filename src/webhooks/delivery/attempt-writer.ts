import { randomBytes } from 'node:crypto';
import { sql, type UpdateObject } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Attempt, ClaimedDelivery } from './delivery.ts';
import { updateDeliveries } from './store.ts';

/** Consequence of an attempt for its delivery. */
export type Verdict =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'retry'; readonly dueAt: string }
  /** The schedule has no further attempt. */
  | { readonly kind: 'exhausted' }
  /** The receiver answered 410: nothing more is to be sent. */
  | { readonly kind: 'gone' };

export type AttemptResult = {
  readonly delivery: ClaimedDelivery;
  readonly attempt: Attempt;
  readonly verdict: Verdict;
};

type Kind = Verdict['kind'];

/** Attempts that are kept for each delivery: two rounds of the default schedule. */
export const attemptsKeptMax = 20;
/** The most attempts that one statement removes. */
const attemptsRemovedMax = 1_000;

/**
 * Writes the results of many attempts in one transaction; a transaction for each would cost more than sending.
 *
 * The newest {@link attemptsKeptMax} attempts of a delivery are kept. If a claim has ended meanwhile, the attempt is
 * stored, but does not change the delivery. Results of removed subscriptions are dropped.
 */
export async function writeResults(db: Db, results: readonly AttemptResult[]): Promise<void> {
  if (results.length === 0) return;
  await db.transaction().execute(async (tx) => {
    const claims = await lockClaims(tx, results);
    const known = results.filter(({ delivery }) => claims.has(delivery.id));
    if (known.length === 0) return;
    await insertAttempts(tx, known);
    await removeOldAttempts(tx, [...claims.keys()]);
    const held = known.filter(({ delivery }) => claims.get(delivery.id) === delivery.claim);
    await applyVerdicts(tx, held);
    await updateSubscriptionHealth(tx, held);
  });
}

/**
 * Reads the claims of the deliveries that still exist. The subscriptions are locked before their deliveries, and
 * both ordered by id, as every transaction does, so that no two of them deadlock.
 */
async function lockClaims(
  tx: Tx,
  results: readonly AttemptResult[],
): Promise<ReadonlyMap<string, string | null>> {
  const subscriptionIds = new Set(results.map(({ delivery }) => delivery.subscriptionId));
  await tx
    .selectFrom('webhook_subscriptions')
    .select('id')
    .where('id', 'in', [...subscriptionIds])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const ids = results.map(({ delivery }) => delivery.id);
  const rows = await tx
    .selectFrom('webhook_deliveries')
    .select(['id', 'claim'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Map(rows.map(({ id, claim }) => [id, claim]));
}

async function insertAttempts(tx: Tx, results: readonly AttemptResult[]): Promise<void> {
  const rows = results.map(({ delivery, attempt }) => ({
    id: `att_${randomBytes(12).toString('hex')}`,
    delivery_id: delivery.id,
    at: attempt.at,
    status_code: attempt.statusCode ?? null,
    duration_ms: attempt.durationMs,
    error: attempt.error ?? null,
  }));
  await tx.insertInto('webhook_attempts').values(rows).execute();
}

/**
 * Removes the oldest attempts of deliveries that were replayed often. The first statement reads only an index, and
 * nearly always finds nothing.
 */
async function removeOldAttempts(tx: Tx, deliveryIds: readonly string[]): Promise<void> {
  const crowded = await tx
    .selectFrom('webhook_attempts')
    .select('delivery_id')
    .where('delivery_id', 'in', deliveryIds)
    .groupBy('delivery_id')
    .having((e) => e.fn.countAll(), '>', attemptsKeptMax)
    .execute();
  for (const { delivery_id: id } of crowded) {
    await tx
      .deleteFrom('webhook_attempts')
      .where('id', 'in', (e) =>
        e
          .selectFrom('webhook_attempts')
          .select('id')
          .where('delivery_id', '=', id)
          .orderBy('at', 'desc')
          .orderBy('id', 'desc')
          // SQLite has no offset without a limit.
          .limit(attemptsRemovedMax)
          .offset(attemptsKeptMax),
      )
      .execute();
  }
}

const unclaimed = { claim: null, claimed_until: null } as const;

/** Ends deliveries or makes them due again, as their verdicts say. */
async function applyVerdicts(tx: Tx, results: readonly AttemptResult[]): Promise<void> {
  const ended = { ...unclaimed, due_at: null } as const;
  const of = (...kinds: readonly Kind[]) =>
    withVerdict(results, kinds).map(({ delivery }) => delivery);
  await updateDeliveries(tx, of('succeeded'), { ...ended, status: 'succeeded' });
  await updateDeliveries(tx, of('exhausted', 'gone'), {
    ...ended,
    status: 'failed',
    attempts_made: sql<number>`attempts_made + 1`,
  });
  for (const { delivery, verdict } of results) {
    if (verdict.kind !== 'retry') continue;
    const attempts_made = delivery.attemptsMade + 1;
    await updateDeliveries(tx, [delivery], { ...unclaimed, due_at: verdict.dueAt, attempts_made });
  }
}

/** Updates what decides whether a subscription is disabled, and disables those whose receiver answered 410. */
async function updateSubscriptionHealth(tx: Tx, results: readonly AttemptResult[]): Promise<void> {
  const failed = withVerdict(results, ['retry', 'exhausted', 'gone']);
  await updateSubscriptions(tx, failed, { failing: 1 }, { failing: 0 });
  for (const result of withVerdict(results, ['exhausted'])) {
    await updateSubscriptions(tx, [result], {
      exhausted_events: sql<number>`exhausted_events + 1`,
    });
  }
  const gone = { status: 'disabled', disabled_reason: 'gone' } as const;
  await updateSubscriptions(tx, withVerdict(results, ['gone']), gone, { status: 'enabled' });
  const succeeded = withVerdict(results, ['succeeded']);
  // The batch was gathered within milliseconds, so the newest time is used for all of its subscriptions.
  const newestAt = succeeded.map(({ attempt }) => attempt.at).reduce((a, b) => (a > b ? a : b), '');
  const healthy = { last_success_at: newestAt, exhausted_events: 0, failing: 0 } as const;
  await updateSubscriptions(tx, succeeded, healthy);
}

/** Changes the same columns of the subscriptions of these results, or only of those that match `only`. */
async function updateSubscriptions(
  tx: Tx,
  results: readonly AttemptResult[],
  set: UpdateObject<Tables, 'webhook_subscriptions'>,
  only: { readonly failing?: 0; readonly status?: 'enabled' } = {},
): Promise<void> {
  if (results.length === 0) return;
  const ids = new Set(results.map(({ delivery }) => delivery.subscriptionId));
  await tx
    .updateTable('webhook_subscriptions')
    .set(set)
    .where('id', 'in', [...ids])
    .where((e) => e.and(only))
    .execute();
}

function withVerdict(results: readonly AttemptResult[], kinds: readonly Kind[]): AttemptResult[] {
  return results.filter(({ verdict }) => kinds.includes(verdict.kind));
}
