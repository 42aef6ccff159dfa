import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createKey } from '../../../src/access/authentication/key-changes.ts';
import { type Server, startServer } from '../../../src/composition/server.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createLog } from '../../../src/platform/log/log.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { findPostgresql } from '../../support/programs.ts';
import type { Environment } from './run-vatfx.ts';

/** Runs a statement as the administrator of the server, and returns what it prints. */
export function administer(url: string, statement: string): string {
  const psql = join(findPostgresql() ?? '', 'psql');
  return execFileSync(psql, [url, '-qXAtc', statement], { encoding: 'utf8' }).trim();
}

/** Makes a role that owns an empty database, with options such as `connection limit 5`; returns its name and its address. */
export function makeRole(
  url: string,
  options: string,
  name = `role_${randomBytes(6).toString('hex')}`,
): { readonly name: string; readonly url: string } {
  administer(url, `create role ${name} login ${options}`);
  administer(url, `alter database ${new URL(url).pathname.slice(1)} owner to ${name}`);
  return { name, url: Object.assign(new URL(url), { username: name }).href };
}

/** A server in this process, in the machine's time; `lines` is its log. */
export type Replica = { readonly server: Server; readonly lines: readonly string[] };

/** The settings of replicas of a database; upstreams are simulated. */
export async function settingsOf(databaseUrl: string): Promise<Environment> {
  const sandbox = await startSandbox({ brief: true });
  onTestFinished(async () => sandbox.close());
  return {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: '5e'.repeat(32),
    PORT: '0',
    OPS_PORT: '0',
    TEDB_URL: sandbox.settings.tedbUrl,
    ECB_URL: sandbox.settings.ecbUrl,
    VIES_URL: sandbox.settings.viesUrl,
  };
}

export async function startReplica(env: Environment): Promise<Replica> {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const server = await startServer({ config: readConfig(env, '').config, log });
  onTestFinished(async () => server.stop());
  return { server, lines };
}

/** Creates a key without limits, and returns a function that sends a request with it and returns the status. */
export async function createCaller(
  replica: Replica,
): Promise<(path: string, request?: TestRequest) => Promise<number>> {
  const limits = { rateLimit: 'none', quota: 'none' } as const;
  const at = new Date().toISOString();
  const { key } = await createKey(replica.server.core.db, { name: 'test', ...limits, at });
  return async (path, { body, of = replica } = {}) => {
    const response = await fetch(`${of.server.apiUrl}${path}`, {
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    return response.status;
  };
}

/** A body makes it a POST; by default it goes to the replica that has created the key. */
type TestRequest = { readonly body?: object; readonly of?: Replica | undefined };

/** Sends requests, so many at a time, until `count` were answered or `isGoingOn` is false; returns how often each status came. */
export async function sendMany(
  send: () => Promise<number>,
  { atATime, count = Infinity, isGoingOn = () => true }: Load,
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  let sent = 0;
  const sendInTurn = async (): Promise<void> => {
    while (sent < count && isGoingOn()) {
      sent += 1;
      const status = await send();
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atATime }, sendInTurn));
  return statuses;
}

type Load = {
  readonly atATime: number;
  readonly count?: number;
  readonly isGoingOn?: () => boolean;
};
