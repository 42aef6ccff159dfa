import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { engineOf } from '../../platform/database/dialect.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { dayMs, formatInstant } from '../../platform/time/time.ts';
import { type Cursor, firstEpoch } from './cursor.ts';

/**
 * Begins an epoch of the event log; each start of a server does it. On PostgreSQL, so does the first event that is written
 * to another incarnation of the database (migration 0035).
 *
 * An epoch has a position of its own among the events. Positions after it belong to it, until the next epoch. A database
 * that is restored from a backup lacks the positions given since, and gives them again, but in a new epoch. So a cursor
 * from before the restore names another epoch than the log has at its position (rule E5).
 */
export async function beginEpoch(db: Db, nowMs: number): Promise<void> {
  const epoch = { id: createId(), started_at: formatInstant(nowMs) };
  await db.insertInto('event_log_epochs').values(epoch).execute();
}

function createId(): string {
  return randomBytes(6).toString('hex');
}

/** What a process has found missing in the log (rule E8). */
export type Missing = {
  /** The position up to which nothing is missing; undefined if nothing that the process remembers is left. */
  readonly left: number | undefined;
  /** The number of events that it had read and that are gone. */
  readonly events: number;
};

/**
 * Begins an epoch after the part of the log that is left in a database that went back: no cursor from before is valid beyond
 * that part. The positions after it may be given already.
 *
 * Several replicas may do it at the same time, with the same position or with others. Epochs that began before and are left
 * are named by `earlier`; those beyond the part end here.
 */
export async function beginEpochAfter(
  tx: Tx,
  { left, events }: Missing,
  { earlier, nowMs }: { readonly earlier: readonly string[]; readonly nowMs: number },
): Promise<void> {
  const { deleted } = await tx
    .selectFrom('event_log')
    .select('deleted_position as deleted')
    .executeTakeFirstOrThrow();
  const position = Math.max(left ?? 0, deleted) + 1;
  await passPosition(tx, position);
  let ended = tx.deleteFrom('event_log_epochs').where('position', '>=', position);
  if (left !== undefined) ended = ended.where('id', 'in', earlier);
  if (left === undefined || earlier.length > 0) await ended.execute();
  const started_at = formatInstant(nowMs);
  await tx
    .insertInto('event_log_epochs')
    .values({ id: createId(), position, started_at, lost_events: events })
    .onConflict((c) =>
      c.column('position').doUpdateSet((e) => ({
        started_at,
        lost_events: e
          .case()
          .when('event_log_epochs.lost_events', '>', e.val(events))
          .then(e.ref('event_log_epochs.lost_events'))
          .else(e.val(events))
          .end(),
      })),
    )
    .execute();
}

/** Keeps the epoch of a later start from getting a position. On PostgreSQL the one before it was given, at least. */
async function passPosition(tx: Tx, position: number): Promise<void> {
  if (engineOf(tx).name === 'postgresql') {
    await sql`select nextval('event_positions')`.execute(tx);
    return;
  }
  await tx
    .updateTable('event_log')
    .set({ last_position: position })
    .where('last_position', '<', position)
    .execute();
}

/** A database that went back, as the status reports it. */
export type WentBack = {
  /** When it was noticed last. */
  readonly at: string;
  /** The number of events that are gone, at least. */
  readonly events: number;
  /** A sentence for operators. */
  readonly reason: string;
};

/** How long operators are told. */
export const toldDays = 7;

/** Reads whether the database went back within the last seven days. */
export async function findWentBack(db: Db, nowMs: number): Promise<WentBack | undefined> {
  const { at, events } = await db
    .selectFrom('event_log_epochs')
    .select((e) => [e.fn.max('started_at').as('at'), e.fn.max('lost_events').as('events')])
    .where('lost_events', 'is not', null)
    .where('started_at', '>', formatInstant(nowMs - toldDays * dayMs))
    .executeTakeFirstOrThrow();
  if (at === null || events === null) return undefined;
  return { at, events, reason: describeWentBack(db, events) };
}

function describeWentBack(db: Db, events: number): string {
  const cause =
    engineOf(db).name === 'sqlite'
      ? 'its file was replaced while a server was running'
      : 'replication was not synchronous';
  const counted = events === 1 ? '1 event' : `${events} events`;
  return `the database went back by at least ${counted}: ${cause}`;
}

/** The state of the log that cursors are judged by and made with. */
export type LogMarks = {
  /** The last position that retention has deleted; 0 before. */
  readonly deletedPosition: number;
  /** Epochs in the order of their positions; the first one may begin before the range that was read. */
  readonly epochs: readonly { readonly id: string; readonly position: number }[];
};

/**
 * Reads the marks for cursors from one position to another.
 *
 * To be read after the events of a page: if retention deletes events meanwhile, the page is judged with the later state.
 */
export async function readMarks(
  db: Db,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<LogMarks> {
  const rows = await db
    .selectFrom('event_log')
    .leftJoin('event_log_epochs as epoch', (join) =>
      join.on('epoch.position', '<=', to).on((e) =>
        e(
          'epoch.position',
          '>=',
          e.fn.coalesce(
            e
              .selectFrom('event_log_epochs as earlier')
              .select((of) => of.fn.max('earlier.position').as('position'))
              .where('earlier.position', '<=', from),
            e.val(0),
          ),
        ),
      ),
    )
    .select(['deleted_position as deletedPosition', 'epoch.id', 'epoch.position'])
    .orderBy('epoch.position')
    .execute();
  return {
    deletedPosition: rows[0]?.deletedPosition ?? 0,
    epochs: rows.flatMap(({ id, position }) =>
      id === null || position === null ? [] : [{ id, position }],
    ),
  };
}

/** The cursor at a position. */
export function cursorAt({ epochs }: LogMarks, position: number): Cursor {
  const epoch = epochs.findLast((one) => one.position <= position);
  return { position, epoch: epoch?.id ?? firstEpoch };
}

/**
 * Whether a reader can go on at a cursor: no event after it was deleted by retention, and the position was given in the
 * epoch that the cursor names. `marks` begin at the cursor's position or before.
 */
export function isValid(marks: LogMarks, { position, epoch }: Cursor): boolean {
  return position >= marks.deletedPosition && cursorAt(marks, position).epoch === epoch;
}

/**
 * Deletes epochs that no valid cursor names, once retention has deleted the events up to a position. Those of a database that
 * went back stay as long as operators are told.
 */
export async function deleteEpochs(
  db: Db,
  { deletedPosition, nowMs }: { readonly deletedPosition: number; readonly nowMs: number },
): Promise<void> {
  const newest = await db
    .selectFrom('event_log_epochs')
    .select((e) => e.fn.max('position').as('position'))
    .where('position', '<=', deletedPosition)
    .executeTakeFirst();
  const position = newest?.position ?? 0;
  await db
    .deleteFrom('event_log_epochs')
    .where('position', '<', position)
    .where((e) =>
      e.or([
        e('lost_events', 'is', null),
        e('started_at', '<=', formatInstant(nowMs - toldDays * dayMs)),
      ]),
    )
    .execute();
}
