import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { runCommand, startCommand } from '../support/run-cli.ts';
import { isPostgresql, openTemporaryDatabase } from '../support/temporary-database.ts';
import { openSource, openTarget, runCopy } from './support/copy-world.ts';
import { runDoctor } from './support/run-doctor.ts';

/** What was done to a database, and how the object is named. */
type Row = readonly [what: string, statements: string, name: string];

const undo = 'update api_keys set revoked_at = null';
const nothing = 'create function nothing() returns trigger language plpgsql as $$begin end$$';

const actingOnSqlite: readonly Row[] = [
  [
    'a trigger on a table of vatfx',
    `create trigger undo after insert on key_use begin ${undo}; end`,
    'trigger key_use.undo (not of vatfx)',
  ],
  [
    'a trigger of vatfx with another body',
    `drop trigger events_position;
      create trigger events_position after insert on events begin ${undo}; end`,
    'trigger events.events_position (changed)',
  ],
  [
    'a trigger of vatfx that is missing',
    'drop trigger events_position',
    'trigger events.events_position (missing)',
  ],
];
const actingOnPostgresql: readonly Row[] = [
  [
    'a trigger on a table of vatfx',
    `${nothing}; create trigger undo after insert on key_use for each row execute function nothing()`,
    'trigger key_use.undo (not of vatfx)',
  ],
  [
    'a function of vatfx with another body',
    'create or replace function take_event_position() returns trigger language plpgsql as $$begin return new; end$$',
    'function take_event_position() (changed)',
  ],
  [
    'a trigger of vatfx that does not fire',
    'alter table events disable trigger events_position',
    'trigger events.events_position (changed)',
  ],
  [
    'a rule on a table of vatfx',
    `create rule undo as on insert to key_use do also ${undo}`,
    'rule key_use.undo (not of vatfx)',
  ],
];
const harmlessOnSqlite: readonly Row[] = [
  ['a view', 'create view mine as select 1', 'view mine (not of vatfx)'],
  ['an index', 'create index mine on audit (at)', 'index audit.mine (not of vatfx)'],
  ['a table', 'create table mine (id text default 1)', 'table mine (not of vatfx)'],
  [
    'a table that refers to one of vatfx',
    'create table mine (id text references audit (id))',
    'table mine (not of vatfx), foreign key of mine to audit (not of vatfx)',
  ],
  [
    'a column with a default',
    `alter table audit add column more text default 'x'`,
    'table audit (changed)',
  ],
];
const harmlessOnPostgresql: readonly Row[] = [
  ['a view', 'create view mine as select 1', 'view mine (not of vatfx)'],
  ['an index', 'create index mine on audit (at)', 'index audit.mine (not of vatfx)'],
  ['a table', 'create table mine (id serial)', 'table mine (not of vatfx)'],
  [
    'a table that refers to one of vatfx',
    'create table mine (id text references audit (id))',
    'foreign key mine_id_fkey to audit (not of vatfx)',
  ],
  [
    'a table whose rows are read with those of one of vatfx',
    'create schema other; create table other.mine () inherits (audit)',
    'table audit (changed)',
  ],
  [
    'a default',
    'alter table api_keys alter column revoked_at set default current_user',
    'column api_keys.revoked_at (changed)',
  ],
  [
    'a policy',
    'alter table audit enable row level security; create policy mine on audit using (false)',
    'table audit (changed), policy audit.mine (not of vatfx)',
  ],
  [
    'a function with a default',
    `create function event_log_horizon(mine text default '') returns text language sql return mine`,
    'function event_log_horizon(mine text) (not of vatfx)',
  ],
];
/** Statements whose objects nobody has to know of. */
const ignored = isPostgresql
  ? 'create extension pg_stat_statements'
  : 'create table mine (id); insert into mine values (1); analyze; drop table mine';

async function change(statements: string) {
  const { env } = await startUpstreams();
  const url = env['DATABASE_URL'] ?? '';
  const db = await openTemporaryDatabase(url);
  if (isPostgresql) {
    await sql.raw(statements).execute(db);
  } else {
    using file = new DatabaseSync(url.slice('file:'.length));
    file.exec(statements);
  }
  return { ...env, SECRET_KEY: '5e'.repeat(32) };
}

describe('objects that are not of vatfx (operator rule O19)', () => {
  it.each(isPostgresql ? actingOnPostgresql : actingOnSqlite)(
    'stop serve and migrate, and doctor says the same: %s',
    async (_, statements, name) => {
      const env = await change(statements);

      const { code, found } = await runDoctor(env);

      const problem = `these objects change what vatfx writes: ${name}`;
      const { state, found: text, advice } = found['database'] ?? {};
      expect({ code, state }).toEqual({ code: 1, state: 'wrong' });
      expect(text).toContain(`; ${problem}`);
      const refused = { code: 1, stdout: '', stderr: `error: database: ${problem}; ${advice}\n` };
      expect(await runCommand(['migrate'], env)).toEqual(refused);
      expect(await runCommand(['serve'], env)).toEqual(refused);
    },
  );

  it.each(isPostgresql ? harmlessOnPostgresql : harmlessOnSqlite)(
    'are named by doctor, migrate and the start, which goes on: %s',
    async (_, statements, name) => {
      const env = await change(statements);

      const { found } = await runDoctor(env);
      const { code, stderr } = await runCommand(['migrate'], env);

      expect(found['objects']).toMatchObject({
        state: 'warning',
        found: expect.stringMatching(/^other ones than vatfx makes: /),
      });
      expect(found['objects']?.found).toContain(name);
      expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining(name) });
      const service = startCommand(['serve'], { ...env, PORT: '0', OPS_PORT: '0' });
      await service.waitForOutput(/"objects":"[^"]+".*other objects than vatfx makes/);
    },
  );

  it('are none that an extension or the database itself has made', async () => {
    const env = await change(ignored);

    const { found } = await runDoctor(env);

    expect(found['objects']).toMatchObject({ state: 'ok' });
    expect((await runCommand(['migrate'], env)).stderr).toBe('');
  });
});

describe.skipIf(!isPostgresql)('copy --to a target with objects that are not of vatfx', () => {
  const kept = ['a view', 'an index', 'a table', 'a function with a default'];
  const others = harmlessOnPostgresql.filter(([what]) => !kept.includes(what));
  it.each([...actingOnPostgresql, ...others])('copies nothing: %s', async (_, statements, name) => {
    const source = await openSource();
    const target = await openTarget();
    await sql.raw(statements).execute(target.db);

    const { code, stderr } = await runCopy(source.url, target.url);

    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(name) });
    expect(stderr).toMatch(/^error: nothing was copied: database: the target has other objects/);
  });
});
