import { type Kysely, sql } from 'kysely';

/**
 * Creates the table of what is known about days on which a bank published nothing (rule N7b), and keeps the day up to which
 * answers may have been given that rest on the weaker proof of version 0.3.
 */
export async function createBankAbsences(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bank_absences')
    .addColumn('bank', 'text', (c) => c.notNull())
    .addColumn('date', 'text', (c) => c.notNull())
    .addColumn('first_at', 'text')
    .addColumn('last_at', 'text')
    .addColumn('closed_at', 'text')
    .addColumn('reason', 'text')
    .addPrimaryKeyConstraint('bank_absences_key', ['bank', 'date'])
    .execute();
  await db.schema.alterTable('bank_reads').addColumn('earlier_through', 'text').execute();
  await sql`update bank_reads set earlier_through = complete_through`.execute(db);
}
