import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Config } from '../../config/options.ts';
import { errorCodeOf } from '../../log/errors.ts';
import { hostInUrl } from '../network.ts';

/** An address to listen on, with the names of the settings or options that choose it. */
export type Place = {
  readonly host: string;
  readonly port: number;
  readonly hostName: string;
  readonly portName: string;
};

/** Why a server cannot listen, and what to do. */
export type ListenFailure = { readonly found: string; readonly advice: string };

/** The places of a server: the API, then the operations port. */
export function placesOf(
  config: Pick<Config, 'host' | 'port' | 'opsHost' | 'opsPort'>,
): readonly [Place, Place] {
  return [
    { host: config.host, port: config.port, hostName: 'HOST', portName: 'PORT' },
    { host: config.opsHost, port: config.opsPort, hostName: 'OPS_HOST', portName: 'OPS_PORT' },
  ];
}

/**
 * Listens for a moment on all places together; throws a sentence for the first on which this is not possible. Called
 * before a start touches the database.
 */
export async function requirePlaces(places: readonly Place[]): Promise<void> {
  await using held = new AsyncDisposableStack();
  for (const place of places) {
    try {
      held.use(await holdPlace(place));
    } catch (error) {
      await held.disposeAsync();
      const same = places.filter(({ port }) => port === place.port);
      // Two addresses may share a port: it is taken by the other place only if it is free without that one.
      const isOurs = same.length > 1 && (await isFree(place));
      throw isOurs ? samePortError(same) : listenError(place, error);
    }
  }
}

async function isFree(place: Place): Promise<boolean> {
  try {
    await using _ = await holdPlace(place);
    return true;
  } catch {
    return false;
  }
}

function samePortError(places: readonly Place[]): Error {
  const [port, names] = [places[0]?.port, places.map(({ portName }) => portName)];
  return new Error(`${names.join(' and ')} are both ${port}; set one of them to another port`);
}

/** Listens until the server is disposed of; throws the error of Node. */
export async function holdPlace({
  host,
  port,
}: Pick<Place, 'host' | 'port'>): Promise<Server & AsyncDisposable> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return server;
  } catch (error) {
    const instead = withoutIpv6(host, error);
    if (instead === undefined) throw error;
    return holdPlace({ host: instead, port });
  }
}

/**
 * The address that stands for every address of a machine without IPv6, if listening on `::` failed; undefined for other hosts
 * and errors. On a machine with IPv6 `::` also receives IPv4.
 */
export function withoutIpv6(host: string, error: unknown): string | undefined {
  const isOff = ['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(String(errorCodeOf(error)));
  return host === '::' && isOff ? '0.0.0.0' : undefined;
}

/** The error for an operator of a place on which Node could not listen. */
export function listenError(place: Place, error: unknown): Error {
  const { found, advice } = describeListenFailure(place, error);
  return new Error(`${found}; ${advice}`);
}

/** Says why Node could not listen on a place, with the names and values of the settings. */
export function describeListenFailure(place: Place, error: unknown): ListenFailure {
  const { host, port, hostName, portName } = place;
  const code = String(errorCodeOf(error) ?? error);
  const found = (reason: string): string => `${hostName} is ${host}, ${reason}`;
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        found: found(`a name that does not resolve (${code})`),
        advice:
          `set ${hostName} to an address of this machine, such as 127.0.0.1` +
          // csh, zsh and the compilers of conda set HOST.
          (hostName === 'HOST' ? '; a shell or conda may have set it' : ''),
      };
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return {
        found: found(`which is not an address of this machine (${code})`),
        advice: `set ${hostName} to one of its addresses, to 127.0.0.1, or to 0.0.0.0 for all of them`,
      };
    case 'EAFNOSUPPORT':
      return {
        found: found(`and this machine has no IPv6 (${code})`),
        advice: `set ${hostName} to an IPv4 address; 0.0.0.0 is all of them`,
      };
    case 'EADDRINUSE':
      return {
        found: `${portName} is ${port}, and ${formatAddress(host, port)} is taken by another process`,
        advice: `stop that process, or set ${portName} to another port`,
      };
    case 'EACCES':
    case 'EPERM':
      return {
        found: `${portName} is ${port}, on which the user of vatfx may not listen (${code})`,
        advice: `set ${portName} to 1024 or more, or allow that user to listen on it`,
      };
    default:
      return {
        found: found(`and vatfx cannot listen on its port ${port} (${code})`),
        advice: `set ${hostName} and ${portName} to an address of this machine and a free port`,
      };
  }
}

/** Host and port as in a URL. */
export function formatAddress(host: string, port: number): string {
  return `${hostInUrl(host)}:${port}`;
}
