import type { Tx } from '../platform/database/database.ts';
import { stableId } from '../platform/digest.ts';

/**
 * Writes an event into the outbox (contract C31).
 *
 * In the transaction that makes it true, so that it exists if and only if its rows do. Its id is the
 * same however often it is delivered (contract C28), and one date cannot have two.
 */
export async function announce(
  tx: Tx,
  event: { readonly type: string; readonly snapshotDate: string; readonly at: string },
): Promise<void> {
  await tx
    .insertInto('events')
    .values({
      id: stableId('evt', event.type, event.snapshotDate),
      type: event.type,
      snapshot_date: event.snapshotDate,
      created_at: event.at,
    })
    .execute();
}
