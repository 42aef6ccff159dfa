import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { engineOf } from '../../platform/database/dialect.ts';

/** The end of the part of the log that is complete. */
export type Horizon = {
  /** No transaction can add an event at this position or before it. */
  readonly position: number;
  /** Age, in seconds, of the oldest open transaction that readers wait for; null if they wait for none. */
  readonly heldSeconds: number | null;
};

/**
 * Reads how far readers may read (rule E3). Events up to this position are visible to every query that begins later.
 *
 * On SQLite transactions that write follow each other, so this is the last position. The migration
 * `0020-event-log` explains PostgreSQL's function.
 */
export async function readHorizon(db: Db): Promise<Horizon> {
  if (engineOf(db).name === 'sqlite') {
    const log = db.selectFrom('event_log').select('last_position as position');
    return { ...(await log.executeTakeFirstOrThrow()), heldSeconds: null };
  }
  const { rows } = await sql<Horizon>`
    select horizon as position, held_seconds as "heldSeconds" from event_log_horizon()`.execute(db);
  const [horizon] = rows;
  if (horizon === undefined) throw new Error('events: PostgreSQL returned no horizon');
  return horizon;
}
