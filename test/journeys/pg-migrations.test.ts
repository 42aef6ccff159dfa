import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectDatabase, type Db, openDatabase } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/database/migrations.ts';
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

    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, '']));
    const db = connect(url);
    const applied = await appliedIn(db);
    expect(applied.length).toBeGreaterThan(3);
    const said = ended.flatMap(({ stdout }) => stdout.match(/00\d\d-[a-z-]+/g) ?? []);
    expect(said.sort()).toEqual(applied);
    expect(await migrate(db)).toEqual([]);
  });

  it('ignore those of another program in another schema', async () => {
    const url = temporaryDatabaseUrl({ isEmpty: true });
    const admin = connect(url);
    for (const statement of [
      sql`create schema theirs`,
      sql`create table theirs.kysely_migration (name varchar(255) primary key, timestamp varchar(255))`,
      sql`create table theirs.kysely_migration_lock (id varchar(255) primary key, is_locked integer)`,
      sql`insert into theirs.kysely_migration values ('2020-their-own', 'then')`,
      sql`create table theirs.runs (name text)`,
    ]) {
      await statement.execute(admin);
    }

    const done = await migrate(admin);

    expect(await appliedIn(admin)).toEqual(done);
    const { rows } = await sql`select name from theirs.kysely_migration`.execute(admin);
    expect(rows).toEqual([{ name: '2020-their-own' }]);
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

  it('of a newer program are refused with a clear message, and nothing is changed', async () => {
    const url = temporaryDatabaseUrl({ isEmpty: true });
    const db = connect(url);
    await migrate(db);
    await sql`insert into kysely_migration values ('9999-later', '2026-11-20T00:00:00.000Z')`.execute(
      db,
    );
    const before = await appliedIn(db);

    await expect(openDatabase(url)).rejects.toThrow(
      'database: it was made by a newer vatfx (9999-later); use that version or a later one',
    );

    expect(await appliedIn(db)).toEqual(before);
  });

  it('that fail halfway leave no table and no lock', async () => {
    const url = temporaryDatabaseUrl({ isEmpty: true });
    const db = connect(url);
    await sql`create table webhook_attempts (in_the_way text)`.execute(db);
    await expect(migrate(db)).rejects.toThrow(
      'database: the migration failed; nothing was changed',
    );

    await sql`drop table webhook_attempts`.execute(db);
    const done = await migrate(connect(url));

    expect(done.length).toBeGreaterThan(3);
  });
});
