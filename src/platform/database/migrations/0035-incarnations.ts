import { type Kysely, sql } from 'kysely';
import { engineOf } from '../dialect.ts';

/**
 * Stores what shows that a database went back to an earlier state, as after a failover to a server that lacks the last
 * commits (rule E8): the incarnation of the database beside each epoch, the number of lost events beside an epoch that began
 * for that reason, tokens beside the revisions, and the positions of events that were deleted one by one.
 *
 * Triggers write what replicas of version 0.3 do not know. A revision that such a replica raises has no token.
 */
export async function storeIncarnations(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('revisions').addColumn('tokens', 'text').execute();
  await db.schema.alterTable('event_log_epochs').addColumn('incarnation', 'text').execute();
  await db.schema.alterTable('event_log_epochs').addColumn('lost_events', 'bigint').execute();
  await db.schema
    .createTable('deleted_events')
    .addColumn('position', 'bigint', (c) => c.primaryKey())
    .execute();
  if (engineOf(db).name === 'sqlite') return noteDeletedRows(db);
  await noteDeletedSets(db);
  await compareIncarnations(db);
}

async function noteDeletedRows(db: Kysely<unknown>): Promise<void> {
  await sql`create trigger events_deleted after delete on events
    when old.position > (select deleted_position from event_log) begin
      insert or ignore into deleted_events (position) values (old.position);
    end`.execute(db);
}

async function noteDeletedSets(db: Kysely<unknown>): Promise<void> {
  await sql`create function note_deleted_events() returns trigger language plpgsql as $$
    begin
      insert into deleted_events (position)
        select position from gone where position > (select deleted_position from event_log)
        on conflict do nothing;
      return null;
    end $$`.execute(db);
  await sql`create trigger events_deleted after delete on events referencing old table as gone
    for each statement execute function note_deleted_events()`.execute(db);
}

/**
 * The incarnation is the system identifier and the timeline of the server, as `7301528846035853341/00000002`. A part is empty
 * if the functions that give it fail or are not allowed, and is not compared then. The timeline of the last checkpoint is the
 * second choice: a server that was promoted just now still has the one before.
 *
 * The first event of a transaction compares it with that of the newest epoch. If they differ, an epoch begins before it.
 */
async function compareIncarnations(db: Kysely<unknown>): Promise<void> {
  await sql`create function database_incarnation() returns text language plpgsql as $$
    declare
      system_id text;
      timeline text;
    begin
      begin
        select system_identifier into system_id from pg_control_system();
      exception when others then null;
      end;
      begin
        timeline := substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
      exception when others then
        begin
          select lpad(to_hex(timeline_id), 8, '0') into timeline from pg_control_checkpoint();
        exception when others then null;
        end;
      end;
      return coalesce(system_id, '') || '/' || coalesce(timeline, '');
    end $$`.execute(db);
  await sql`create function begin_epoch_of_incarnation() returns void language plpgsql as $$
    declare
      known text;
      present text;
    begin
      select incarnation into known from event_log_epochs
        where incarnation is not null order by position desc limit 1;
      if known is null then return; end if;
      present := database_incarnation();
      if exists (
        select from generate_series(1, 2) as part
        where split_part(known, '/', part) <> '' and split_part(present, '/', part) <> ''
          and split_part(known, '/', part) <> split_part(present, '/', part)
      ) then
        insert into event_log_epochs (id, started_at) values (
          left(replace(gen_random_uuid()::text, '-', ''), 12),
          to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
      end if;
    end $$`.execute(db);
  // As in the migration 0020, with the incarnation.
  await sql`create or replace function take_event_position() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'events' then
        if new.type = 'webhook.test' then return new; end if;
      else
        new.incarnation := database_incarnation();
      end if;
      if current_setting('vatfx.writes_events', true) is distinct from 'on' then
        perform pg_advisory_xact_lock_shared(
          'event_positions'::regclass::oid::bigint::bit(32)::integer,
          (select last_value from event_positions)::bit(32)::integer);
        perform set_config('vatfx.writes_events', 'on', true);
        if tg_table_name = 'events' then perform begin_epoch_of_incarnation(); end if;
      end if;
      new.position := nextval('event_positions');
      return new;
    end $$`.execute(db);
}
