import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectDatabase, type Db } from '../../src/platform/database/database.ts';
import { runDoctor } from '../cli/support/run-doctor.ts';
import { type Environment, runCommand } from '../support/run-cli.ts';
import { isPostgresql, temporaryDatabaseUrl } from '../support/temporary-database.ts';

/** No upstream answers there: these tests are about the database alone. */
const nowhere = 'http://127.0.0.1:9/';
const upstreams = { TEDB_URL: nowhere, ECB_URL: nowhere, VIES_URL: nowhere };

/** An empty database, its owner's connection, and the settings of a process whose role has no rights in it. */
function openAsStranger(): {
  readonly admin: Db;
  readonly role: string;
  readonly env: Environment;
} {
  const url = new URL(temporaryDatabaseUrl({ isEmpty: true }));
  const admin = connectDatabase(url.href);
  onTestFinished(async () => admin.destroy());
  const role = `Vat app ${randomBytes(4).toString('hex')}`;
  url.username = encodeURIComponent(role);
  const ports = { PORT: '0', OPS_PORT: '0' };
  const env = { DATABASE_URL: url.href, SECRET_KEY: '5e'.repeat(32), ...ports, ...upstreams };
  return { admin, role: `"${role}"`, env };
}

/** Expects doctor, migrate and serve to report one problem with the same sentence. */
async function expectProblem(
  env: Environment,
  { found, advice }: { readonly found: string; readonly advice: string },
): Promise<void> {
  const doctor = await runDoctor(env);
  const commands = [await runCommand(['migrate'], env), await runCommand(['serve'], env)];

  expect(doctor.found['database']).toMatchObject({ state: 'wrong', advice });
  expect(doctor.found['database']?.found).toContain(`; ${found}`);
  const sentence = `error: database: ${found}; ${advice}\n`;
  expect(commands.map(({ code, stderr }) => [code, stderr])).toEqual([
    [1, sentence],
    [1, sentence],
  ]);
}

const denied = 'permission denied for schema public';

describe.skipIf(!isPostgresql)('a role without the rights for migrations (rule O4)', () => {
  it.each([
    ['create tables, as by default since PostgreSQL 15', ''],
    ['use the schema', 'revoke all on schema public from public'],
  ])('is reported if it may not %s, and the advice solves it', async (_, statement) => {
    const { admin, role, env } = openAsStranger();
    await sql.raw(`create role ${role} login; ${statement}`).execute(admin);
    const grant = `GRANT CREATE, USAGE ON SCHEMA public TO ${role};`;

    await expectProblem(env, {
      found: denied,
      advice: `run as the owner of the schema: ${grant}`,
    });
    await sql.raw(grant).execute(admin);

    expect((await runCommand(['migrate'], env)).stdout).toMatch(/^Done: 0001-first-tables/);
  });

  it('is reported if tables belong to another role, and not if no migration is due', async () => {
    const { admin, role, env } = openAsStranger();
    const statements = `create role ${role} login; grant all on schema public to ${role}`;
    await sql.raw(statements).execute(admin);
    await runCommand(['migrate'], env);
    await sql`alter table events owner to current_user`.execute(admin);
    await sql.raw(`grant all on events to ${role}`).execute(admin);

    const upToDate = await runCommand(['migrate'], env);
    await sql`delete from kysely_migration where name = '0022-long-numbers'`.execute(admin);

    expect(upToDate.stdout).toBe('The database is up to date.\n');
    await expectProblem(env, {
      found: `${role} must be owner of the tables to migrate them, but these belong to vatfx: events`,
      advice: `for each run as a superuser: ALTER TABLE T OWNER TO ${role};`,
    });
  });

  it('is not reported for tables of another program and for a role that is a member of the owner', async () => {
    const { admin, role, env } = openAsStranger();
    const owner = `owner_${randomBytes(4).toString('hex')}`;
    await sql
      .raw(
        `create role ${owner}; create role ${role} login in role ${owner}; ` +
          `create schema vat authorization ${owner}; create table vat.orders (id integer); ` +
          `alter role ${role} set search_path = nowhere, vat`,
      )
      .execute(admin);

    const { code } = await runCommand(['migrate'], env);

    expect(code).toBe(0);
  });

  it('is reported if no schema of the search_path exists', async () => {
    const { admin, role, env } = openAsStranger();
    await sql
      .raw(`create role ${role} login; alter role ${role} set search_path = no`)
      .execute(admin);

    const problem = {
      found: 'no schema of the search_path exists',
      advice: `run CREATE SCHEMA name AUTHORIZATION ${role}; or correct the search_path`,
    };
    await expectProblem(env, problem);
    expect((await runDoctor(env)).found['migrations']).toBeUndefined();
  });
});

describe.skipIf(!isPostgresql)('a role that does not own the tables', () => {
  it.each([
    ['select on all tables', ' may not read and write api_keys, audit, '],
    ['all on all tables', ' event_positions'],
  ])(
    'and has %s: doctor names what it may not read and write, and the advice solves it',
    async (rights, found) => {
      const { admin, role, env } = openAsStranger();
      const owner = {
        ...env,
        DATABASE_URL: (env['DATABASE_URL'] ?? '').replace(/\/\/[^@]*@/, '//vatfx@'),
      };
      expect((await runCommand(['migrate'], owner)).code).toBe(0);
      const grant = `grant ${rights} in schema public to ${role}`;
      await sql.raw(`create role ${role} login; ${grant}`).execute(admin);

      const before = (await runDoctor(env)).found['database'];
      await sql.raw((before?.advice ?? '').replace('run as their owner: ', '')).execute(admin);
      const after = (await runDoctor(env)).found['database'];

      expect(before).toMatchObject({ state: 'wrong' });
      expect(before?.found).toContain(found);
      expect(after).toMatchObject({
        state: 'ok',
        found: expect.stringContaining('can be written'),
      });
    },
  );
});

describe.skipIf(!isPostgresql)('a migration that fails (rule O4)', () => {
  it.each([
    ['kysely_migration', 'the first table'],
    ['webhook_attempts', 'a later table'],
  ])('reports the first error of its transaction, at %s', async (table) => {
    const { admin, role, env } = openAsStranger();
    const statements = `create role ${role} login; grant all on schema public to ${role}`;
    await sql.raw(statements).execute(admin);
    await sql
      .raw(
        `create function refuse() returns event_trigger language plpgsql as $$ begin
          if exists (select 1 from pg_event_trigger_ddl_commands()
            where object_identity = 'public.${table}') then raise 'the quota of tables is used up'; end if;
        end $$;
        create event trigger refusing on ddl_command_end execute function refuse()`,
      )
      .execute(admin);

    const { code, stderr } = await runCommand(['migrate'], env);

    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*: the quota of tables is used up\n$/);
  });
});
