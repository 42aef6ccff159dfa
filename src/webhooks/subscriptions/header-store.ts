import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';
import type { SealSecret } from './secret-store.ts';

/** Headers to store: their names, and the encryption of names and values. */
export type NewHeaders = { readonly names: readonly string[]; readonly seal: SealSecret };

/**
 * Replaces all headers of a subscription, which is locked; without names it removes them. `url` is the one for which they are
 * given: to another URL they are never sent, whoever changes it.
 */
export async function replaceHeaders(
  tx: Tx,
  of: { readonly subscriptionId: string; readonly url: string; readonly at: string },
  { names, seal }: NewHeaders,
): Promise<void> {
  const { subscriptionId, url, at } = of;
  if (names.length === 0) return removeHeaders(tx, subscriptionId);
  // Sealing locks the key in use, which has to come before encrypted texts (platform/encryption/key-in-use.ts).
  const sealed = await seal(subscriptionId, tx);
  const row = { url, names: JSON.stringify(names), sealed, created_at: at };
  await tx
    .insertInto('webhook_headers')
    .values({ subscription_id: subscriptionId, ...row })
    .onConflict((conflict) => conflict.column('subscription_id').doUpdateSet(row))
    .execute();
}

export async function removeHeaders(tx: Tx, subscriptionId: string): Promise<void> {
  await tx.deleteFrom('webhook_headers').where('subscription_id', '=', subscriptionId).execute();
}

/**
 * A column of the headers that belong to `subscription`, a row of the query; null if there are none for its present URL. Read
 * with the URL in one statement, both are of the same change.
 */
export function headersOf(column: 'names' | 'sealed'): RawBuilder<string | null> {
  return sql`(select ${sql.ref(`header.${column}`)} from webhook_headers as header
    where header.subscription_id = subscription.id and header.url = subscription.url)`;
}
