import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Config } from '../../platform/config/options.ts';
import { withoutIpv6 } from '../../platform/http/server/listening.ts';
import { busyPort, isPortBusy, readHost, readPort } from '../options.ts';

/** Options of `demo`, as typed. */
export type DemoOptions = {
  readonly host?: string;
  readonly port?: string;
  readonly opsPort?: string;
};

/** The addresses of the demo's three ports. */
export type DemoPlace = {
  readonly config: Config;
  readonly sandbox: { readonly host: string; readonly port: number };
};

const loopback = '127.0.0.1';
const sandboxPort = 9100;

/**
 * Chooses the addresses of the demo: those of the options, then those of the settings.
 *
 * If a port of the settings is busy, another one is used and `show` gets a sentence. A busy port of an option is a
 * failure. With port 0 every port that has no option of its own is any free one.
 */
export async function chooseDemoPlace(
  config: Config,
  options: DemoOptions,
  show: (sentence: string) => void,
): Promise<DemoPlace> {
  const given = options.host === undefined ? undefined : readHost('--host', options.host);
  const host = given ?? config.host;
  const opsHost = given ?? config.opsHost;
  const sandboxHost = given ?? loopback;
  const wanted = readPortOption('--port', options.port) ?? config.port;
  const anyPort = wanted === 0;
  const port = await choosePort(
    { host, port: wanted, option: '--port', typed: options.port },
    show,
  );
  const opsWanted = readPortOption('--ops-port', options.opsPort) ?? (anyPort ? 0 : config.opsPort);
  const opsAt = { host: opsHost, port: opsWanted, option: '--ops-port', typed: options.opsPort };
  const opsPort = await choosePort(opsAt, show);
  const sandboxAt = { host: sandboxHost, port: anyPort ? 0 : sandboxPort };
  return {
    config: { ...config, host, port, opsHost, opsPort },
    sandbox: { host: sandboxHost, port: await choosePort(sandboxAt, show) },
  };
}

function readPortOption(name: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : readPort(name, text);
}

type Wanted = {
  readonly host: string;
  readonly port: number;
  /** Undefined for a port that no option chooses. */
  readonly option?: string;
  /** The text of the option; undefined if the settings chose the port. */
  readonly typed?: string | undefined;
};

async function choosePort(
  { host, port, option, typed }: Wanted,
  show: (sentence: string) => void,
): Promise<number> {
  if (port === 0 || (await findFree(host, port)) !== undefined) return port;
  if (typed !== undefined) throw busyPort(port, option);
  const free = (await findFree(host, 0)) ?? 0;
  const choice = option === undefined ? '' : `; choose with ${option}`;
  show(`port ${port} is busy: using ${free}${choice}`);
  return free;
}

/** The port if it is free, or any free port for 0; undefined if another program listens on it. */
async function findFree(host: string, port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    if (isPortBusy(error)) return undefined;
    const instead = withoutIpv6(host, error);
    if (instead !== undefined) return await findFree(instead, port);
    throw error;
  } finally {
    server.close();
  }
}
