import { sql, type UpdateObject } from 'kysely';
import { unclaimed } from '../../platform/database/claims.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { sha256 } from '../../platform/values/digest.ts';
import type { Attempt, ClaimedDelivery } from './delivery.ts';
import { updateDeliveries } from './store.ts';

/** The effect of an attempt on its delivery. */
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
 * stored, but does not change the delivery. Results of removed subscriptions are dropped. Results that were written before
 * change nothing.
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
    id: attemptIdOf(delivery),
    delivery_id: delivery.id,
    at: attempt.at,
    status_code: attempt.statusCode ?? null,
    duration_ms: attempt.durationMs,
    error: attempt.error ?? null,
    answer: attempt.answer ?? null,
    location: attempt.location ?? null,
  }));
  await tx
    .insertInto('webhook_attempts')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A delivery has one attempt in a claim: results that are written again have the same id (rule C38). */
function attemptIdOf({ id, claim }: ClaimedDelivery): string {
  return `att_${sha256(`${claim} ${id}`).slice(0, 24)}`;
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
  for (const { of, hasSucceeded, failed, exhausted } of groupByHealth(results)) {
    if (hasSucceeded) {
      // The batch was gathered within milliseconds, so the newest time is used for all subscriptions of the group.
      const last_success_at = of
        .filter(({ verdict }) => verdict.kind === 'succeeded')
        .map(({ attempt }) => attempt.at)
        .reduce((a, b) => (a > b ? a : b));
      const failing = failed ? 1 : 0;
      await updateSubscriptions(tx, of, { last_success_at, exhausted_events: exhausted, failing });
    } else if (exhausted > 0) {
      const exhausted_events = sql<number>`exhausted_events + ${exhausted}`;
      await updateSubscriptions(tx, of, { exhausted_events, failing: 1 });
    } else {
      await updateSubscriptions(tx, of, { failing: 1 }, { failing: 0 });
    }
  }
  const gone = { status: 'disabled', disabled_reason: 'gone' } as const;
  await updateSubscriptions(tx, withVerdict(results, ['gone']), gone, { status: 'enabled' });
}

/** The results of subscriptions that the same update concerns. */
type HealthGroup = {
  readonly of: readonly AttemptResult[];
  readonly hasSucceeded: boolean;
  /** Whether an attempt failed, after the last success if there is one. */
  readonly failed: boolean;
  /** Events that were exhausted, after the last success if there is one. */
  readonly exhausted: number;
};

/**
 * Applies the results of each subscription in the order in which its attempts ended: a success clears only failures
 * before it. Subscriptions with the same outcome form a group, so that a large batch needs few statements.
 */
function groupByHealth(results: readonly AttemptResult[]): readonly HealthGroup[] {
  const inOrder = results.toSorted((a, b) => endOf(a) - endOf(b));
  const groups = new Map<string, HealthGroup>();
  for (const of of Map.groupBy(inOrder, ({ delivery }) => delivery.subscriptionId).values()) {
    const last = of.findLastIndex(({ verdict }) => verdict.kind === 'succeeded');
    const after = of.slice(last + 1);
    const health = {
      hasSucceeded: last >= 0,
      failed: after.length > 0,
      exhausted: withVerdict(after, ['exhausted']).length,
    };
    const key = Object.values(health).join();
    groups.set(key, { ...health, of: [...(groups.get(key)?.of ?? []), ...of] });
  }
  return [...groups.values()];
}

function endOf({ attempt }: AttemptResult): number {
  return Date.parse(attempt.at) + attempt.durationMs;
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
