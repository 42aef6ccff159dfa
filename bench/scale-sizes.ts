import { sql } from 'kysely';
import type { Db } from '../src/platform/database/database.ts';
import { engineOf } from '../src/platform/database/dialect.ts';
import type { Result } from './measure.ts';

/** Bytes of a table and of its indexes, and its count of rows. */
type Table = { readonly rows: number; readonly indexes: number; readonly count: number };
export type Sizes = ReadonlyMap<string, Table>;

/** The tables that grow. */
const growing = [
  'vat_checks',
  'vat_check_exchanges',
  'events',
  'vat_watches',
  'api_keys',
  'key_secrets',
  'key_use',
] as const;

/** Reads the bytes of the tables that grow from the database itself, and counts their rows. */
export async function readSizes(db: Db): Promise<Sizes> {
  const { rows } = await (isEmbedded(db) ? sizesOfSqlite : sizesOfPostgresql).execute(db);
  const sizes = new Map<string, Table>();
  for (const table of growing) {
    const found = rows.find(({ name }) => name === table);
    const counted = db.selectFrom(table).select(({ fn }) => fn.countAll().as('count'));
    const { count } = await counted.executeTakeFirstOrThrow();
    const bytes = { rows: Number(found?.rows), indexes: Number(found?.indexes) };
    sizes.set(table, { ...bytes, count: Number(count) });
  }
  return sizes;
}

type Row = { name: string; rows: number | string; indexes: number | string };

const sizesOfSqlite = sql<Row>`
  select s.tbl_name as name, sum(case s.type when 'table' then d.pgsize else 0 end) as rows,
    sum(case s.type when 'index' then d.pgsize else 0 end) as indexes
  from (select name, sum(pgsize) as pgsize from dbstat group by name) as d
  join sqlite_schema as s on s.name = d.name group by s.tbl_name`;

const sizesOfPostgresql = sql<Row>`
  select relname as name, pg_table_size(oid) as rows, pg_indexes_size(oid) as indexes
  from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`;

/** Bytes that one more row takes: between the first two sizes, and between the last two. If they are equal, growth is linear. */
export function printGrowth(engine: string, measured: readonly Sizes[]): Result[] {
  const parts = { rows: 'itself', indexes: 'in indexes' } as const;
  const slopes = (table: string, part: keyof typeof parts): number[] =>
    measured.slice(1).map((sizes, index) => {
      const [to, from] = [sizes.get(table), measured[index]?.get(table)];
      if (to === undefined || from === undefined) return Number.NaN;
      return (to[part] - from[part]) / (to.count - from.count);
    });
  return growing.flatMap((table) =>
    (['rows', 'indexes'] as const).map((part) => ({
      name: `SCALE ${engine}, one more row of ${table}, ${parts[part]}`,
      rounds: slopes(table, part),
      unit: 'bytes',
      goal: '—',
    })),
  );
}

function isEmbedded(db: Db): boolean {
  return engineOf(db).name === 'sqlite';
}
