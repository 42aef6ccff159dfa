import type { Tx } from '../database/database.ts';

/**
 * The id of the SECRET_KEY that stored secrets are encrypted with: one row, which is always there.
 *
 * A transaction that encrypts takes a shared lock on the row, and a rotation an exclusive one. So no secret is stored
 * under the old key after a rotation has encrypted the others again. The row is locked before any encrypted text is
 * changed; the other order could deadlock.
 */
const rowId = 'current';

/** The key's id, which no rotation changes until the transaction ends; null before the first start. */
export async function lockKeyInUseShared(tx: Tx): Promise<string | null> {
  const row = await select(tx).forShare().executeTakeFirstOrThrow();
  return row.key_id;
}

/** The key's id; other transactions that encrypt or rotate wait until this one ends. */
export async function lockKeyInUse(tx: Tx): Promise<string | null> {
  const row = await select(tx).forUpdate().executeTakeFirstOrThrow();
  return row.key_id;
}

export async function setKeyInUse(tx: Tx, keyId: string): Promise<void> {
  await tx
    .updateTable('secret_key_in_use')
    .set({ key_id: keyId })
    .where('id', '=', rowId)
    .execute();
}

function select(tx: Tx) {
  return tx.selectFrom('secret_key_in_use').select('key_id').where('id', '=', rowId);
}
