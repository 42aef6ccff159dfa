import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectDatabase, type Db } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/database/migrations/migrations.ts';
import { isPostgresql, temporaryDatabaseUrl } from '../support/temporary-database.ts';
import { runVatfx } from './support/run-vatfx.ts';

function connect(url: string): Db {
  const db = connectDatabase(url);
  onTestFinished(async () => db.destroy());
  return db;
}

async function appliedIn(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

describe.skipIf(!isPostgresql)('migrations on PostgreSQL (operator.md)', () => {
  it('are applied once by three processes that start at the same time on an empty database', async () => {
    const url = temporaryDatabaseUrl({ isEmpty: true });
    const env = { DATABASE_URL: url, SECRET_KEY: '5e'.repeat(32) };

    const ended = await Promise.all(
      [1, 2, 3].map(async () => runVatfx(['migrate', '--json'], env)),
    );

    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(ended.map(({ stderr }) => stderr).join('')).toMatch(/^a new database was made: .*\n$/);
    const db = connect(url);
    const applied = await appliedIn(db);
    expect(applied.length).toBeGreaterThan(3);
    const said = ended.flatMap(({ stdout }) => stdout.match(/00\d\d-[a-z-]+/g) ?? []);
    expect(said.sort()).toEqual(applied);
    expect(await migrate(db)).toEqual([]);
  });

  it('keep two installations in two schemas of one database apart', async () => {
    const url = temporaryDatabaseUrl({ isEmpty: true });
    const admin = connect(url);
    await sql`create schema one`.execute(admin);
    await sql`create schema two`.execute(admin);

    const [one, two] = ['one', 'two'].map((name) =>
      connect(`${url}?options=-c%20search_path%3D${name}`),
    ) as [Db, Db];
    const done = await Promise.all([migrate(one), migrate(two)]);

    expect(done[0]).toEqual(done[1]);
    expect(done[0]?.length).toBeGreaterThan(3);
  });

  it('that fail halfway leave no table and no lock', async () => {
    const url = temporaryDatabaseUrl({ isEmpty: true });
    const db = connect(url);
    await sql`create table webhook_attempts (in_the_way text)`.execute(db);
    await expect(migrate(db)).rejects.toThrow(
      /database: the migration 00..-[a-z-]+ failed; nothing was changed/,
    );

    await sql`drop table webhook_attempts`.execute(db);
    const done = await migrate(connect(url));

    expect(done.length).toBeGreaterThan(3);
  });
});
