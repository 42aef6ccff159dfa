import { sql } from 'kysely';
import type { Config } from '../../platform/config/options.ts';
import { commandConnections, type Db } from '../../platform/database/database.ts';
import { embeddedFileOf } from '../../platform/database/sqlite/embedded-file.ts';
import { listReplicas } from '../../platform/database/replicas/replicas.ts';
import { systemClock } from '../../platform/time/time.ts';
import { type Finding, ok, warning } from './finding.ts';

const check = 'database limits';

/** A limit of PostgreSQL. */
type Limit = { readonly of: string; readonly most: number; readonly raise: (to: number) => string };

/**
 * Compares the connections that PostgreSQL allows with those that the running servers, at least one, and a command need. All
 * servers are taken to have this DATABASE_CONNECTIONS. No finding for an embedded database.
 */
export async function checkConnections(db: Db, config: Config): Promise<readonly Finding[]> {
  const url = config.databaseUrl.reveal();
  if (embeddedFileOf(url) !== undefined) return [];
  const each = config.databaseConnections;
  const servers = Math.max(1, (await listReplicas(db, systemClock.now())).length);
  const needed = servers * each + commandConnections;
  const counted = `${servers === 1 ? '1 server' : `${servers} servers`} with DATABASE_CONNECTIONS=${each} and a command need ${needed}`;
  const { hasPooler } = await import('../../platform/database/postgresql/pool.ts');
  if (await hasPooler(url).catch(() => false)) {
    const limits = 'its limits are not visible here (of PgBouncer: max_client_conn)';
    return [ok(check, `${counted} connections to a pooler; ${limits}`)];
  }
  const [tightest] = (await listLimits(db)).toSorted((a, b) => a.most - b.most);
  if (tightest === undefined) return [];
  const { of, most, raise } = tightest;
  const found = `${counted} connections; ${of} allows ${most}`;
  if (needed <= most) return [ok(check, found)];
  const fitting = Math.floor((most - commandConnections) / servers);
  const lower = fitting < 2 ? '' : `set DATABASE_CONNECTIONS to ${fitting} for each server, or `;
  return [warning(check, found, `${lower}raise the limit: ${raise(needed)}`)];
}

/** The limits of the server, of the role and of the database. Those of role and database do not hold for a superuser. */
async function listLimits(db: Db): Promise<Limit[]> {
  const { rows } = await readLimits.execute(db);
  const [row] = rows;
  if (row === undefined) return [];
  const { role, database } = row;
  const limits: Limit[] = [
    {
      of: 'the server',
      most: row.ofServer - row.reserved,
      raise: (to) => `max_connections = ${to + row.reserved}, and more for other programs`,
    },
    {
      of: `the role ${role}`,
      most: row.ofRole,
      raise: (to) => `alter role "${role}" connection limit ${to}`,
    },
    {
      of: `the database ${database}`,
      most: row.ofDatabase,
      raise: (to) => `alter database "${database}" connection limit ${to}`,
    },
  ];
  // -1 is no limit.
  return row.isSuperuser ? limits.slice(0, 1) : limits.filter(({ most }) => most >= 0);
}

const readLimits = sql<{
  readonly role: string;
  readonly database: string;
  readonly isSuperuser: boolean;
  readonly ofServer: number;
  readonly reserved: number;
  readonly ofRole: number;
  readonly ofDatabase: number;
}>`select r.rolname as "role", d.datname as "database", r.rolsuper as "isSuperuser",
    current_setting('max_connections')::integer as "ofServer",
    current_setting('superuser_reserved_connections')::integer
      + coalesce(current_setting('reserved_connections', true)::integer, 0) as "reserved",
    r.rolconnlimit as "ofRole", d.datconnlimit as "ofDatabase"
  from pg_roles r, pg_database d
  where r.rolname = session_user and d.datname = current_database()`;
