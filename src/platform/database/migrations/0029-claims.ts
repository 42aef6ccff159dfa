import type { Kysely } from 'kysely';

/** Adds the columns of claims that stored checks and watches lack (`claims.ts`). */
export async function addClaims(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('vat_checks').addColumn('claimed_until', 'text').execute();
  await db.schema.alterTable('vat_watches').addColumn('claim', 'text').execute();
  await db.schema.alterTable('vat_watches').addColumn('claimed_until', 'text').execute();
}
