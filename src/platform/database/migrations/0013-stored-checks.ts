import { type Kysely, sql } from 'kysely';

/** Creates the tables of stored VAT checks: checks, exchanges, batches, idempotency keys, registries. */
export async function createStoredChecks(db: Kysely<unknown>): Promise<void> {
  await createChecks(db);
  await createListIndexes(db);
  await createWorkIndexes(db);
  await db.schema
    .createTable('vat_check_exchanges')
    .addColumn('check_id', 'text', (c) => c.primaryKey())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('request', 'text', (c) => c.notNull())
    .addColumn('response', 'text', (c) => c.notNull())
    .addColumn('requested_at', 'text', (c) => c.notNull())
    .addColumn('answered_at', 'text')
    .addColumn('manifest', 'text')
    .addColumn('signature', 'text')
    .addColumn('evidence_key_id', 'text')
    .execute();
  await db.schema
    .createTable('vat_check_batches')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('checks', 'integer', (c) => c.notNull())
    .addColumn('input_digest', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('vat_check_idempotency')
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('idempotency_key', 'text', (c) => c.notNull())
    .addColumn('body_digest', 'text', (c) => c.notNull())
    .addColumn('check_id', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('vat_check_idempotency_key', ['key_id', 'idempotency_key'])
    .execute();
  await createIndex(db, 'vat_check_idempotency', 'oldest', ['created_at']);
  await createIndex(db, 'vat_check_idempotency', 'of_check', ['check_id']);
  await db.schema
    .createTable('vat_registries')
    .addColumn('registry_code', 'text', (c) => c.primaryKey())
    .addColumn('faulted_at', 'text')
    .addColumn('background_at', 'text')
    .execute();
}

async function createChecks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('vat_checks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('country_code', 'text', (c) => c.notNull())
    .addColumn('vat_number', 'text', (c) => c.notNull())
    .addColumn('registry_code', 'text')
    .addColumn('number', 'text')
    .addColumn('requester_code', 'text')
    .addColumn('requester_number', 'text')
    .addColumn('trader', 'text', (c) => c.notNull())
    .addColumn('hint', 'text')
    .addColumn('reference', 'text')
    .addColumn('batch_id', 'text')
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('failure', 'text')
    .addColumn('refused', 'text')
    .addColumn('unconfirmed_false_at', 'text')
    .addColumn('next_attempt_at', 'text')
    .addColumn('due_at', 'text')
    .addColumn('claim', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('ended_at', 'text')
    .addColumn('valid', 'integer')
    .addColumn('request_date', 'text')
    .addColumn('name', 'text')
    .addColumn('address', 'text')
    .addColumn('consultation_number', 'text')
    .addColumn('trader_match', 'text')
    .execute();
}

/** Indexes of a key's list, newest first. Ids begin with the moment of the creation, so their order is that of the list. */
async function createListIndexes(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, 'vat_checks', 'newest', ['key_id', 'id']);
  await createIndex(db, 'vat_checks', 'of_number', ['key_id', 'registry_code', 'number', 'id']);
  await createIndex(db, 'vat_checks', 'of_country', ['key_id', 'registry_code', 'id']);
  await createIndex(db, 'vat_checks', 'of_status', ['key_id', 'status', 'id']);
  await createIndex(db, 'vat_checks', 'of_valid', ['key_id', 'valid', 'id'], 'valid');
  await createIndex(db, 'vat_checks', 'of_reference', ['key_id', 'reference', 'id'], 'reference');
  await createIndex(db, 'vat_checks', 'of_batch', ['batch_id', 'status', 'id'], 'batch_id');
}

/** Indexes of the worker. They have pending checks only, so their size does not depend on how many checks are stored. */
async function createWorkIndexes(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, 'vat_checks', 'due', ['registry_code', 'due_at'], 'due_at');
  const byKey = ['registry_code', 'key_id', 'due_at', 'id'];
  await createIndex(db, 'vat_checks', 'due_of_key', byKey, 'due_at');
  await db.schema
    .createIndex('vat_checks_pending')
    .on('vat_checks')
    .columns(['key_id', 'expires_at'])
    .where(sql.ref('status'), '=', sql.lit('pending'))
    .execute();
}

/** Creates `<table>_<name>`; with `filled`, only for rows in which that column is not null. */
async function createIndex(
  db: Kysely<unknown>,
  table: string,
  name: string,
  columns: string[],
  filled?: string,
): Promise<void> {
  const index = db.schema.createIndex(`${table}_${name}`).on(table).columns(columns);
  await (filled === undefined ? index : index.where(sql.ref(filled), 'is not', null)).execute();
}
