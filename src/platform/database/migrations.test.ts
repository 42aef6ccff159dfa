import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type OtherThread, startThread } from '../../../test/support/start-thread.ts';
import { tableNames } from '../../../test/support/table-names.ts';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../test/support/temporary-database.ts';
import { connectDatabase, type Db } from './database.ts';
import { migrate } from './migrations.ts';

function connect(url: string): Db {
  const db = connectDatabase(url);
  onTestFinished(async () => db.destroy());
  return db;
}

/** A thread that opens the database and migrates it when it gets a message. */
async function startMigrator(url: string): Promise<OtherThread> {
  const thread = startThread(
    `
      const { connectDatabase } = await import(data.database);
      const { migrate } = await import(data.migrations);
      tell('ready');
      await hear();
      const db = connectDatabase(data.url);
      const done = await migrate(db);
      await db.destroy();
      tell(done);
    `,
    {
      url,
      database: import.meta.resolve('./database.ts'),
      migrations: import.meta.resolve('./migrations.ts'),
    },
  );
  await thread.hear();
  return thread;
}

async function namesOfMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name
  `.execute(db);
  return rows.map(({ name }) => name);
}

describe('migrate', () => {
  it('makes every table of an empty database and returns the names of its migrations', async () => {
    const db = connect(temporaryDatabaseUrl({ isEmpty: true }));

    const done = await migrate(db);

    expect(done[0]).toBe('0001-first-tables');
    expect(await tableNames(db)).toEqual(
      expect.arrayContaining(['api_keys', 'events', 'fx_snapshots', 'rate_snapshots', 'runs']),
    );
  });

  it('keeps every table of version 0.2, because its replicas serve during a rolling upgrade', async () => {
    const made = readFileSync('test/releases/0.2.0/sqlite.sql', 'utf8');
    const earlier = [...made.matchAll(/^CREATE TABLE "(\w+)"/gm)].map(([, name = '']) => name);
    const tables = earlier.filter((name) => !name.startsWith('kysely'));

    expect(tables.length).toBeGreaterThan(30);
    expect(await tableNames(await openTemporaryDatabase())).toEqual(expect.arrayContaining(tables));
  });

  it('runs each migration once if several processes migrate at the same time', async () => {
    const url = temporaryDatabaseUrl({ isEmpty: true });

    const migrators = await Promise.all([1, 2, 3].map(async () => startMigrator(url)));
    for (const migrator of migrators) migrator.tell('go');
    const done = await Promise.all(
      migrators.map(async (migrator) => migrator.hear() as Promise<string[]>),
    );

    const db = await openTemporaryDatabase(url);
    expect(done.flat().sort()).toEqual(await namesOfMigrations(db));
  });

  it('refuses a database of a newer program, names its migration, and changes nothing', async () => {
    const db = await openTemporaryDatabase();
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2026-11-20T00:00:00.000Z')`.execute(
      db,
    );
    const before = await tableNames(db);

    await expect(migrate(db)).rejects.toThrow(
      'database: it was made by a newer vatfx (9999-later); use that version or a later one',
    );

    expect(await tableNames(db)).toEqual(before);
  });

  it('changes nothing if it fails halfway', async () => {
    const db = connect(temporaryDatabaseUrl({ isEmpty: true }));
    await sql`create table runs (in_the_way text)`.execute(db);

    await expect(migrate(db)).rejects.toThrow(
      'database: the migration failed; nothing was changed',
    );

    expect(await tableNames(db)).toEqual(['runs']);
  });
});
