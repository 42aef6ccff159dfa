import type { Kysely } from 'kysely';

/** Creates the tables of snapshots, change log, outbox, jobs, held snapshots, corrections, keys and audit. */
export async function createFirstTables(db: Kysely<unknown>): Promise<void> {
  await createSnapshots(db);
  await createJobs(db);
  await createGate(db);

  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text')
    .addColumn('revoked_at', 'text')
    .execute();
  await db.schema
    .createTable('audit')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('detail', 'text', (c) => c.notNull())
    .execute();
}

async function createSnapshots(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rate_snapshots')
    .addColumn('version', 'text', (c) => c.primaryKey())
    .addColumn('origin', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('situation_date', 'text')
    .addColumn('input_digest', 'text', (c) => c.notNull())
    .addColumn('stored_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('rate_changes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('snapshot_date', 'text', (c) => c.notNull())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('field', 'text', (c) => c.notNull())
    .addColumn('old', 'text')
    .addColumn('new', 'text')
    .addColumn('detected_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('rate_changes_once', ['snapshot_date', 'country', 'field'])
    .execute();
  await db.schema
    .createIndex('rate_changes_newest')
    .on('rate_changes')
    .columns(['detected_at desc', 'country', 'field'])
    .execute();
  await db.schema
    .createIndex('rate_changes_of_country')
    .on('rate_changes')
    .columns(['country', 'detected_at desc', 'field'])
    .execute();
  await db.schema
    .createTable('fx_snapshots')
    .addColumn('date', 'text', (c) => c.primaryKey())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('stored_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('events')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('snapshot_date', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('events_once', ['type', 'snapshot_date'])
    .execute();
}

async function createJobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('runs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('job', 'text', (c) => c.notNull())
    .addColumn('version', 'text')
    .addColumn('started_at', 'text', (c) => c.notNull())
    .addColumn('ended_at', 'text')
    .addColumn('outcome', 'text')
    .addColumn('changes', 'integer', (c) => c.notNull())
    .addColumn('published', 'integer', (c) => c.notNull())
    .addColumn('input_digest', 'text')
    .addColumn('detail', 'text')
    .execute();
  await db.schema
    .createIndex('runs_newest')
    .on('runs')
    .columns(['job', 'started_at desc'])
    .execute();
  await db.schema
    .createTable('leases')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('epoch', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('revisions')
    .addColumn('topic', 'text', (c) => c.primaryKey())
    .addColumn('revision', 'integer', (c) => c.notNull())
    .execute();
}

async function createGate(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('held_snapshots')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('reasons', 'text', (c) => c.notNull())
    .addColumn('candidate', 'text', (c) => c.notNull())
    .addColumn('input_digest', 'text', (c) => c.notNull())
    .addColumn('held_at', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('decided_at', 'text')
    .execute();
  await db.schema
    .createIndex('held_snapshots_of_version')
    .on('held_snapshots')
    .columns(['kind', 'version'])
    .execute();
  await db.schema
    .createTable('corrections')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('field', 'text', (c) => c.notNull())
    .addColumn('stored', 'text')
    .addColumn('upstream', 'text')
    .addColumn('seen_at', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('decided_at', 'text')
    .execute();
}
