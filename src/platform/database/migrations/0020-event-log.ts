import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { engineOf } from '../dialect.ts';

/**
 * Makes the events a log that callers read in order (rules E1 to E6).
 *
 * Each event that callers may read gets a position. A trigger gives it, so that replicas of the version before, which do
 * not know positions, write into the log as well during a rolling upgrade. `webhook.test` is not part of the log.
 */
export async function createEventLog(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('events').addColumn('position', 'bigint').execute();
  await sql`update events set position = numbered.position from (
      select id, row_number() over (order by created_at, id) as position
      from events where type <> 'webhook.test'
    ) as numbered where numbered.id = events.id`.execute(db);
  await db.schema
    .createIndex('events_in_order')
    .on('events')
    .columns(['position'])
    .unique()
    .execute();
  await db.schema
    .createIndex('events_of_reader')
    .on('events')
    .columns(['key_id', 'type', 'position'])
    .execute();
  await createTables(db);
  const givePositions = engineOf(db).name === 'sqlite' ? countPositions : drawPositions;
  await givePositions(db);
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('event_log')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('last_position', 'bigint', (c) => c.notNull())
    .addColumn('deleted_position', 'bigint', (c) => c.notNull())
    .execute();
  const secret = randomBytes(32).toString('hex');
  await sql`insert into event_log (id, secret, last_position, deleted_position)
    select 'current', ${secret}, coalesce(max(position), 0), 0 from events`.execute(db);
  await db.schema
    .createTable('event_log_epochs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('position', 'bigint')
    .addColumn('started_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('event_log_epochs_in_order')
    .on('event_log_epochs')
    .columns(['position'])
    .unique()
    .execute();
}

/** SQLite has one writer at a time, so positions are committed in their order. A counter never gives one twice. */
async function countPositions(db: Kysely<unknown>): Promise<void> {
  const conditions = [
    ['events', `new.position is null and new.type <> 'webhook.test'`],
    ['event_log_epochs', 'new.position is null'],
  ] as const;
  for (const [table, condition] of conditions) {
    await sql`create trigger ${sql.ref(`${table}_position`)} after insert on ${sql.table(table)}
      when ${sql.raw(condition)} begin
        update event_log set last_position = last_position + 1;
        update ${sql.table(table)} set position = (select last_position from event_log)
          where id = new.id;
      end`.execute(db);
  }
}

/**
 * PostgreSQL draws positions from a sequence, so a transaction that began earlier may commit a smaller one later.
 *
 * Before its first position, a transaction locks the number that the sequence has reached, until it has ended: all its
 * positions are larger. `event_log_horizon` returns the position up to which no open transaction can add an event. It
 * reads the sequence before the locks. So a position up to that end was drawn under a lock that it sees, or that was
 * released because its transaction was committed before.
 *
 * Locks have numbers of 32 bits; the nearest position with these bits is meant. One lock of a transaction is enough, and
 * the server has room for few: a setting that ends with the transaction, or with its savepoint, notes the lock.
 */
async function drawPositions(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence event_positions as bigint minvalue 0 start 0`.execute(db);
  await sql`select setval('event_positions', last_position) from event_log`.execute(db);
  await sql`create function take_event_position() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'events' then
        if new.type = 'webhook.test' then return new; end if;
      end if;
      if current_setting('vatfx.writes_events', true) is distinct from 'on' then
        perform pg_advisory_xact_lock_shared(
          'event_positions'::regclass::oid::bigint::bit(32)::integer,
          (select last_value from event_positions)::bit(32)::integer);
        perform set_config('vatfx.writes_events', 'on', true);
      end if;
      new.position := nextval('event_positions');
      return new;
    end $$`.execute(db);
  await sql`create function event_log_horizon(
      out last_position bigint, out horizon bigint, out held_seconds double precision
    ) language plpgsql as $$
    declare
      oldest bigint;
      writers integer[];
    begin
      select last_value into last_position from event_positions;
      select min(bound), array_agg(pid) into oldest, writers from (
        select pid, last_position + (objid::bigint - last_position)::bit(32)::integer as bound
        from pg_locks
        where locktype = 'advisory' and objsubid = 2 and granted
          and database = (select oid from pg_database where datname = current_database())
          and classid = 'event_positions'::regclass::oid
      ) as locked where bound < last_position;
      horizon := least(last_position, oldest);
      if oldest is not null then
        select extract(epoch from clock_timestamp() - min(xact_start)) into held_seconds
        from pg_stat_activity where pid = any(writers);
      end if;
    end $$`.execute(db);
  // The condition names no column of text: PostgreSQL changes the order of such columns only if no trigger names them.
  for (const table of ['events', 'event_log_epochs']) {
    await sql`create trigger ${sql.ref(`${table}_position`)} before insert on ${sql.table(table)}
      for each row when (new.position is null) execute function take_event_position()`.execute(db);
  }
}
