import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { runCommand } from '../support/run-cli.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';
import { countFx, openBackedUp } from './support/restore-world.ts';

/** Brings a revoked key back at each use. */
const undo = 'after insert on key_use_journal begin update api_keys set revoked_at = null; end';
const read = (file: string, statement: string): unknown[] => {
  using database = new DatabaseSync(file, { readOnly: true });
  return database
    .prepare(statement)
    .all()
    .map((row) => Object.values(row)[0]);
};

function change(file: string, statements: string): void {
  using database = new DatabaseSync(file, { defensive: false });
  database.exec(statements);
}

describe.skipIf(isPostgresql)('a backup with objects that are not of vatfx (rule O19)', () => {
  it.each([
    ['a trigger', `create trigger undo ${undo}`, 'trigger key_use_journal.undo (not of vatfx)'],
    [
      'a trigger with a name of SQLite',
      `pragma writable_schema = on; insert into sqlite_schema values
        ('trigger', 'sqlite_undo', 'key_use_journal', 0, 'CREATE TRIGGER sqlite_undo ${undo}')`,
      'trigger key_use_journal.sqlite_undo (not of vatfx)',
    ],
    [
      'a trigger of vatfx with another body',
      `drop trigger events_position; create trigger events_position
        after insert on events begin update api_keys set revoked_at = null; end`,
      'trigger events.events_position (changed)',
    ],
    ['a view', 'create view mine as select * from api_keys', 'view mine (not of vatfx)'],
    [
      'a trigger on a table of its own',
      `create table mine (id); create trigger undo after insert on mine begin
        update api_keys set revoked_at = null; end`,
      'trigger mine.undo (not of vatfx)',
    ],
    ['a default', `alter table audit add column more text default 'x'`, 'table audit (changed)'],
    [
      'a reference to a table of vatfx',
      'create table mine (id references audit on delete cascade)',
      'foreign key of mine to audit (not of vatfx)',
    ],
    [
      'an index of vatfx that is missing',
      'drop index runs_newest',
      'index runs.runs_newest (missing)',
    ],
  ])('is refused, and nothing is changed: %s', async (_, statements, name) => {
    const { file, backup, env } = await openBackedUp();
    change(backup, statements);
    const before = readFileSync(file);

    const { code, stderr } = await runCommand(['restore', backup], env);

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        `error: database: ${backup} has other objects than vatfx makes: ${name}; nothing was changed ` +
        '(docs/operating.md, Objects of the database)\n',
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(dirname(file))).toEqual(['vatfx.db']);
  });

  it('is restored without its indexes on tables of vatfx, and with its own tables', async () => {
    const { file, backup, env } = await openBackedUp();
    change(
      backup,
      `create index "my ""index" on audit (at); create table mine (id); insert into mine values (7);
        create index of_mine on mine (id); analyze`,
    );

    const { code, stderr } = await runCommand(['restore', backup], env);

    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'warning: index audit.my "index (not of vatfx): was not restored\n' +
        'warning: table mine (not of vatfx): was restored, and vatfx does not use it\n',
    });
    expect(read(file, 'select id from mine')).toEqual([7]);
    const indexes = `select name from sqlite_schema where name in ('my "index', 'of_mine')`;
    expect(read(file, indexes)).toEqual(['of_mine']);
  });

  it('is warned of by the backup', async () => {
    const { file, env } = await openBackedUp();
    change(file, 'create view mine as select 1');

    const { code, stderr } = await runCommand(['backup', join(temporaryFolder(), 'b.db')], env);

    expect(code).toBe(0);
    expect(stderr).toContain(
      'warning: restore refuses this backup, because of view mine (not of vatfx) (docs/',
    );
  });

  it('is not copied from either, and not migrated', async () => {
    const { file, env } = await openBackedUp();
    change(file, `delete from kysely_migration where name > '0038'; create view mine as select 1`);

    const to = 'postgres://vatfx@127.0.0.1:1/vatfx';
    const { code, stderr } = await runCommand(['copy', '--to', to], env);

    expect(code).toBe(1);
    expect(stderr).toContain('the embedded database has other objects than vatfx makes: ');
    expect(stderr).toContain('view mine (not of vatfx)');
    expect(read(file, 'select max(name) from kysely_migration')).toEqual(['0037-webhook-headers']);
  });
});

describe.skipIf(isPostgresql)('a backup of an earlier version', () => {
  it.each(['0.1.0', '0.2.0', '0.3.0'])('is restored as before: %s', async (version) => {
    const folder = temporaryFolder();
    const backup = join(folder, 'backup.db');
    const made = readFileSync(`test/releases/${version}/sqlite.sql`, 'utf8');
    change(backup, `begin; ${made}; commit`);
    const file = join(folder, 'vatfx.db');

    const { code, stderr } = await runCommand(['restore', backup], {
      DATABASE_URL: `file:${file}`,
    });

    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('vatfx)'),
    });
    expect(countFx(file)).toBe(countFx(backup));
    await (await openDatabase(`file:${file}`)).destroy();
  });
});
