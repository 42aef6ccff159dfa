import type { Kysely } from 'kysely';

/**
 * Creates the table of marks, by which a process finds whether a transaction was committed (rule C38). Replicas of version 0.3
 * write none.
 */
export async function createCommitMarks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('commit_marks')
    .addColumn('replica', 'text', (c) => c.notNull())
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('written_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('commit_marks_pk', ['replica', 'number'])
    .execute();
}
