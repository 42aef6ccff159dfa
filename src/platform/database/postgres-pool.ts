import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Client, type ClientConfig, DatabaseError, Pool, type PoolClient } from 'pg';
import { withTimeout } from '../with-timeout.ts';
import { timeoutsMs } from './postgres-timeouts.ts';
import { DatabaseUnavailableError } from './unavailable.ts';

/** Connections of one process. */
const connectionsMax = 10;

/** What is still under way at the end is given up. */
const endMs = 2_000;

/** How connections are made, for the pool and for whoever listens. */
export function connectionOf(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'vatfx',
    connectionTimeoutMillis: timeoutsMs.connect,
    query_timeout: timeoutsMs.query,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

/**
 * A client that verifies certificates unless the address says `sslmode=no-verify`, or `require` in the way of libpq:
 * Node's default for that is an environment variable.
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

/** Connections as Kysely wants to see them. */
export function createPool(url: string): PostgresPool {
  const pool = new Pool({ ...connectionOf(url), max: connectionsMax, Client: VerifyingClient });
  // A connection that breaks while nobody uses it is none of our business: the next one is made anew.
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
        throw explain(error);
      }
    },
    end: async () => {
      await withTimeout(endMs, pool.end()).catch(() => {});
      for (const client of clients) letGo(client);
    },
  };
}

/** Drops a connection on which something failed that was not the statement's own fault. */
function guardClient(client: PoolClient): PostgresPoolClient {
  let isBroken = false;
  const query = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    // Its rollback would wait as long again.
    if (isBroken)
      throw new DatabaseUnavailableError('database: this connection cannot be used any more');
    try {
      return await client.query(text, [...parameters]);
    } catch (error) {
      const explained = explain(error);
      isBroken ||= explained instanceof DatabaseUnavailableError;
      throw explained;
    }
  };
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy = false) => client.release(destroy || isBroken),
  };
}

/** Lets the process end although a connection is open: a server that hangs does not say goodbye. */
export function letGo(client: object): void {
  if ('unref' in client && typeof client.unref === 'function') client.unref();
}

/** Says of what did not come from a statement that PostgreSQL is away; in an operator's words. */
export function explain(error: unknown): unknown {
  if (error instanceof DatabaseError && !isOutage(error.code ?? '')) return error;
  // A name with several addresses fails with one error for each, and no message of its own.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return new DatabaseUnavailableError('database: PostgreSQL cannot be used now', { cause });
}

/**
 * Codes of a server that does not serve: connection exceptions (08), no resources (53), shutting down or
 * starting (57P), an idle transaction that was ended (25P03), a standby (25006), a lock that was waited for in
 * vain (55P03).
 */
function isOutage(code: string): boolean {
  return /^(?:08|53|57P)/.test(code) || ['25P03', '25006', '55P03'].includes(code);
}
