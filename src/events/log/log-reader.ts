import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log/log.ts';
import { type Cursor, type Cursors, readCursors } from './cursor.ts';
import { cursorAt, isValid, readMarks } from './epochs.ts';
import { type Horizon, readHorizon } from './horizon.ts';
import type { LogMemory } from './log-memory.ts';
import { listVisible, type VisibleTypes } from './log-rows.ts';
import { cursorPrinter, makePage, type Page, type PrintBody, printRows } from './page.ts';

/** Time, in seconds, for which a transaction may hold readers back before this is logged. */
const heldTooLongSeconds = 5;

/** A reader's request for a page. */
export type LogQuery = {
  readonly keyId: string;
  readonly types: VisibleTypes;
  /** Undefined reads from the oldest stored event; `now` from the end. */
  readonly after: Cursor | 'now' | undefined;
  readonly limit: number;
};

/** A page with the position up to which the log was searched for it. */
export type Read =
  | { readonly kind: 'page'; readonly page: Page; readonly readTo: number }
  /** Events after the cursor are deleted, or it is from before a restore; `oldest` reads from the oldest event. */
  | { readonly kind: 'expired'; readonly oldest: string };

type Parts = {
  readonly db: Db;
  readonly log: Log;
  readonly printBody: PrintBody;
  /** Undefined for a command, which remembers nothing. */
  readonly memory?: LogMemory;
};

/** Reads the event log (rules E1 to E3, E5). */
export class LogReader {
  readonly #parts: Parts;
  #cursors: Promise<Cursors> | undefined;
  #isHeldLogged = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The cursors of this log; read once. */
  async cursors(): Promise<Cursors> {
    this.#cursors ??= readCursors(this.#parts.db).catch((error: unknown) => {
      this.#cursors = undefined;
      throw error;
    });
    return this.#cursors;
  }

  /**
   * Reads how far readers may read. Logs a transaction that holds them back for long, once. Throws while the database is
   * known to have gone back and no epoch has begun yet: cursors could not be judged (rule E8).
   */
  async readHorizon(): Promise<Horizon> {
    this.#parts.memory?.requireSettled();
    const horizon = await readHorizon(this.#parts.db);
    const { heldSeconds } = horizon;
    const isHeldLong = (heldSeconds ?? 0) >= heldTooLongSeconds;
    if (isHeldLong && !this.#isHeldLogged) {
      this.#parts.log.warn(
        { heldSeconds: Math.trunc(heldSeconds ?? 0) },
        'readers of events wait for a transaction that has written an event and is still open',
      );
    }
    this.#isHeldLogged = isHeldLong;
    return horizon;
  }

  async read({ keyId, types, after, limit }: LogQuery): Promise<Read> {
    const { db, printBody, memory } = this.#parts;
    // The horizon first, then the events, then the marks: each is later than what it judges.
    const { position: horizon } = await this.readHorizon();
    const from = after === 'now' ? horizon : (after?.position ?? 0);
    // A cursor may be beyond the horizon, because another one may hold the log back since.
    const readTo = Math.max(horizon, from);
    const range = { after: from, upTo: horizon, limit };
    const found = await listVisible(db, { keyId, types }, range);
    memory?.note(found.rows);
    const printed = await printRows(found.rows, printBody);
    const cursors = await this.cursors();
    const marks = await readMarks(db, { from, to: readTo });
    if (typeof after === 'object' && !isValid(marks, after)) {
      const { deletedPosition: oldest } = marks;
      const ofOldest = await readMarks(db, { from: oldest, to: oldest });
      return { kind: 'expired', oldest: cursors.print(cursorAt(ofOldest, oldest)) };
    }
    const hasMore = found.hasMore || printed.length < found.rows.length;
    const printCursor = cursorPrinter(cursors, marks);
    return { kind: 'page', readTo, page: makePage(printed, { printCursor, hasMore, readTo }) };
  }
}
