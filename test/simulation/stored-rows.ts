import type { DatabaseSync } from 'node:sqlite';

export type StoredRates = {
  readonly version: string;
  readonly origin: string;
  readonly body: string;
};

export type StoredChange = {
  readonly id: string;
  readonly snapshot_date: string;
  readonly country: string;
  readonly field: string;
  readonly old: string | null;
  readonly new: string | null;
  readonly detected_at: string;
};

export type StoredRun = {
  readonly row: number;
  readonly job: string;
  readonly version: string | null;
  readonly outcome: string | null;
  readonly changes: number;
  readonly published: number;
};

/** All rows that the invariants need, read from the file without the product. */
export type StoredRows = {
  /** Oldest first. */
  readonly rates: readonly StoredRates[];
  readonly changes: readonly StoredChange[];
  /** The snapshot dates of the events. */
  readonly events: readonly string[];
  /** Oldest first. */
  readonly fx: readonly { readonly date: string; readonly body: string }[];
  /** Runs that began after a given row, and runs that are open. */
  readonly runs: readonly StoredRun[];
  /** Versions that an operator has approved, as `rates 2025-03-01`. */
  readonly approved: ReadonlySet<string>;
  /** The same for all versions that the gate has held. */
  readonly held: ReadonlySet<string>;
  /** The number of corrections of a date by an operator. */
  readonly corrected: ReadonlyMap<string, number>;
  /** The number of snapshots ever held, and of those that wait for a decision. */
  readonly heldCount: number;
  readonly waitingCount: number;
};

export function readRows(database: DatabaseSync, afterRun: number): StoredRows {
  // One transaction, so that all rows are of the same moment.
  database.exec('begin');
  try {
    const all = <T>(sql: string, ...values: (string | number)[]): T[] =>
      database.prepare(sql).all(...values) as T[];
    return {
      rates: all('select version, origin, body from rate_snapshots order by version'),
      changes: all('select * from rate_changes order by snapshot_date, country, field'),
      events: all<{ date: string }>(
        `select snapshot_date as date from events where type = 'rates.changed' order by 1`,
      ).map(({ date }) => date),
      fx: all('select date, body from fx_snapshots order by date'),
      runs: all(
        `select rowid as row, job, version, outcome, changes, published from runs
         where rowid > ? or outcome is null`,
        afterRun,
      ),
      approved: new Set(
        all<{ name: string }>(
          `select kind || ' ' || version as name from audit join held_snapshots h on h.id = subject
           where action = 'snapshots.approved'`,
        ).map(({ name }) => name),
      ),
      held: new Set(
        all<{ name: string }>(`select kind || ' ' || version as name from held_snapshots`).map(
          ({ name }) => name,
        ),
      ),
      corrected: new Map(
        all<{ subject: string; times: number }>(
          `select subject, count(*) as times from audit where action = 'fx.correct' group by 1`,
        ).map(({ subject, times }) => [subject, times]),
      ),
      ...all<{ heldCount: number; waitingCount: number }>(
        `select count(*) as heldCount, count(*) filter (where state = 'held') as waitingCount
         from held_snapshots`,
      )[0]!,
    };
  } finally {
    database.exec('rollback');
  }
}
