import { randomBytes } from 'node:crypto';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Attempt, ClaimedDelivery } from './delivery.ts';

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
/** Attempts that one statement removes. */
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
    await lockSubscriptions(tx, results);
    const claims = await findClaims(tx, results);
    const known = results.filter(({ delivery }) => claims.has(delivery.id));
    await insertAttempts(tx, known);
    await removeOldAttempts(tx, known);
    const held = known.filter(({ delivery }) => claims.get(delivery.id) === delivery.claim);
    await endDeliveries(tx, held);
    await noteSubscriptions(tx, held);
  });
}

/** Locks the subscriptions before their deliveries and ordered by id, as every transaction does: no deadlocks. */
async function lockSubscriptions(tx: Tx, results: readonly AttemptResult[]): Promise<void> {
  const ids = results.map(({ delivery }) => delivery.subscriptionId);
  await tx
    .selectFrom('webhook_subscriptions')
    .select('id')
    .where('id', 'in', [...new Set(ids)])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

async function findClaims(
  tx: Tx,
  results: readonly AttemptResult[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await tx
    .selectFrom('webhook_deliveries')
    .select(['id', 'claim'])
    .where(
      'id',
      'in',
      results.map(({ delivery }) => delivery.id),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Map(rows.map(({ id, claim }) => [id, claim]));
}

async function insertAttempts(tx: Tx, results: readonly AttemptResult[]): Promise<void> {
  if (results.length === 0) return;
  await tx
    .insertInto('webhook_attempts')
    .values(
      results.map(({ delivery, attempt }) => ({
        id: `att_${randomBytes(12).toString('hex')}`,
        delivery_id: delivery.id,
        at: attempt.at,
        status_code: attempt.statusCode,
        duration_ms: attempt.durationMs,
        error: attempt.error,
      })),
    )
    .execute();
}

/**
 * Removes the oldest attempts of deliveries that were replayed often. The first statement reads only an index, and
 * nearly always finds nothing.
 */
async function removeOldAttempts(tx: Tx, results: readonly AttemptResult[]): Promise<void> {
  if (results.length === 0) return;
  const crowded = await tx
    .selectFrom('webhook_attempts')
    .select('delivery_id')
    .where('delivery_id', 'in', [...new Set(results.map(({ delivery }) => delivery.id))])
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

async function endDeliveries(tx: Tx, results: readonly AttemptResult[]): Promise<void> {
  const succeeded = idsOf(results, ['succeeded']);
  if (succeeded.length > 0) {
    await tx
      .updateTable('webhook_deliveries')
      .set({ ...unclaimed, status: 'succeeded', due_at: null })
      .where('id', 'in', succeeded)
      .execute();
  }
  const failed = idsOf(results, ['exhausted', 'gone']);
  if (failed.length > 0) {
    await tx
      .updateTable('webhook_deliveries')
      .set((e) => ({
        ...unclaimed,
        status: 'failed' as const,
        due_at: null,
        attempts_made: e('attempts_made', '+', 1),
      }))
      .where('id', 'in', failed)
      .execute();
  }
  for (const { delivery, verdict } of results) {
    if (verdict.kind !== 'retry') continue;
    await tx
      .updateTable('webhook_deliveries')
      .set({ ...unclaimed, due_at: verdict.dueAt, attempts_made: delivery.attemptsMade + 1 })
      .where('id', '=', delivery.id)
      .execute();
  }
}

async function noteSubscriptions(tx: Tx, results: readonly AttemptResult[]): Promise<void> {
  const failing = subscriptionsOf(results, ['retry', 'exhausted', 'gone']);
  if (failing.length > 0) {
    await tx
      .updateTable('webhook_subscriptions')
      .set({ failing: 1 })
      .where('id', 'in', failing)
      .where('failing', '=', 0)
      .execute();
  }
  for (const { delivery, verdict } of results) {
    if (verdict.kind !== 'exhausted') continue;
    await tx
      .updateTable('webhook_subscriptions')
      .set((e) => ({ exhausted_events: e('exhausted_events', '+', 1) }))
      .where('id', '=', delivery.subscriptionId)
      .execute();
  }
  const gone = subscriptionsOf(results, ['gone']);
  if (gone.length > 0) {
    await tx
      .updateTable('webhook_subscriptions')
      .set({ status: 'disabled', disabled_reason: 'gone' })
      .where('id', 'in', gone)
      .where('status', '=', 'enabled')
      .execute();
  }
  const succeeded = subscriptionsOf(results, ['succeeded']);
  if (succeeded.length > 0) {
    // One moment serves the batch, which was gathered within milliseconds.
    const newestAt = results
      .flatMap(({ attempt, verdict }) => (verdict.kind === 'succeeded' ? attempt.at : []))
      .reduce((a, b) => (a > b ? a : b));
    await tx
      .updateTable('webhook_subscriptions')
      .set({ last_success_at: newestAt, exhausted_events: 0, failing: 0 })
      .where('id', 'in', succeeded)
      .execute();
  }
}

function idsOf(results: readonly AttemptResult[], kinds: readonly Kind[]): string[] {
  return results.flatMap(({ delivery, verdict }) =>
    kinds.includes(verdict.kind) ? delivery.id : [],
  );
}

function subscriptionsOf(results: readonly AttemptResult[], kinds: readonly Kind[]): string[] {
  const ids = results.flatMap(({ delivery, verdict }) =>
    kinds.includes(verdict.kind) ? delivery.subscriptionId : [],
  );
  return [...new Set(ids)];
}
