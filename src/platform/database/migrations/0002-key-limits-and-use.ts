import { type Kysely, sql } from 'kysely';

/**
 * Adds limits of each key, several secrets of one key (while it is being rotated), and use per day.
 *
 * The table of keys is replaced by a new one, because SQLite cannot drop a unique column.
 */
export async function addKeyLimitsAndUse(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('key_secrets')
    .addColumn('secret_hash', 'text', (c) => c.primaryKey())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'text')
    .addColumn('last_used_at', 'text')
    .execute();
  await db.schema
    .createIndex('key_secrets_of_key')
    .on('key_secrets')
    .columns(['key_id', 'created_at'])
    .execute();
  await sql`insert into key_secrets (secret_hash, key_id, created_at)
    select secret_hash, id, created_at from api_keys`.execute(db);

  await db.schema
    .createTable('api_keys_next')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('rate_limit', 'text', (c) => c.notNull())
    .addColumn('quota', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text')
    .addColumn('revoked_at', 'text')
    .execute();
  await sql`insert into api_keys_next
    (id, name, rate_limit, quota, created_at, expires_at, revoked_at)
    select id, name, 'default', 'default', created_at, expires_at, revoked_at
    from api_keys`.execute(db);
  await db.schema.dropTable('api_keys').execute();
  await db.schema.alterTable('api_keys_next').renameTo('api_keys').execute();

  await db.schema
    .createTable('key_use')
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('use_date', 'text', (c) => c.notNull())
    .addColumn('requests', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('key_use_once', ['use_date', 'key_id'])
    .execute();
  await db.schema
    .createTable('key_use_journal')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('uses', 'text', (c) => c.notNull())
    .execute();
}
