import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tables, Tx } from './tables.ts';

type TableName = keyof Tables;
type Row = Readonly<Record<string, string | number | null>>;
type Keyed = { readonly table: TableName; readonly key: readonly string[] };

/** Rows in one statement: few enough for the limits of parameters, time and memory on both sides. */
const portionRows = 200;
/** Maximum of PostgreSQL's `integer`, the type of all numbers except positions of events. SQLite's is larger. */
const integerMax = 2 ** 31 - 1;

/**
 * The primary key of each table; undefined for tables that are not copied.
 *
 * Leases, revisions, replicas and marks describe the processes that use a database, so they start from nothing in a
 * new one. The columns of exchange rates are made from the snapshots by the first server that starts. The SECRET_KEY
 * in use is found at the next start, from the secrets that were copied. The one row of the event log is in every
 * database; `copyEventLog` overwrites it. Processes that ran on the source need the positions of deleted events, and none of
 * them goes on. Only version 0.2 counts replays.
 */
export const primaryKeys: {
  readonly [T in TableName]: readonly (keyof Tables[T] & string)[] | undefined;
} = {
  rate_snapshots: ['version'],
  rate_changes: ['id'],
  rate_category_sets: ['id'],
  rate_categories: ['version'],
  rate_errata: ['id'],
  rate_errata_fixed: ['id'],
  goods_errata: ['id'],
  fx_snapshots: ['date'],
  bank_publications: ['bank', 'date'],
  bank_reads: ['bank'],
  bank_absences: ['bank', 'date'],
  runs: ['id'],
  held_snapshots: ['id'],
  corrections: ['id'],
  withdrawals: ['id'],
  api_keys: ['id'],
  key_secrets: ['secret_hash'],
  key_use: ['use_date', 'key_id'],
  key_use_journal: ['id'],
  events: ['id'],
  event_log_epochs: ['id'],
  webhook_subscriptions: ['id'],
  webhook_secrets: ['id'],
  webhook_headers: ['subscription_id'],
  webhook_deliveries: ['id'],
  webhook_attempts: ['id'],
  vat_checks: ['id'],
  vat_check_exchanges: ['check_id'],
  vat_check_batches: ['id'],
  vat_check_idempotency: ['key_id', 'idempotency_key'],
  vat_registries: ['registry_code'],
  registry_controls: ['registry', 'key_id', 'number'],
  registry_blocks: ['registry'],
  registry_calls: ['day'],
  registry_key_calls: ['day', 'key_id'],
  vat_watches: ['id'],
  evidence_keys: ['id'],
  audit: ['id'],
  leases: undefined,
  revisions: undefined,
  fx_columns: undefined,
  replicas: undefined,
  commit_marks: undefined,
  secret_key_in_use: undefined,
  event_log: undefined,
  deleted_events: undefined,
  webhook_replays: undefined,
};

const tableNames = Object.keys(primaryKeys) as TableName[];
const copiedTables = tableNames.flatMap((table): Keyed[] => {
  const key = primaryKeys[table];
  return key === undefined ? [] : [{ table, key }];
});

/** Called after each portion; it may throw to end the work. */
type OnPortion = (rows: number) => void;

/** Counts the rows to copy. */
export async function countRows(db: Db): Promise<number> {
  let sum = 0;
  for (const { table } of copiedTables) {
    const counted = await sql<{
      rows: number | string;
    }>`select count(*) as "rows" from ${sql.table(table)}`.execute(db);
    sum += Number(counted.rows[0]?.rows);
  }
  return sum;
}

/**
 * Lists the tables that hold rows already, of those that would be copied. The database is a PostgreSQL, and need
 * not have been migrated.
 */
export async function listFilledTables(db: Db): Promise<string[]> {
  const filled: string[] = [];
  for (const { table } of copiedTables) {
    const known = await sql<{
      isThere: boolean;
    }>`select to_regclass(${table}) is not null as "isThere"`.execute(db);
    if (known.rows[0]?.isThere !== true) continue;
    const first = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
    if (first.rows.length > 0) filled.push(table);
  }
  return filled;
}

/** Keeps other processes from writing to a PostgreSQL until the transaction ends; a server that starts waits. */
export async function lockTables(tx: Tx): Promise<void> {
  const tables = sql.join(tableNames.map((table) => sql.table(table)));
  await sql`lock table ${tables} in exclusive mode`.execute(tx);
}

/** The row count of a table, and the digest of its rows in the order of their primary key. */
type Sum = { readonly rows: number; readonly digest: string };
type Sums = Readonly<Record<string, Sum>>;

/**
 * Copies all rows into a PostgreSQL that has none, and returns the sums of what was read. Throws if a value cannot be
 * stored there.
 */
export async function copyRows(from: Tx, to: Tx, onPortion: OnPortion): Promise<Sums> {
  return sumTables(from, async (rows, keyed) => {
    for (const row of rows) assertStorable(row, keyed);
    await insertRows(to, keyed.table, rows);
    onPortion(rows.length);
  });
}

/** Continues the event log in the copy: cursors stay valid, and no position is given twice. */
export async function copyEventLog(from: Tx, to: Tx): Promise<void> {
  const log = await from.selectFrom('event_log').selectAll().executeTakeFirstOrThrow();
  await to.updateTable('event_log').set(log).execute();
  await sql`select setval('event_positions', last_position) from event_log`.execute(to);
}

/** Reads all rows of the copy, and throws if a table has another number of rows or another digest than was read. */
export async function compareRows(copy: Tx, expected: Sums, onPortion: OnPortion): Promise<void> {
  const found = await sumTables(copy, (rows) => onPortion(rows.length));
  for (const [table, { rows, digest }] of Object.entries(expected)) {
    const copied = found[table];
    if (copied?.rows !== rows) {
      throw new Error(`${table} has ${rows} rows, and ${copied?.rows ?? 0} in the copy`);
    }
    if (copied.digest !== digest)
      throw new Error(`the rows of ${table} are not the same in the copy`);
  }
}

async function sumTables(
  db: Tx,
  onRows: (rows: readonly Row[], keyed: Keyed) => void | Promise<void>,
): Promise<Sums> {
  const sums: Record<string, Sum> = {};
  for (const keyed of copiedTables) {
    const digest = createHash('sha256');
    let count = 0;
    for await (const rows of readPortions(db, keyed)) {
      await onRows(rows, keyed);
      // In one order of columns on both sides; each row ends with its bracket.
      for (const row of rows) digest.update(JSON.stringify(row, Object.keys(row).sort()));
      count += rows.length;
    }
    sums[keyed.table] = { rows: count, digest: digest.digest('hex') };
  }
  return sums;
}

/** Reads a table in the order of its primary key. Each portion starts at a key, so a late one costs no more. */
async function* readPortions(
  db: Tx,
  { table, key }: Keyed,
): AsyncGenerator<readonly Row[], undefined> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let last: Row | undefined;
  for (;;) {
    const after =
      last === undefined ? sql`` : sql`where (${columns}) > (${sql.join(keyOf(last, key))})`;
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} ${after} order by ${columns} limit ${portionRows}`.execute(
      db,
    );
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1);
  }
}

async function insertRows(db: Tx, table: TableName, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(db);
}

/** Throws an error that names the row; PostgreSQL's own error does not. */
function assertStorable(row: Row, keyed: Keyed): void {
  for (const [column, value] of Object.entries(row)) {
    if (typeof value === 'string' && value.includes('\0')) {
      throw new Error(`${column} of ${nameOf(row, keyed)} holds a NUL character; remove it`);
    }
    if (typeof value === 'number' && Math.abs(value) > integerMax && column !== 'position') {
      throw new Error(
        `${column} of ${nameOf(row, keyed)} is ${value}, expected up to ${integerMax}`,
      );
    }
  }
}

function nameOf(row: Row, { table, key }: Keyed): string {
  return `${table} ${JSON.stringify(keyOf(row, key).join(' '))}`;
}

function keyOf(row: Row, key: readonly string[]): (string | number | null)[] {
  return key.map((column) => row[column] ?? null);
}
