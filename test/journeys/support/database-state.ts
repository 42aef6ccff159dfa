import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** A digest of every row of every table: databases with the same digest have the same rows. */
export function digestState(database: DatabaseSync): string {
  const hash = createHash('sha256');
  const tables = database
    .prepare(`select name from sqlite_master where type = 'table' order by name`)
    .all();
  for (const { name } of tables) {
    const rows = database.prepare(`select * from "${String(name)}"`).all();
    hash.update(JSON.stringify([name, rows.map((row) => JSON.stringify(row)).sort()]));
  }
  return hash.digest('hex');
}

/** Change rows of each published date, which may be none. */
export type RowsDue = Readonly<Record<string, number>>;

/** Count of change rows of each published date. */
export function countRows(database: DatabaseSync): RowsDue {
  const { versions, rows } = readDays(database);
  return Object.fromEntries(versions.map((date) => [date, rows.filter((d) => d === date).length]));
}

/**
 * Days that have one part and lack another: snapshot, change rows, event, run with the outcome published; for
 * exchange rates their days and the counts of the runs.
 */
export function halfWritten(database: DatabaseSync, due: RowsDue): string[] {
  const { versions, rows, events, runs, fxCount, fxRuns } = readDays(database);
  const dates = new Set([...versions, ...rows, ...events, ...runs]);
  const half = [...dates].filter((date) => {
    const rowsDue = due[date] ?? 0;
    return !(
      versions.includes(date) &&
      runs.includes(date) &&
      rows.filter((d) => d === date).length === rowsDue &&
      events.includes(date) === rowsDue > 0
    );
  });
  return fxCount === fxRuns ? half : [...half, `${fxCount} days of fx, ${fxRuns} in runs`];
}

type Days = Readonly<Record<'versions' | 'rows' | 'events' | 'runs', readonly string[]>> & {
  readonly fxCount: number;
  readonly fxRuns: number;
};

function readDays(database: DatabaseSync): Days {
  const list = (sql: string): string[] =>
    database
      .prepare(sql)
      .all()
      .map((row) => String(Object.values(row)[0]));
  const number = (sql: string): number => Number(list(sql)[0]);
  return {
    versions: list(`select version from rate_snapshots where origin = 'job'`),
    rows: list('select snapshot_date from rate_changes'),
    events: list(`select snapshot_date from events where type = 'rates.changed'`),
    runs: list(`select version from runs where job = 'rates' and outcome = 'published'`),
    fxCount: number('select count(*) from fx_snapshots'),
    fxRuns: number(`select coalesce(sum(published), 0) from runs where job = 'fx'`),
  };
}
