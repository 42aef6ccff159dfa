import { join } from 'node:path';
import { dataSetKinds } from '../src/platform/publication/data-set-kinds.ts';
import { environmentAt } from '../src/sandbox/simulators.ts';
import { PostgresqlServer } from '../test/support/postgresql-server.ts';
import { RedisServer } from '../test/support/redis-server.ts';
import { runCommand, startProgram, startServe } from './measure.ts';

/** The settings of a service, and the name of its engines in the results. */
export type Engine = { readonly name: string; readonly settings: Readonly<Record<string, string>> };

/** The embedded database, in a file of a folder. */
export function engineSqlite(folder: string): Engine {
  return { name: 'SQLite', settings: { DATABASE_URL: `file:${join(folder, 'vatfx.db')}` } };
}

/** Starts a PostgreSQL and a Redis of the bench's own, as the tests do. */
export async function startEngines(folder: string): Promise<
  {
    readonly sqlite: Engine;
    readonly postgresql: Engine;
    readonly shared: Engine;
  } & AsyncDisposable
> {
  await using parts = new AsyncDisposableStack();
  const server = await PostgresqlServer.start();
  parts.defer(async () => server.stop());
  const redis = await RedisServer.start();
  parts.defer(async () => redis.stop());
  const postgresql = { DATABASE_URL: server.url, SECRET_KEY: '5e'.repeat(32) };
  const started = parts.move();
  return {
    sqlite: engineSqlite(folder),
    postgresql: { name: 'PostgreSQL', settings: postgresql },
    shared: { name: 'PostgreSQL and Redis', settings: { ...postgresql, REDIS_URL: redis.url } },
    [Symbol.asyncDispose]: async () => started.disposeAsync(),
  };
}

/** Fills a database with today's rates and 27 years of exchange rates, from a sandbox. */
export async function fillDatabase({ settings }: Engine): Promise<void> {
  const sandboxArgs = ['bin/vatfx.js', 'sandbox', '--port', '0'];
  await using sandbox = await startProgram(sandboxArgs, {}, /at (http:\S+)/);
  const upstreams = environmentAt(sandbox.match[1] ?? '');
  runCommand(['migrate'], settings);
  for (const job of dataSetKinds) runCommand(['jobs', 'run', job], { ...settings, ...upstreams });
}

/** Starts a service without jobs and delivery. The access log is on; the level `warn` switches it off. */
export async function startApi(
  { settings }: Engine,
  options: {
    readonly core: string;
    readonly logFile: string;
    readonly level?: 'info' | 'warn';
    readonly program?: readonly string[];
    readonly environment?: Readonly<Record<string, string>>;
  },
): ReturnType<typeof startServe> {
  const { level = 'info', environment = {} } = options;
  const only = { JOBS: 'off', DELIVERY: 'off', LOG_LEVEL: level };
  return startServe({ ...settings, ...only, ...environment }, options);
}
