import { type Kysely, sql } from 'kysely';
import { engineOf } from '../dialect.ts';

/**
 * Lets PostgreSQL refuse that a replica of version 0.1 claims a delivery whose event it does not know.
 *
 * Such a replica runs beside those of this version during an upgrade. It knows `rates.changed` and `webhook.test`, and
 * would send the body of one of these for any other type. The exception ends its transaction, so it delivers
 * nothing until a replica of this version has claimed the delivery. On SQLite one process delivers.
 */
export async function refuseEarlierClaims(db: Kysely<unknown>): Promise<void> {
  if (engineOf(db).name === 'sqlite') return;
  await sql`create function refuse_earlier_claim() returns trigger language plpgsql as $$
    begin
      if new.claim is distinct from old.claim and new.claim not like 'v2.%' and exists (
        select 1 from events
        where id = new.event_id and type not in ('rates.changed', 'webhook.test')
      ) then
        raise exception 'only a newer version of vatfx can deliver the event %', new.event_id;
      end if;
      return new;
    end $$`.execute(db);
  // It names no column: PostgreSQL does not change the collation of a column that a trigger names.
  await sql`create trigger webhook_deliveries_claims before update on webhook_deliveries
    for each row execute function refuse_earlier_claim()`.execute(db);
}
