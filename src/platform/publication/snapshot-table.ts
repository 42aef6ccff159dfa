import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { DateSpan } from '../http/routes/date-parameters.ts';
import { isoDate, type IsoDate } from '../time/time.ts';

/** The nearest dates that have a snapshot, around one that may have none. */
export type Neighbours = {
  readonly previous: string | undefined;
  readonly next: string | undefined;
};

/** The tables of snapshots: every table with a `body`. Each has a date column of its own name. */
type SnapshotTableName = {
  [Name in keyof Tables]: 'body' extends keyof Tables[Name] ? Name : never;
}[keyof Tables];

type Named = { readonly table: SnapshotTableName; readonly date: string };

/** Reads the snapshots of one data set by date: their bodies are the texts that callers get. */
export class SnapshotTable {
  readonly #table: 'fx_snapshots';
  readonly #date;

  constructor({ table, date }: Named) {
    // All of them have a body and a date; the name of the date column is given beside it.
    this.#table = table as 'fx_snapshots';
    this.#date = sql.ref<string>(date);
  }

  /** The body of a date; undefined if there is no snapshot for it. */
  async findBody(db: Db, date: IsoDate): Promise<string | undefined> {
    return (await this.bodyQuery(db, date).executeTakeFirst())?.body;
  }

  /** The query of `findBody`, for a reader that runs it itself; its one parameter is the date. */
  bodyQuery(db: Db, date: IsoDate) {
    return db.selectFrom(this.#table).select('body').where(this.#date, '=', date);
  }

  /** The nearest dates before and after a date that have a snapshot. */
  async findNeighbours(db: Db, date: IsoDate): Promise<Neighbours> {
    const dates = db.selectFrom(this.#table).select(this.#date.as('date')).limit(1);
    const before = dates.where(this.#date, '<', date).orderBy(this.#date, 'desc');
    const after = dates.where(this.#date, '>', date).orderBy(this.#date, 'asc');
    return {
      previous: (await before.executeTakeFirst())?.date,
      next: (await after.executeTakeFirst())?.date,
    };
  }

  /** The dates of a span that have a snapshot, the oldest first. */
  async listDates(db: Db, { from, to }: DateSpan): Promise<IsoDate[]> {
    let rows = db.selectFrom(this.#table).select(this.#date.as('date')).orderBy(this.#date);
    if (from !== undefined) rows = rows.where(this.#date, '>=', from);
    if (to !== undefined) rows = rows.where(this.#date, '<=', to);
    return (await rows.execute()).map(({ date }) => isoDate(date));
  }
}
