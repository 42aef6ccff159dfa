import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { connectDatabase } from '../../src/platform/database/database.ts';

/** All that a database keeps: each file beside it, byte by byte; or each of its tables, as text. */
export async function readStoredBytes(url: string): Promise<readonly string[]> {
  if (url.startsWith('file:')) {
    const folder = dirname(url.slice('file:'.length));
    return readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'));
  }

  const db = connectDatabase(url);
  try {
    const { rows } = await sql<{ name: string; rows: string }>`
      select table_name as name,
        query_to_xml(format('select * from %I', table_name), true, true, '')::text as rows
      from information_schema.tables where table_schema = current_schema()
    `.execute(db);
    return rows.map((table) => `${table.name}: ${table.rows}`);
  } finally {
    await db.destroy();
  }
}
