import type { Db } from '../../platform/database/database.ts';
import { type Waiting, WaitingRequests } from '../../platform/http/waiting-requests.ts';
import type { Timers } from '../../platform/time/timers.ts';
import { readMarks } from './epochs.ts';
import type { LogMemory } from './log-memory.ts';
import type { LogReader } from './log-reader.ts';
import { listAll, type LogRow, type Range, type VisibleTypes } from './log-rows.ts';
import { cursorPrinter, makePage, type Page, type PrintBody, printRows } from './page.ts';

/** Events that one query reads. */
const portionMax = 500;

/** The events that a request waits for. */
export type WantedEvents = {
  readonly keyId: string;
  readonly types: VisibleTypes;
  readonly limit: number;
  /** The position up to which the log was searched for the request. */
  searchedTo: number;
};

type Parts = {
  readonly db: Db;
  readonly timers: Timers;
  readonly reader: LogReader;
  readonly printBody: PrintBody;
  readonly memory?: LogMemory;
};

type WaitingSet = ReadonlySet<Waiting<WantedEvents, Page>>;

/** The requests that wait for events. */
export type EventWaits = WaitingRequests<WantedEvents, Page>;

/**
 * Makes the waits for events (rule E4). New events are read and printed once, and each wait gets those that its key sees. If
 * the log cannot be read, all waits fail.
 */
export function createEventWaits(parts: Parts): EventWaits {
  return new WaitingRequests(parts.timers, async (waiting) => {
    try {
      const { position: horizon } = await parts.reader.readHorizon();
      let after: number;
      while ((after = searchedByAll(waiting)) < horizon) {
        await answerPortion(parts, waiting, { after, upTo: horizon });
      }
    } catch (error) {
      for (const wait of waiting) wait.fail(error);
    }
  });
}

/** The position up to which the log was searched for every wait; infinite if there are none. */
function searchedByAll(waiting: WaitingSet): number {
  return [...waiting].reduce((least, { wanted }) => Math.min(least, wanted.searchedTo), Infinity);
}

async function answerPortion(parts: Parts, waiting: WaitingSet, range: Range): Promise<void> {
  const { db, reader, printBody, memory } = parts;
  const { after, upTo: horizon } = range;
  const { rows, hasMore: isMore } = await listAll(db, { ...range, limit: portionMax });
  memory?.note(rows);
  const upTo = isMore ? (rows.at(-1)?.position ?? horizon) : horizon;
  const cursors = await reader.cursors();
  const marks = await readMarks(db, { from: after, to: upTo });
  const printCursor = cursorPrinter(cursors, marks);
  for (const { wanted, answer } of waiting) {
    // A wait that has begun at an earlier position meanwhile would miss the events up to here: it is searched next.
    if (wanted.searchedTo < after) continue;
    const seen = rows.filter((row) => row.position > wanted.searchedTo && isVisible(row, wanted));
    if (seen.length === 0) {
      wanted.searchedTo = Math.max(wanted.searchedTo, upTo);
      continue;
    }
    // `printBody` remembers the bodies that are made from other rows, so each is made once for all waits.
    const printed = await printRows(seen.slice(0, wanted.limit), printBody);
    const hasMore = printed.length < seen.length;
    answer(makePage(printed, { printCursor, hasMore, readTo: upTo }));
  }
}

function isVisible({ type, keyId }: LogRow, wanted: WantedEvents): boolean {
  if (keyId === null) return wanted.types.public.includes(type);
  return keyId === wanted.keyId && wanted.types.key.includes(type);
}
