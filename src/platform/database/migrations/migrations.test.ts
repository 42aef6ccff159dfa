import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tableNames } from '../../../../test/support/table-names.ts';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../../test/support/temporary-database.ts';
import { connectDatabase, type Db } from '../database.ts';
import { migrate } from './migrations.ts';
import { making } from '../../../../test/support/making.ts';

function connect(url: string): Db {
  const db = connectDatabase(url, making);
  onTestFinished(async () => db.destroy());
  return db;
}

describe('migrate', () => {
  it('keeps every table of version 0.2, because its replicas serve during a rolling upgrade', async () => {
    const made = readFileSync('test/releases/0.2.0/sqlite.sql', 'utf8');
    const earlier = [...made.matchAll(/^CREATE TABLE "(\w+)"/gm)].map(([, name = '']) => name);
    const tables = earlier.filter((name) => !name.startsWith('kysely'));

    expect(tables.length).toBeGreaterThan(30);
    expect(await tableNames(await openTemporaryDatabase())).toEqual(expect.arrayContaining(tables));
  });

  it('changes nothing if it fails halfway', async () => {
    const db = connect(temporaryDatabaseUrl({ isEmpty: true }));
    await sql`create table runs (in_the_way text)`.execute(db);

    await expect(migrate(db)).rejects.toThrow(
      'database: the migration 0001-first-tables failed; nothing was changed',
    );

    expect(await tableNames(db)).toEqual(['runs']);
  });
});
