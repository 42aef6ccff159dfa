import type { Db } from '../platform/database/database.ts';
import {
  addDays,
  type Clock,
  formatInstant,
  isoDate,
  type IsoDate,
  parseIsoDate,
} from '../platform/time/time.ts';
import { type CategorySet, idsOf } from './categories/category-sets.ts';
import { readCategories } from './categories/read-categories.ts';
import { noteFixedErrata } from './errata/errata-store.ts';
import { judgeAnswer } from './gate.ts';
import { printSnapshot } from './snapshot.ts';
import { findLatest, insertBackfilled, rateSnapshots } from './store.ts';
import type { TedbClient } from './tedb-client.ts';
import { readNationalRates, type TedbReading } from './tedb-rows.ts';
import { versionAt } from './timetable.ts';

/** TEDB has nothing before this date. */
export const firstVersion = isoDate('2016-01-01');

export type BackfillReport = {
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly stored: number;
  /** Days that were stored already. */
  readonly skipped: number;
  /** Days for which TEDB's answer was implausible; nothing was stored for them. */
  readonly refused: readonly { readonly version: IsoDate; readonly reasons: readonly string[] }[];
};

export type BackfillParts = {
  readonly db: Db;
  readonly tedb: TedbClient;
  readonly clock: Clock;
  readonly flagCdnUrl: string;
  /** Aborted when the operator interrupts; the days stored by then stay. */
  readonly signal: AbortSignal;
  readonly onProgress: (done: { readonly version: IsoDate; readonly daysLeft: number }) => void;
};

/** The newest date that a backfill may store: a day before the latest, or before today without one. */
export async function newestBackfillDate(db: Db, nowMs: number): Promise<IsoDate> {
  const latest = await findLatest(db);
  return addDays(latest?.date ?? versionAt(nowMs), -1);
}

/**
 * Stores earlier snapshots, without change rows and without events (contract C17).
 *
 * Goes back in time. TEDB reports for each row when the Member State's record began, so an answer holds for
 * all days since the newest of these beginnings. TEDB does not document this, so the first of these days is
 * queried as well, and the days between are stored without a query only if both answers agree. Ten years
 * take about eighty calls instead of four thousand.
 */
export async function backfillRates(
  range: { readonly from: IsoDate; readonly to: IsoDate },
  parts: BackfillParts,
): Promise<BackfillReport> {
  const { from, to } = range;
  const present = new Set(await rateSnapshots.listDates(parts.db, range));
  const refused: { version: IsoDate; reasons: readonly string[] }[] = [];
  let stored = 0;
  let skipped = 0;

  let end = to;
  while (end >= from && !parts.signal.aborted) {
    if (present.has(end)) {
      skipped += 1;
      end = addDays(end, -1);
      continue;
    }
    const span = await readSpan({ from, end }, parts);
    // The report covers the days stored by then.
    if (span === undefined) break;
    const { reading, categories, reasons, start, inputDigest } = span;
    const days = daysFrom(start, end).filter((day) => !present.has(day));
    if (reasons.length > 0) refused.push({ version: end, reasons });
    else {
      const bodies = days.map((version) => ({
        version,
        body: printSnapshot({ version, entries: reading.entries }, parts.flagCdnUrl),
      }));
      stored += await insertBackfilled(parts.db, bodies, {
        inputDigest,
        categories,
        at: formatInstant(parts.clock.now()),
      });
      skipped += daysFrom(start, end).length - days.length;
      await noteFixedIn(parts.db, span, end);
    }
    end = addDays(start, -1);
    parts.onProgress({ version: start, daysLeft: daysFrom(from, end).length });
  }
  return { from, to, stored, skipped, refused };
}

/** TEDB's answer for a day, and the first day for which it holds. */
type Span = {
  readonly reading: TedbReading;
  readonly categories: readonly CategorySet[];
  readonly reasons: readonly string[];
  readonly start: IsoDate;
  readonly inputDigest: string;
};

/** Reads the span that ends on a day; undefined if the operator interrupts. */
export async function readSpan(
  range: { readonly from: IsoDate; readonly end: IsoDate },
  parts: BackfillParts,
): Promise<Span | undefined> {
  try {
    return await fetchSpan(range, parts);
  } catch (error) {
    if (parts.signal.aborted) return undefined;
    throw error;
  }
}

async function fetchSpan(
  { from, end }: { readonly from: IsoDate; readonly end: IsoDate },
  parts: BackfillParts,
): Promise<Span> {
  const answer = await parts.tedb.fetchRows(end, parts.signal);
  const reading = readNationalRates(answer.rows);
  const categories = readCategories(answer.rows);
  const reasons = judgeAnswer(reading, {
    asked: end,
    previous: undefined,
    situationDate: undefined,
  });
  const content = { reading, categories };
  const start = reasons.length > 0 ? end : await findSpanStart({ from, end }, content, parts);
  return { ...content, reasons, start, inputDigest: answer.inputDigest };
}

/** Notes the errata that the answer of a span no longer has. */
export async function noteFixedIn(
  db: Db,
  { reading, categories, start }: Pick<Span, 'reading' | 'categories' | 'start'>,
  end: IsoDate,
): Promise<void> {
  const { entries } = reading;
  const answer = { entries, categories, versions: daysFrom(start, end), isOfPast: true };
  await db.transaction().execute(async (tx) => noteFixedErrata(tx, answer));
}

/** The first day for which an answer holds; `end` itself if TEDB's answers contradict each other. */
async function findSpanStart(
  { from, end }: { readonly from: IsoDate; readonly end: IsoDate },
  {
    reading,
    categories,
  }: { readonly reading: TedbReading; readonly categories: readonly CategorySet[] },
  parts: BackfillParts,
): Promise<IsoDate> {
  const began = parseIsoDate(reading.situationDate ?? '');
  const start = began === undefined ? end : began > from ? began : from;
  if (start === end) return end;
  const { rows } = await parts.tedb.fetchRows(start, parts.signal);
  const isSame =
    JSON.stringify(readNationalRates(rows).entries) === JSON.stringify(reading.entries) &&
    JSON.stringify(idsOf(readCategories(rows))) === JSON.stringify(idsOf(categories));
  return isSame ? start : end;
}

/** The days of a span, both ends included; none if it ends before it begins. */
export function daysFrom(from: IsoDate, to: IsoDate): IsoDate[] {
  const days: IsoDate[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}
