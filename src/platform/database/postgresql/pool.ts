import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Client, type ClientConfig, types } from 'pg';
import { type ConnectionOptions, Connections } from './connections.ts';
import { outageOf } from './errors.ts';
import { Session } from './session.ts';
import { timeoutsMs } from './timeouts.ts';

/** Reads `bigint` as a number, as on SQLite: counts and positions of events are below 2^53. */
const typeParsers: ClientConfig['types'] = {
  getTypeParser: (type, format) =>
    type === types.builtins.INT8 && format !== 'binary'
      ? Number
      : types.getTypeParser(type, format),
};

/** Settings of a connection. */
function connectionOf(url: string) {
  return {
    connectionString: url,
    application_name: 'vatfx',
    connectionTimeoutMillis: timeoutsMs.connect,
    query_timeout: timeoutsMs.query,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: typeParsers,
  } satisfies ClientConfig;
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
export function createPool(url: string, wanted: ConnectionOptions): PostgresPool {
  const connections = new Connections({ ...connectionOf(url), Client: VerifyingClient }, wanted);
  return {
    options: connections.options,
    connect: async () => (await Session.open(connections)) as unknown as PostgresPoolClient,
    end: async () => connections.end(),
  };
}

/** Whether a pooler such as PgBouncer answers at an address: the session that works is not the one that was opened. */
export async function hasPooler(url: string): Promise<boolean> {
  const client = new VerifyingClient(connectionOf(url));
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]?.pid !== (client as unknown as { readonly processID: number }).processID;
  } catch (error) {
    throw outageOf(error);
  } finally {
    await client.end();
  }
}
