import type { Kysely } from 'kysely';

/** Creates the table of withdrawals: of versions that a wrong clock has published, and an operator has taken back. */
export async function createWithdrawals(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('withdrawals')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('after_date', 'text', (c) => c.notNull())
    .addColumn('withdrawn_at', 'text', (c) => c.notNull())
    .execute();
}
