import { randomBytes } from 'node:crypto';
import type { Db } from '../../platform/database/database.ts';
import { formatInstant } from '../../platform/time/time.ts';
import { type Cursor, firstEpoch } from './cursor.ts';

/**
 * Begins an epoch of the event log; each start of a server does it.
 *
 * An epoch has a position of its own among the events. Positions after it belong to it, until the next epoch. A database
 * that is restored from a backup lacks the positions given since, and gives them again, but in a new epoch. So a cursor
 * from before the restore names another epoch than the log has at its position (rule E5).
 */
export async function beginEpoch(db: Db, nowMs: number): Promise<void> {
  await db
    .insertInto('event_log_epochs')
    .values({ id: randomBytes(6).toString('hex'), started_at: formatInstant(nowMs) })
    .execute();
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

/** Deletes epochs that no valid cursor names, once retention has deleted the events up to a position. */
export async function deleteEpochs(db: Db, deletedPosition: number): Promise<void> {
  const newest = await db
    .selectFrom('event_log_epochs')
    .select((e) => e.fn.max('position').as('position'))
    .where('position', '<=', deletedPosition)
    .executeTakeFirst();
  const position = newest?.position ?? 0;
  await db.deleteFrom('event_log_epochs').where('position', '<', position).execute();
}
