import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../platform/config/options.ts';
import { withoutIpv6 } from '../../platform/http/server/listening.ts';
import { fetchLocally } from '../fetch-locally.ts';
import { type Finding, ok, wrong } from './finding.ts';

/** Milliseconds in which a vatfx on this machine answers, also if the machine is busy. */
const timeoutMs = 10_000;

/** Checks whether the ports are free or in use by vatfx. */
export function checkPorts(config: Config): readonly Promise<Finding>[] {
  return [
    checkPort({
      check: 'API port',
      prefix: '',
      host: config.host,
      port: config.port,
      isVatfx: async (url) => {
        // Without a key vatfx refuses, with its own header.
        const answer = await fetchInTime(`${url}/usage`);
        return [401, 429, 503].includes(answer.status) && answer.headers.has('x-request-id');
      },
    }),
    checkPort({
      check: 'operations port',
      prefix: 'OPS_',
      host: config.opsHost,
      port: config.opsPort,
      isVatfx: async (url) => {
        const answer = await fetchInTime(`${url}/live`);
        return answer.ok && (await answer.text()) === '{"status":"live"}';
      },
    }),
  ];
}

async function fetchInTime(url: string): ReturnType<typeof fetchLocally> {
  return fetchLocally(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
}

async function checkPort(at: {
  readonly check: string;
  /** Of the names of both settings: `OPS_` for `OPS_HOST` and `OPS_PORT`. */
  readonly prefix: string;
  readonly host: string;
  readonly port: number;
  readonly isVatfx: (url: string) => Promise<boolean>;
}): Promise<Finding> {
  const { check, prefix, host, port, isVatfx } = at;
  const address = formatAddress(host, port);
  if (port === 0) return ok(check, 'any free port');
  const code = await tryListening(host, port);
  if (code === undefined) return ok(check, `${address} is free`);
  if (code === 'EADDRINUSE') {
    // A port that listens on `::` receives IPv4 as well.
    const localHost = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
    if (await isVatfx(`http://${formatAddress(localHost, port)}`).catch(() => false)) {
      return ok(check, `${address} is taken by a vatfx that answers`);
    }
    const advice = `stop that program, or set ${prefix}PORT to another port`;
    return wrong(check, `${address} is taken by something else`, advice);
  }
  const advice =
    code === 'EACCES'
      ? `set ${prefix}PORT to 1024 or more, or allow the user of vatfx to listen there`
      : `set ${prefix}HOST to an address of this machine`;
  return wrong(check, `${address} cannot be listened on (${code})`, advice);
}

function formatAddress(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Listens for a moment; returns the code of the error, undefined if there was none. */
async function tryListening(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    const instead = withoutIpv6(host, error);
    if (instead !== undefined) return await tryListening(instead, port);
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  } finally {
    server.close();
  }
}
