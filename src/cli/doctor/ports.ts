import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../platform/config/options.ts';
import type { Finding } from './finding.ts';

/** Programs on this machine answer faster than this. */
const timeoutMs = 2_000;

/** Checks whether the ports are free or in use by vatfx. */
export function checkPorts(config: Config): readonly Promise<Finding>[] {
  return [
    checkPort({
      check: 'API port',
      variables: ['HOST', 'PORT'],
      host: config.host,
      port: config.port,
      isVatfx: async (url) => {
        // Without a key vatfx refuses, with its own header.
        const answer = await fetchLocally(`${url}/usage`);
        return [401, 429, 503].includes(answer.status) && answer.headers.has('x-request-id');
      },
    }),
    checkPort({
      check: 'operations port',
      variables: ['OPS_HOST', 'OPS_PORT'],
      host: config.opsHost,
      port: config.opsPort,
      isVatfx: async (url) => {
        const answer = await fetchLocally(`${url}/live`);
        return answer.ok && (await answer.text()) === '{"status":"live"}';
      },
    }),
  ];
}

async function fetchLocally(url: string): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
}

async function checkPort(at: {
  readonly check: string;
  readonly variables: readonly [host: string, port: string];
  readonly host: string;
  readonly port: number;
  readonly isVatfx: (url: string) => Promise<boolean>;
}): Promise<Finding> {
  const { check, host, port, isVatfx } = at;
  const [hostVariable, portVariable] = at.variables;
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (port === 0) return { check, state: 'ok', found: 'any free port' };
  const code = await tryListening(host, port);
  if (code === undefined) return { check, state: 'ok', found: `${address} is free` };
  if (code === 'EADDRINUSE') {
    if (await isVatfx(`http://${reachableHost(host)}:${port}`).catch(() => false)) {
      return { check, state: 'ok', found: `${address} is taken by a vatfx that answers` };
    }
    return {
      check,
      state: 'wrong',
      found: `${address} is taken by something else`,
      advice: `stop that program, or set ${portVariable} to another port`,
    };
  }
  const advice =
    code === 'EACCES'
      ? `set ${portVariable} to 1024 or more, or allow the user of vatfx to listen there`
      : `set ${hostVariable} to an address of this machine`;
  return { check, state: 'wrong', found: `${address} cannot be listened on (${code})`, advice };
}

/** Listens for a moment; returns the code of the error, undefined if there was none. */
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

/** An address at which a server that listens on `host` can be reached. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
