import { joinJson } from '../../platform/values/exact-json.ts';
import { pageBytesMax } from '../../platform/values/page-limit.ts';
import type { Cursors } from './cursor.ts';
import { cursorAt, type LogMarks } from './epochs.ts';
import type { LogRow } from './log-rows.ts';

/** Prints the body of an event's webhook deliveries. */
export type PrintBody = (event: LogRow) => Promise<string>;

/** A page of the log. */
export type Page = {
  /** The events as JSON, oldest first. */
  readonly events: readonly string[];
  /** The cursor of the next page. */
  readonly nextCursor: string;
  readonly hasMore: boolean;
};

/** An event with the body of its deliveries. */
export type PrintedRow = { readonly position: number; readonly id: string; readonly body: string };

/** Prints the bodies of the first rows that fit on a page: some bodies are not stored, but made from other rows. */
export async function printRows(
  rows: readonly LogRow[],
  printBody: PrintBody,
): Promise<PrintedRow[]> {
  const printed: PrintedRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    const body = await printBody(row);
    bytes += Buffer.byteLength(body);
    if (printed.length > 0 && bytes > pageBytesMax) break;
    printed.push({ position: row.position, id: row.id, body });
  }
  return printed;
}

/** Prints the cursor after a position. */
export type PrintCursor = (position: number) => string;

/** Prints cursors of positions among the marks, each once, because a thousand requests may wait for the same event. */
export function cursorPrinter(cursors: Cursors, marks: LogMarks): PrintCursor {
  const printed = new Map<number, string>();
  return (position) => {
    const before = printed.get(position);
    if (before !== undefined) return before;
    const cursor = cursors.print(cursorAt(marks, position));
    printed.set(position, cursor);
    return cursor;
  };
}

/**
 * Makes a page of rows that were printed. The cursor after the last page is the end of the complete part, so that a
 * reader does not read the events of other keys again and again.
 */
export function makePage(
  printed: readonly PrintedRow[],
  of: {
    readonly printCursor: PrintCursor;
    readonly hasMore: boolean;
    /** The position that a reader of all events has reached. */
    readonly readTo: number;
  },
): Page {
  const { printCursor, hasMore } = of;
  const last = printed.at(-1)?.position ?? 0;
  return {
    events: printed.map((row) => printEvent(row, printCursor(row.position))),
    nextCursor: printCursor(hasMore ? last : Math.max(last, of.readTo)),
    hasMore,
  };
}

/** Prints an event: its id and cursor, and the fields of the body as the bytes that receivers get (rule E6). */
function printEvent({ id, body }: PrintedRow, cursor: string): string {
  return joinJson({ id, cursor }, body);
}

/** Prints the answer of `GET /events`. */
export function printPage({ events, nextCursor, hasMore }: Page): string {
  return `{"events":[${events.join(',')}],"nextCursor":"${nextCursor}","hasMore":${hasMore}}`;
}
