import type { Db, Tx } from '../../platform/database/database.ts';
import { bumpRevision } from '../../platform/database/replicas/revisions.ts';
import type { DataSet } from '../../platform/publication/data-set.ts';
import { listHeldOrRejected } from '../../platform/publication/held-store.ts';
import { formatInstant, isoDate, type IsoDate, parseIsoDate } from '../../platform/time/time.ts';
import { secondAnswerDueMs, type Known, type StoredAbsence } from './absence.ts';
import { isWeekend } from '../calendar.ts';
import type { Series, SeriesKind } from '../series.ts';
import type { FxSnapshot } from '../snapshot.ts';

/** The most days in a row without a publication. An answer that shows more of them is not believed. */
export const closureDaysMax = 10;

/** What is known about a series beside its stored publications. */
export type Completeness = Omit<Known, 'series' | 'dates' | 'tables'>;

/** Reads it. */
export async function readCompleteness(db: Db, series: Series): Promise<Completeness> {
  const { kind } = series;
  const row = await db
    .selectFrom('bank_reads')
    .select(['complete_through', 'earlier_through'])
    .where('bank', '=', kind)
    .executeTakeFirst();
  const unstored = await listUnstored(db, series);
  return {
    completeThrough: parseIsoDate(row?.complete_through ?? ''),
    earlierThrough: parseIsoDate(row?.earlier_through ?? ''),
    absences: await readAbsences(db, kind),
    held: Map.groupBy(unstored, ({ date }) => date),
  };
}

/** The publications of a series that are known and not stored. */
async function listUnstored(db: Db, series: Series): Promise<readonly FxSnapshot[]> {
  const { kind, parse, isProvedByAnswers, snapshots } = series;
  const known = await listHeldOrRejected(db, kind);
  const unstored: FxSnapshot[] = [];
  for (const { state, version, candidate } of known) {
    const date = isoDate(version);
    if (state === 'rejected') {
      // No true values can come for a weekend, and a day with a stored publication has no further one.
      if (!isProvedByAnswers || isWeekend(date)) continue;
      if ((await snapshots.findBody(db, date)) !== undefined) continue;
    }
    unstored.push(parse(candidate));
  }
  return unstored;
}

async function readAbsences(db: Db, kind: SeriesKind): Promise<ReadonlyMap<string, StoredAbsence>> {
  const rows = await db
    .selectFrom('bank_absences')
    .select(['date', 'first_at', 'last_at', 'closed_at'])
    .where('bank', '=', kind)
    .execute();
  const toMs = (at: string | null): number | undefined =>
    at === null ? undefined : Date.parse(at);
  return new Map(
    rows.map(({ date, first_at, last_at, closed_at }) => [
      date,
      { firstAtMs: toMs(first_at), lastAtMs: toMs(last_at), isClosed: closed_at !== null },
    ]),
  );
}

/** When the job of a series has to ask for the second answer about a day without a publication; undefined if for none. */
async function findSecondAnswerMs(db: Db, kind: SeriesKind): Promise<number | undefined> {
  const absences = [...(await readAbsences(db, kind)).values()];
  const moments = absences.flatMap((stored) => secondAnswerDueMs(stored) ?? []);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/** The facts about a series by which it is known when its next publication is asked for. */
export function followedAs({
  kind,
  snapshots,
  timetable,
  isProvedByAnswers,
}: Series): Pick<
  DataSet,
  'kind' | 'findLatest' | 'askedAgainMs' | 'fillsGaps' | 'findSecondAnswerMs'
> {
  return {
    kind,
    findLatest: async (db) => snapshots.findLatest(db),
    // Each run reads all days after the newest one.
    askedAgainMs: (_, state) => timetable.nextRunMs(state),
    fillsGaps: isProvedByAnswers,
    ...(isProvedByAnswers
      ? { findSecondAnswerMs: async (db: Db) => findSecondAnswerMs(db, kind) }
      : {}),
  };
}

/** Stores that the bank was asked for every day up to one, after the end of that day. */
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

/** Stores when answers without a publication of some days were made. */
export async function storeAnswers(
  tx: Tx,
  kind: SeriesKind,
  days: readonly {
    readonly date: IsoDate;
    readonly firstAtMs: number;
    readonly lastAtMs: number;
  }[],
): Promise<void> {
  if (days.length === 0) return;
  await bumpRevision(tx, kind);
  for (const { date, firstAtMs, lastAtMs } of days) {
    const answers = { first_at: formatInstant(firstAtMs), last_at: formatInstant(lastAtMs) };
    await tx
      .insertInto('bank_absences')
      .values({ bank: kind, date, ...answers })
      .onConflict((c) => c.columns(['bank', 'date']).doUpdateSet(answers))
      .execute();
  }
}

/** Forgets what is stored about the absence of publications that are stored now. */
export async function deleteAbsences(
  tx: Tx,
  kind: SeriesKind,
  dates: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('bank_absences')
    .where('bank', '=', kind)
    .where('date', 'in', dates)
    .execute();
}

/**
 * Forgets what answers have shown about the days after one, or about all, because a later answer contradicts it, or because
 * publications were taken back. The word of an operator stays.
 */
export async function lowerCompleteness(
  tx: Tx,
  kind: SeriesKind,
  through: IsoDate | undefined,
): Promise<void> {
  await bumpRevision(tx, kind);
  const day = through ?? '';
  const reads = tx.updateTable('bank_reads').where('bank', '=', kind);
  await reads.set({ complete_through: day }).where('complete_through', '>', day).execute();
  await reads.set({ earlier_through: day }).where('earlier_through', '>', day).execute();
  const later = tx.updateTable('bank_absences').where('bank', '=', kind).where('date', '>', day);
  await later.set({ first_at: null, last_at: null }).execute();
}
