import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { oneByOne } from '../../platform/database/portions.ts';
import { bumpRevision } from '../../platform/database/replicas/revisions.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import { type CurrencyCode, type FxSnapshot, parseSnapshot } from '../snapshot.ts';

/** The name of the column of dates; not a currency code, which has three capitals. */
const datesName = 'date';
/** Characters of a date in its column, with its quotes and the comma. */
const dateCellChars = 13;

/** The columns of one year: for each publication a cell, as it is printed in an answer. */
export type YearOfColumns = {
  /** The dates as JSON strings, oldest first. */
  readonly dates: readonly string[];
  /** By currency, the cells joined by commas; a currency that has no value in the year is missing. */
  readonly cells: ReadonlyMap<string, string>;
};

/**
 * Writes the columns of some years from the stored publications, in the transaction that changed them.
 *
 * The caller has raised the revision of `fx` before: its row is the lock that keeps two writers of one year
 * apart, so that the later one reads the publications of the earlier one. `stored` are publications that the
 * caller has just stored: their bodies are not parsed again. On a first start these are all of 27 years.
 */
export async function storeColumns(
  tx: Tx,
  years: ReadonlySet<string>,
  stored: readonly FxSnapshot[] = [],
): Promise<void> {
  const known = new Map<string, FxSnapshot>(stored.map((snapshot) => [snapshot.date, snapshot]));
  await oneByOne([...years], async (year) => {
    const rows = await tx
      .selectFrom('fx_snapshots')
      .select(['date', 'body'])
      .where('date', '>=', `${year}-01-01`)
      .where('date', '<=', `${year}-12-31`)
      .orderBy('date')
      .execute();
    const columns = toColumns(rows.map(({ date, body }) => known.get(date) ?? parseSnapshot(body)));
    const printed = [...columns].map(([name, cells]) => ({ year, name, cells: cells.join(',') }));
    await tx.deleteFrom('fx_columns').where('year', '=', year).execute();
    if (printed.length > 0) await tx.insertInto('fx_columns').values(printed).execute();
  });
}

/** The years of dates, for `storeColumns`. */
export function yearsOf(dates: readonly IsoDate[]): ReadonlySet<string> {
  return new Set(dates.map((date) => date.slice(0, 4)));
}

/** The columns of the years that a span touches, oldest first: the dates and some currencies. */
export async function readColumns(
  db: Db,
  wanted: {
    readonly from: IsoDate;
    readonly to: IsoDate;
    readonly currencies: readonly CurrencyCode[];
  },
): Promise<readonly YearOfColumns[]> {
  const rows = await db
    .selectFrom('fx_columns')
    .selectAll()
    .where('year', '>=', wanted.from.slice(0, 4))
    .where('year', '<=', wanted.to.slice(0, 4))
    .where('name', 'in', [datesName, ...wanted.currencies])
    .orderBy('year')
    .execute();
  const years = new Map<string, Map<string, string>>();
  for (const { year, name, cells } of rows) {
    const known = years.get(year) ?? new Map<string, string>();
    years.set(year, known.set(name, cells));
  }
  return [...years.values()].map((cells) => ({
    dates: cells.get(datesName)?.split(',') ?? [],
    cells,
  }));
}

/** The currencies that the stored history has, in no order. */
export async function listCurrencies(db: Db): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('fx_columns')
    .select('name')
    .distinct()
    .where('name', '!=', datesName)
    .execute();
  return rows.map(({ name }) => name);
}

/**
 * Writes the columns of years that lack some of the stored publications; nothing if no year does.
 *
 * A year lacks publications after an upgrade from an earlier version, after a copy from another engine, and
 * while a replica of an earlier version publishes.
 */
export async function repairColumns(db: Db): Promise<void> {
  if ((await listIncompleteYears(db)).size === 0) return;
  await db.transaction().execute(async (tx) => {
    await bumpRevision(tx, 'fx');
    await storeColumns(tx, await listIncompleteYears(tx));
  });
}

async function listIncompleteYears(db: Db): Promise<ReadonlySet<string>> {
  const stored = await db
    .selectFrom('fx_snapshots')
    .select([sql<string>`substr(date, 1, 4)`.as('year'), sql<number | string>`count(*)`.as('days')])
    .groupBy('year')
    .execute();
  const columns = await db
    .selectFrom('fx_columns')
    .select(['year', sql<number | string>`length(cells)`.as('chars')])
    .where('name', '=', datesName)
    .execute();
  // PostgreSQL gives counts as text.
  const storedDays = new Map(stored.map(({ year, days }) => [year, Number(days)]));
  const columnDays = new Map(
    columns.map(({ year, chars }) => [year, (Number(chars) + 1) / dateCellChars]),
  );
  const years = [...storedDays.keys(), ...columnDays.keys()];
  return new Set(years.filter((year) => storedDays.get(year) !== columnDays.get(year)));
}

/** Publications of a year, oldest first, by column. */
function toColumns(publications: readonly FxSnapshot[]): ReadonlyMap<string, string[]> {
  const dates = publications.map(({ date }) => `"${date}"`);
  if (dates.length === 0) return new Map();
  const columns = new Map([[datesName, dates]]);
  for (const [at, { rates }] of publications.entries()) {
    for (const [currency, value] of rates) {
      let cells = columns.get(currency);
      if (cells === undefined) {
        cells = dates.map(() => 'null');
        columns.set(currency, cells);
      }
      // The decimal of the publication, as it is (contract C11).
      cells[at] = value;
    }
  }
  return columns;
}
