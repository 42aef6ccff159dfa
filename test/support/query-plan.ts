import {
  CompiledQuery,
  createQueryId,
  type KyselyPlugin,
  type RootOperationNode,
  sql,
} from 'kysely';
import type { Db } from '../../src/platform/database/database.ts';
import { isPostgresql } from './temporary-database.ts';

/**
 * How rows are found: `by index`, in their order, or else the plan of the engine. `from` is what comes after
 * `select * from`.
 *
 * PostgreSQL reads a small table whole, whatever its indexes: the plan is the one that it has without that.
 */
export async function explainAccess(db: Db, from: string): Promise<string> {
  const query = sql`select * from ${sql.raw(from)}`;
  if (!isPostgresql) {
    const { rows } = await sql<{ detail: string }>`explain query plan ${query}`.execute(db);
    const isIndexed = rows.length === 1 && rows[0]?.detail.startsWith('SEARCH ');
    return isIndexed ? 'by index' : JSON.stringify(rows);
  }
  return db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    await sql`set local enable_sort = off`.execute(tx);
    const { rows } = await sql<Record<string, string>>`explain (costs off) ${query}`.execute(tx);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    return /Index/.test(plan) && !/Seq Scan|Sort/.test(plan) ? 'by index' : plan;
  });
}

type PlanNode = Readonly<Record<string, string | number>> & {
  readonly Plans?: readonly PlanNode[];
};

/** Collects the statements of a read. */
export async function statementsOf(
  db: Db,
  read: (db: Db) => Promise<unknown>,
): Promise<CompiledQuery[]> {
  const nodes: RootOperationNode[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await read(db.withPlugin(plugin));
  return nodes.map((node) => db.getExecutor().compileQuery(node, createQueryId()));
}

/** The steps of SQLite's plan of a statement. */
export async function stepsOf(db: Db, statement: CompiledQuery): Promise<string[]> {
  const explained = explain('query plan', statement);
  const { rows } = await db.executeQuery<{ detail: string }>(explained);
  return rows.map(({ detail }) => detail);
}

/** Count of the rows that PostgreSQL reads from tables. */
export async function countRead(db: Db, read: (db: Db) => Promise<unknown>): Promise<number> {
  const statements = await statementsOf(db, read);
  const plans = await Promise.all(statements.map(async (one) => planOf(db, one)));
  const scans = plans.flat().filter((node) => `${node['Node Type']}`.endsWith('Scan'));
  const counts = scans.flatMap((node) => [node['Actual Rows'], node['Rows Removed by Filter']]);
  return counts.reduce((sum: number, count) => sum + Number(count ?? 0), 0);
}

/** The nodes of PostgreSQL's plan of a statement, which is executed. */
export async function planOf(db: Db, statement: CompiledQuery): Promise<readonly PlanNode[]> {
  const options = '(analyze, timing off, costs off, format json)';
  const explained = explain(options, statement);
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained);
  return flatten(rows[0]?.['QUERY PLAN'][0].Plan);
}

function flatten(node: PlanNode | undefined): PlanNode[] {
  return node === undefined ? [] : [node, ...(node.Plans ?? []).flatMap(flatten)];
}

function explain(how: string, { sql: text, parameters }: CompiledQuery): CompiledQuery<never> {
  return CompiledQuery.raw(`explain ${how} ${text}`, [...parameters]);
}
