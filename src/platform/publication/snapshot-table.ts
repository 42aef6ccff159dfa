import { sql } from 'kysely';
import { builtOnce } from '../database/built-query.ts';
import type { Db, Tx } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { StoredBody } from '../http/responses/published-snapshots.ts';
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

type Named = {
  readonly table: SnapshotTableName;
  /** The column of dates. */
  readonly date: string;
  /** The column and value of this data set's rows, in a table that several data sets share. */
  readonly own?: readonly [column: string, value: string];
};

/** The stored snapshots of one data set by date: their bodies are the texts that callers get. */
export class SnapshotTable {
  readonly #table: 'fx_snapshots';
  readonly #date;
  readonly #own;
  readonly #findBodies = builtOnce(['date'], (db, { date }) =>
    this.#rows(db).select('body').where(this.#date, '=', date),
  );

  constructor({ table, date, own }: Named) {
    // All of them have a body and a date; the name of the date column is given beside it.
    this.#table = table as 'fx_snapshots';
    this.#date = sql.ref<string>(date);
    this.#own = own;
  }

  /** The newest snapshot; undefined before the first. */
  async findLatest(db: Db): Promise<StoredBody | undefined> {
    const newest = this.#rows(db)
      .select([this.#date.as('date'), 'body'])
      .orderBy(this.#date, 'desc');
    const row = await newest.limit(1).executeTakeFirst();
    return row === undefined ? undefined : { date: isoDate(row.date), body: row.body };
  }

  /** The moment at which the oldest snapshot was stored: a first fill begins with it. Undefined before the first. */
  async findBegun(db: Db): Promise<string | undefined> {
    const oldest = this.#rows(db).select('stored_at').orderBy(this.#date).limit(1);
    return (await oldest.executeTakeFirst())?.stored_at;
  }

  /** The newest snapshot before a date; undefined if there is none. */
  async findBefore(db: Db, date: IsoDate): Promise<StoredBody | undefined> {
    const { previous } = await this.findNeighbours(db, date);
    if (previous === undefined) return undefined;
    const body = await this.findBody(db, isoDate(previous));
    return body === undefined ? undefined : { date: isoDate(previous), body };
  }

  /** The body of a date; undefined if there is no snapshot for it. */
  async findBody(db: Db, date: IsoDate): Promise<string | undefined> {
    const [row] = await this.#findBodies(db, { date });
    return row?.body;
  }

  /** The bodies from a date on, through another one if it is given; oldest first. */
  async listBodies(
    db: Db,
    { from, to }: { readonly from: string; readonly to?: string },
  ): Promise<readonly string[]> {
    let rows = this.#rows(db).select('body').where(this.#date, '>=', from).orderBy(this.#date);
    if (to !== undefined) rows = rows.where(this.#date, '<=', to);
    return (await rows.execute()).map(({ body }) => body);
  }

  /** The nearest dates before and after a date that have a snapshot. */
  async findNeighbours(db: Db, date: IsoDate): Promise<Neighbours> {
    const dates = this.#rows(db).select(this.#date.as('date')).limit(1);
    const before = dates.where(this.#date, '<', date).orderBy(this.#date, 'desc');
    const after = dates.where(this.#date, '>', date).orderBy(this.#date, 'asc');
    return {
      previous: (await before.executeTakeFirst())?.date,
      next: (await after.executeTakeFirst())?.date,
    };
  }

  /** The dates of a span that have a snapshot, the oldest first. */
  async listDates(db: Db, { from, to }: DateSpan): Promise<IsoDate[]> {
    let rows = this.#rows(db).select(this.#date.as('date')).orderBy(this.#date);
    if (from !== undefined) rows = rows.where(this.#date, '>=', from);
    if (to !== undefined) rows = rows.where(this.#date, '<=', to);
    return (await rows.execute()).map(({ date }) => isoDate(date));
  }

  /** All dates with the value that a column has, the oldest first. */
  async listColumn(db: Db, column: string): Promise<{ date: IsoDate; value: string }[]> {
    const value = sql.ref<string>(column).as('value');
    const rows = this.#rows(db)
      .select([this.#date.as('date'), value])
      .orderBy(this.#date);
    return (await rows.execute()).map((row) => ({ date: isoDate(row.date), value: row.value }));
  }

  /** Stores snapshots; `rows` have the columns of the table. */
  async insert(tx: Tx, rows: readonly Readonly<Record<string, string | null>>[]): Promise<void> {
    const own = this.#own === undefined ? {} : { [this.#own[0]]: this.#own[1] };
    const values = rows.map((row) => ({ ...row, ...own }) as never);
    await tx.insertInto(this.#table).values(values).execute();
  }

  /** Replaces the body of a date: only an operator's command does this (contract C20). */
  async replaceBody(tx: Tx, date: IsoDate, body: string): Promise<void> {
    await tx
      .updateTable(this.#table)
      .set({ body })
      .where(this.#date, '=', date)
      .where(this.#isOwn)
      .execute();
  }

  async delete(tx: Tx, dates: readonly IsoDate[]): Promise<void> {
    await tx.deleteFrom(this.#table).where(this.#date, 'in', dates).where(this.#isOwn).execute();
  }

  #rows(db: Db) {
    return db.selectFrom(this.#table).where(this.#isOwn);
  }

  /** True for the rows of this data set. */
  get #isOwn() {
    return this.#own === undefined
      ? sql<boolean>`1 = 1`
      : sql<boolean>`${sql.ref(this.#own[0])} = ${this.#own[1]}`;
  }
}
