import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Client, type ClientConfig, DatabaseError, Pool, type PoolClient, types } from 'pg';
import { withTimeout } from '../time/timers.ts';
import { DatabaseUnavailableError } from './unavailable.ts';

/**
 * Every wait for PostgreSQL has a limit. First the server ends the idle transaction of a stopped process. The wait for
 * a lock is longer, so it outlasts such a transaction. The client's own timeout is the longest, because a connection
 * cannot be used again after it.
 */
export const timeoutsMs = {
  connect: 5_000,
  idleInTransaction: 10_000,
  lock: 12_000,
  query: 15_000,
} as const;

/** Maximum of connections of one process. */
const connectionsMax = 10;

/** Maximum time that closing the pool waits for running statements. */
const endMs = 2_000;

/** Reads `bigint` as a number, as on SQLite: counts and positions of events are below 2^53. */
const typeParsers: ClientConfig['types'] = {
  getTypeParser: (type, format) =>
    type === types.builtins.INT8 && format !== 'binary'
      ? Number
      : types.getTypeParser(type, format),
};

/** Settings of a connection. */
function connectionOf(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'vatfx',
    connectionTimeoutMillis: timeoutsMs.connect,
    query_timeout: timeoutsMs.query,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: typeParsers,
  };
}

/**
 * A client that verifies certificates unless the URL has `sslmode=no-verify`, or `require` in the meaning of libpq.
 * Without it, an environment variable of Node decides.
 */
export class VerifyingClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const { connection } = this as unknown as { readonly connection: { ssl: unknown } };
    if (connection.ssl === true) connection.ssl = {};
    if (typeof connection.ssl !== 'object' || connection.ssl === null) return;
    const ssl: { rejectUnauthorized?: boolean } = connection.ssl;
    ssl.rejectUnauthorized ??= true;
  }
}

/** Creates a pool of connections with the interface that Kysely expects. */
export function createPool(url: string): PostgresPool {
  const pool = new Pool({ ...connectionOf(url), max: connectionsMax, Client: VerifyingClient });
  // An idle connection that breaks needs no handling: the pool makes another one for the next query.
  pool.on('error', () => {});
  const clients = new Set<PoolClient>();
  pool.on('connect', (client) => {
    clients.add(client);
    client.on('error', () => {});
  });
  pool.on('remove', (client) => clients.delete(client));
  return {
    options: pool.options,
    connect: async () => {
      try {
        return guardClient(await pool.connect());
      } catch (error) {
        throw toOutage(error);
      }
    },
    end: async () => {
      await withTimeout(endMs, pool.end()).catch(() => {});
      for (const client of clients) unrefClient(client);
    },
  };
}

/** Drops a connection after an error that did not come from the statement. */
function guardClient(client: PoolClient): PostgresPoolClient {
  let isBroken = false;
  const query = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    // A rollback on a broken connection would wait for another timeout.
    if (isBroken) {
      throw new DatabaseUnavailableError('database: this connection cannot be used any more');
    }
    try {
      return await client.query(text, [...parameters]);
    } catch (error) {
      const failure = toOutage(error);
      isBroken ||= failure instanceof DatabaseUnavailableError;
      throw failure;
    }
  };
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy = false) => client.release(destroy || isBroken),
  };
}

/** Lets the process end although a connection is open: a server that hangs does not close it. */
function unrefClient(client: object): void {
  if ('unref' in client && typeof client.unref === 'function') client.unref();
}

/** Turns an error that did not come from a statement into a `DatabaseUnavailableError`; returns any other as it is. */
export function toOutage(error: unknown): unknown {
  if (error instanceof DatabaseError && !isOutage(error.code ?? '')) return error;
  // If a host name has several addresses, there is one error for each, and the outer error has no message.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return new DatabaseUnavailableError('database: PostgreSQL cannot be used now', { cause });
}

/**
 * Codes of a server that cannot work now: connection exceptions (08), no resources (53), shutting down or starting
 * (57P), an idle transaction that was ended (25P03), a standby (25006), a lock that was not available in time
 * (55P03).
 */
function isOutage(code: string): boolean {
  return /^(?:08|53|57P)/.test(code) || ['25P03', '25006', '55P03'].includes(code);
}
