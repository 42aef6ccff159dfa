import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../platform/config/options.ts';
import type { Finding } from './finding.ts';

/** Something that is listening here answers at once. */
const answerMs = 2_000;

/** Looks whether the ports are free, or taken by a vatfx that runs. */
export function lookAtPorts(config: Config): readonly Promise<Finding>[] {
  return [
    look({
      check: 'API port',
      variables: ['HOST', 'PORT'],
      host: config.host,
      port: config.port,
      isOurs: async (url) => {
        // Without a key: refused, and in our form.
        const answer = await ask(`${url}/usage`);
        return [401, 429, 503].includes(answer.status) && answer.headers.has('x-request-id');
      },
    }),
    look({
      check: 'operations port',
      variables: ['OPS_HOST', 'OPS_PORT'],
      host: config.opsHost,
      port: config.opsPort,
      isOurs: async (url) => {
        const answer = await ask(`${url}/live`);
        return answer.ok && (await answer.text()) === '{"status":"live"}';
      },
    }),
  ];
}

async function ask(url: string): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(answerMs) });
}

async function look(at: {
  readonly check: string;
  readonly variables: readonly [host: string, port: string];
  readonly host: string;
  readonly port: number;
  readonly isOurs: (url: string) => Promise<boolean>;
}): Promise<Finding> {
  const { check, host, port, isOurs } = at;
  const [hostVariable, portVariable] = at.variables;
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (port === 0) return { check, state: 'ok', found: 'any free port' };
  const code = await tryListening(host, port);
  if (code === undefined) return { check, state: 'ok', found: `${address} is free` };
  if (code === 'EADDRINUSE') {
    if (await isOurs(`http://${reachable(host)}:${port}`).catch(() => false)) {
      return { check, state: 'ok', found: `${address} is taken by a vatfx that answers` };
    }
    return {
      check,
      state: 'wrong',
      found: `${address} is taken by something else`,
      advice: `end that, or set ${portVariable} to another port`,
    };
  }
  const advice =
    code === 'EACCES'
      ? `set ${portVariable} to 1024 or more, or let the user that vatfx runs as listen there`
      : `set ${hostVariable} to an address of this machine`;
  return { check, state: 'wrong', found: `${address} cannot be listened on (${code})`, advice };
}

/** The code of what went wrong; undefined when nothing did. */
async function tryListening(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  } finally {
    server.close();
  }
}

/** Where somebody who listens on all addresses can be asked. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
