import type { AddressInfo } from 'node:net';
import type { Config } from '../../platform/config/options.ts';
import { holdPlace, listenError, type Place } from '../../platform/http/server/place.ts';
import { type Given, option } from '../command/command.ts';
import { busyPort, hostAddress, hostSays, isPortBusy, portNumber } from '../servers/listening.ts';

export const demoOptions = {
  port: option('<number>', 'port of the API, 0 for any free ports; if left out, PORT', portNumber),
  opsPort: option('<number>', 'operations port; if left out, OPS_PORT', portNumber),
  host: option('<address>', hostSays, hostAddress),
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
  options: Given<typeof demoOptions>,
  show: (sentence: string) => void,
): Promise<DemoPlace> {
  await using held = new AsyncDisposableStack();
  const { host: given } = options;
  const host = given ?? config.host;
  const opsHost = given ?? config.opsHost;
  const choose = async (wanted: Wanted): Promise<number> => choosePort(wanted, held, show);

  const wanted = options.port ?? config.port;
  const anyPort = wanted === 0;
  const port = await choose({
    host,
    port: wanted,
    hostName: given === undefined ? 'HOST' : '--host',
    portName: 'PORT',
    option: '--port',
    typed: options.port,
  });
  const opsPort = await choose({
    host: opsHost,
    port: options.opsPort ?? (anyPort ? 0 : config.opsPort),
    hostName: given === undefined ? 'OPS_HOST' : '--host',
    portName: 'OPS_PORT',
    option: '--ops-port',
    typed: options.opsPort,
  });
  const sandbox = {
    host: given ?? loopback,
    port: await choose({
      host: given ?? loopback,
      port: anyPort ? 0 : sandboxPort,
      hostName: '--host',
      portName: 'the port of the sandbox',
    }),
  };
  return { config: { ...config, host, port, opsHost, opsPort }, sandbox };
}

type Wanted = Place & {
  /** Undefined for a port that no option chooses. */
  readonly option?: string;
  /** The value of the option; undefined if the settings chose the port. */
  readonly typed?: number | undefined;
};

/** Returns the port, or another one if it is busy; `held` keeps it until all are chosen. */
async function choosePort(
  { option, typed, ...wanted }: Wanted,
  held: AsyncDisposableStack,
  show: (sentence: string) => void,
): Promise<number> {
  const { host, port } = wanted;
  try {
    held.use(await holdPlace(wanted));
    return port;
  } catch (error) {
    const portName = (typed === undefined ? undefined : option) ?? wanted.portName;
    if (!isPortBusy(error)) throw listenError({ ...wanted, portName }, error);
    if (typed !== undefined) throw busyPort(port, option);
  }
  const free = held.use(await holdPlace({ host, port: 0 }));
  const { port: chosen } = free.address() as AddressInfo;
  const choice = option === undefined ? '' : `; choose with ${option}`;
  show(`port ${port} is busy: using ${chosen}${choice}`);
  return chosen;
}
