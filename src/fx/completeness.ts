import type { Db, Tx } from '../platform/database/database.ts';
import { bumpRevision } from '../platform/database/revisions.ts';
import { addDays, type IsoDate, parseIsoDate } from '../platform/time/time.ts';
import type { SeriesKind } from './series.ts';

/** The most days in a row without a publication. An answer that shows more of them is not believed. */
export const closureDaysMax = 10;

/**
 * The day through which every publication of a series is known: the bank was asked for them after that day had ended.
 * Undefined if no such answer is stored, as for the ECB, whose calendar decides.
 */
export async function findCompleteThrough(db: Db, kind: SeriesKind): Promise<IsoDate | undefined> {
  const row = await db
    .selectFrom('bank_reads')
    .select('complete_through')
    .where('bank', '=', kind)
    .executeTakeFirst();
  return parseIsoDate(row?.complete_through ?? '');
}

/**
 * The day through which every publication is known after one more answer.
 *
 * It goes back only if a number is missing among the publications: then the answers before have lacked it as well.
 */
export function extendCompleteness(
  before: IsoDate | undefined,
  answer: {
    /** The last day of those that were asked for and had ended. */
    readonly shown: IsoDate;
    /** The newest publication up to that day; undefined if none is stored. */
    readonly newest: IsoDate | undefined;
    readonly holeAfter: IsoDate | undefined;
  },
): IsoDate | undefined {
  const { shown, newest, holeAfter } = answer;
  if (holeAfter !== undefined || newest === undefined) return holeAfter ?? before;
  const believed = addDays(newest, closureDaysMax);
  const through = shown < believed ? shown : believed;
  return before !== undefined && before > through ? before : through;
}

/** Stores the day through which every publication is known. */
export async function storeCompleteThrough(
  tx: Tx,
  kind: SeriesKind,
  read: { readonly through: IsoDate; readonly at: string },
): Promise<void> {
  await bumpRevision(tx, kind);
  const row = { complete_through: read.through, fetched_at: read.at };
  await tx
    .insertInto('bank_reads')
    .values({ bank: kind, ...row })
    .onConflict((c) => c.column('bank').doUpdateSet(row))
    .execute();
}

/** Lowers that day to the newest publication that is left, or to none, because later ones were taken back. */
export async function lowerCompleteness(
  tx: Tx,
  kind: SeriesKind,
  newest: IsoDate | undefined,
): Promise<void> {
  await tx
    .updateTable('bank_reads')
    .set({ complete_through: newest ?? '' })
    .where('bank', '=', kind)
    .where('complete_through', '>', newest ?? '')
    .execute();
}
