import { type Kysely, type RawBuilder, sql } from 'kysely';
import { primaryKeys } from '../copy.ts';
import { engineOf } from '../dialect.ts';

/** The oldest supported version of PostgreSQL, in PostgreSQL's form. */
const oldestVersion = 150_000;

/** The reason why a server or its database cannot be used, and advice for the operator. */
export type ServerProblem = { readonly found: string; readonly advice: string };

/** Names of roles and schemas are quoted as SQL needs them. */
type Server = {
  readonly version: number;
  readonly encoding: string;
  readonly role: string;
  /** The schema that tables are made in; null if the role may use none of the search_path. */
  readonly schema: string | null;
  /** A schema of the search_path that the role may not use. */
  readonly closedSchema: string | null;
  readonly mayCreate: boolean | null;
  readonly isStandby: boolean;
};

const readServer: RawBuilder<Server> = sql`
  select current_setting('server_version_num')::integer as "version",
    current_setting('server_encoding') as "encoding", quote_ident(current_user) as "role",
    quote_ident(current_schema()) as "schema",
    (select quote_ident(nspname) from pg_namespace
      where nspname = any(regexp_split_to_array(
          replace(replace(current_setting('search_path'), '$user', current_user), '"', ''), '\\s*,\\s*'))
        and not has_schema_privilege(oid, 'usage')
      limit 1) as "closedSchema",
    has_schema_privilege(current_schema(), 'create') as "mayCreate",
    pg_is_in_recovery() as "isStandby"`;

type ForeignTable = { readonly name: string; readonly quoted: string; readonly owner: string };

/** Tables whose owner is neither the role nor one that it is a member of: it may not alter them. */
const readForeignTables: RawBuilder<ForeignTable> = sql`
  select c.relname as "name", quote_ident(c.relname) as "quoted",
    quote_ident(pg_get_userbyid(c.relowner)) as "owner"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema() and c.relkind in ('r', 'p')
    and not pg_has_role(c.relowner, 'usage')
  order by 1`;

/** Tables of this program, and its sequence, that the role may not read and write as the program does. */
const readClosed = sql<{ role: string; schema: string; names: string | null }>`
  select quote_ident(current_user) as "role", quote_ident(current_schema()) as "schema",
    (select string_agg(quote_ident(c.relname), ', ' order by c.relname)
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and not case
        when c.relkind in ('r', 'p') and c.relname in (${sql.join(Object.keys(primaryKeys))}) then
          has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
          and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete')
        when c.relkind = 'S' and c.relname = 'event_positions' then
          has_sequence_privilege(c.oid, 'usage') and has_sequence_privilege(c.oid, 'select')
        else true end) as "names"`;

/**
 * The reason why this program cannot work with a server of PostgreSQL, and advice for the operator; undefined if there is none,
 * and for SQLite.
 */
export async function findServerProblem<T>(db: Kysely<T>): Promise<ServerProblem | undefined> {
  return (await inspect(db))?.problem;
}

/** Throws a problem as a message for the operator, if there is one. */
export function refuseProblem(problem: ServerProblem | undefined): void {
  if (problem !== undefined) throw new Error(`database: ${problem.found}; ${problem.advice}`);
}

/** Like `findServerProblem`, for a database in which migrations are due: also the rights that they need. */
export async function findMigrationProblem<T>(db: Kysely<T>): Promise<ServerProblem | undefined> {
  const { problem, server } = (await inspect(db)) ?? {};
  if (problem !== undefined || server === undefined) return problem;
  const { role, schema } = server;
  if (server.mayCreate !== true) {
    const advice = grantOf(String(schema), role);
    return { found: `permission denied for schema ${String(schema)}`, advice };
  }
  return judgeOwners(db, role);
}

/** The reason why this role may not alter the tables of vatfx, although they are there; undefined on SQLite. */
export async function findOwnerProblem<T>(db: Kysely<T>): Promise<ServerProblem | undefined> {
  const { server } = (await inspect(db)) ?? {};
  return server === undefined ? undefined : judgeOwners(db, server.role);
}

async function judgeOwners<T>(db: Kysely<T>, role: string): Promise<ServerProblem | undefined> {
  const { rows } = await readForeignTables.execute(db);
  const foreign = rows.filter(
    ({ name }) => name.startsWith('kysely_migration') || Object.hasOwn(primaryKeys, name),
  );
  if (foreign.length === 0) return undefined;
  const owners = [...new Set(foreign.map(({ owner }) => owner))].join(', ');
  return {
    found: `${role} must be owner of the tables to migrate them, but these belong to ${owners}: ${foreign.map(({ quoted }) => quoted).join(', ')}`,
    advice: `for each run as a superuser: ALTER TABLE T OWNER TO ${role};`,
  };
}

/** For a database without due migrations: what of it the role may not read or write. */
export async function findRightsProblem<T>(db: Kysely<T>): Promise<ServerProblem | undefined> {
  if (engineOf(db).name === 'sqlite') return undefined;
  const [found] = (await readClosed.execute(db)).rows;
  if (typeof found?.names !== 'string') return undefined;
  const { role, schema, names } = found;
  const grant = (rights: string, what: string): string =>
    `GRANT ${rights} ON ALL ${what} IN SCHEMA ${schema} TO ${role};`;
  return {
    found: `the role ${role} may not read and write ${names}`,
    advice: `run as their owner: ${grant('SELECT, INSERT, UPDATE, DELETE', 'TABLES')} ${grant('SELECT, USAGE', 'SEQUENCES')}`,
  };
}

async function inspect<T>(
  db: Kysely<T>,
): Promise<{ readonly server: Server; readonly problem: ServerProblem | undefined } | undefined> {
  if (engineOf(db).name === 'sqlite') return undefined;
  const [server] = (await readServer.execute(db)).rows;
  if (server === undefined) throw new Error('database: PostgreSQL does not describe itself');
  return { server, problem: judge(server) };
}

function judge(server: Server): ServerProblem | undefined {
  if (server.version < oldestVersion) {
    const version = Math.trunc(server.version / 10_000);
    return {
      found: `this is PostgreSQL ${version}, expected 15 or later`,
      advice: 'upgrade the server',
    };
  }
  if (server.encoding !== 'UTF8') {
    return {
      found: `its encoding is ${server.encoding}, expected UTF8`,
      advice: "make one with: create database vatfx encoding 'UTF8' template template0",
    };
  }
  if (server.schema === null) {
    return server.closedSchema === null
      ? {
          found: 'no schema of the search_path exists',
          advice: `run CREATE SCHEMA name AUTHORIZATION ${server.role}; or correct the search_path`,
        }
      : {
          found: `permission denied for schema ${server.closedSchema}`,
          advice: grantOf(server.closedSchema, server.role),
        };
  }
  if (server.isStandby) {
    return { found: 'it is a standby', advice: 'set DATABASE_URL to the primary' };
  }
  return undefined;
}

function grantOf(schema: string, role: string): string {
  return `run as the owner of the schema: GRANT CREATE, USAGE ON SCHEMA ${schema} TO ${role};`;
}
