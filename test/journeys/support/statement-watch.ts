import { DatabaseSync, StatementSync } from 'node:sqlite';

/** Faults at statements of a process that runs a job; statements are counted from 0. */
export type StatementPlan = {
  /** Kills the process before this statement. */
  readonly killBeforeStatement?: number;
  /** Kills the process after this statement, which SQLite has executed, or which was sent to PostgreSQL. */
  readonly killAfterStatement?: number;
  /** Kills the process before a statement that begins so, when it comes for the nth time. */
  readonly killBefore?: { readonly sql: string; readonly nth: number };
  /** A broken build: commits the snapshot before its rows, which get a transaction of their own. */
  readonly splitTransaction?: boolean;
};

/** Called for each statement that SQLite has executed, or that was sent to PostgreSQL. */
type Listener = { readonly onExecuted?: (sql: string) => void };

type Execute = (this: object, ...args: unknown[]) => unknown;
type Watched = (sql: string, execute: () => unknown, split: () => void) => unknown;

/**
 * Observes every statement of this process before it is executed, from now on, and applies the faults of the plan.
 * Returns the list of statements. The product needs no change for this: statements are counted in the driver.
 */
export async function watchStatements(
  databaseUrl: string,
  plan: StatementPlan & Listener,
): Promise<readonly string[]> {
  const statements: string[] = [];
  const { killBefore } = plan;
  let timesLeft = killBefore?.nth ?? 0;
  const watched: Watched = (sql, execute, split) => {
    if (plan.splitTransaction === true && sql.startsWith('insert into "rate_changes"')) split();
    const at = statements.push(sql) - 1;
    if (at === plan.killBeforeStatement) die();
    if (killBefore !== undefined && sql.startsWith(killBefore.sql) && --timesLeft === 0) die();
    const result = execute();
    if (at === plan.killAfterStatement) die();
    plan.onExecuted?.(sql);
    return result;
  };
  if (databaseUrl.startsWith('file:')) watchSqlite(watched);
  else await watchPostgresql(watched);
  return statements;
}

/** Kills this process like `kill -9`. */
export function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

function watchSqlite(watched: Watched): void {
  const databases = new Set<DatabaseSync>();
  const prepare: (sql: string) => StatementSync = Reflect.get(DatabaseSync.prototype, 'prepare');
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string): StatementSync {
    databases.add(this);
    return prepare.call(this, sql);
  };
  const split = (): void => {
    for (const database of databases) {
      if (database.isOpen && database.isTransaction) database.exec('commit; begin immediate');
    }
  };
  for (const method of ['run', 'all', 'iterate'] as const) {
    const execute = StatementSync.prototype[method] as Execute;
    const replaced = function (this: StatementSync, ...args: unknown[]): unknown {
      return watched(this.sourceSQL, () => execute.apply(this, args), split);
    };
    Object.assign(StatementSync.prototype, { [method]: replaced });
  }
}

async function watchPostgresql(watched: Watched): Promise<void> {
  // Processes on SQLite do not load the driver.
  const { Client } = await import('pg');
  const execute = Reflect.get(Client.prototype, 'query') as Execute;
  const replaced = function (this: object, ...args: unknown[]): unknown {
    const split = (): void => void execute.call(this, 'commit; begin');
    return watched(String(args[0]), () => execute.apply(this, args), split);
  };
  Object.assign(Client.prototype, { query: replaced });
}
