import { NODATA, NOTFOUND, promises as dns, TIMEOUT } from 'node:dns';
import { errorCodeOf } from '../../platform/log/errors.ts';
import { unlessAborted } from '../../platform/time/timers.ts';

/**
 * Resolves a host to all its addresses; to none if the host does not exist.
 *
 * Rejects if no name server answered, and with the signal's reason once the signal is aborted.
 */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const unknownHost: readonly unknown[] = [NODATA, NOTFOUND];

/**
 * Makes a `Resolve` that queries the name servers of this machine and returns IPv4 addresses first.
 *
 * With `useSystem`, for operators that allow private networks, names that DNS does not have are resolved by the
 * operating system (hosts file, search domains). `servers` are other name servers, as `address:port`.
 */
export function createResolver(options: {
  readonly useSystem: boolean;
  readonly servers?: readonly string[];
}): Resolve {
  return async (host, signal) => {
    signal.throwIfAborted();
    // A name without a dot is not in the public DNS, and `localhost` has to work without a network.
    if (options.useSystem && !host.includes('.')) return querySystem(host, signal);

    const { addresses, failure } = await queryDns(host, signal, options.servers);
    if (addresses.length > 0) return addresses;
    // A name that timed out in DNS would also block one of libuv's four threads.
    if (options.useSystem && errorCodeOf(failure) !== TIMEOUT) return querySystem(host, signal);
    if (failure === undefined) return [];
    throw new Error(`no name server answered for ${host}`, { cause: failure });
  };
}

/**
 * Queries IPv4 and IPv6 addresses in parallel with c-ares. Without addresses, `failure` is the error of a name server
 * that did not answer; undefined if the name does not exist.
 *
 * `dns.lookup` would occupy one of libuv's four threads for as long as the domain's name servers hang. Four such
 * subscriptions would stop every other delivery.
 */
async function queryDns(
  host: string,
  signal: AbortSignal,
  servers: readonly string[] | undefined,
): Promise<{ readonly addresses: readonly string[]; readonly failure?: unknown }> {
  // A resolver for each host, because `cancel` ends every query of a resolver.
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  try {
    const answers = await unlessAborted(
      signal,
      Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]),
    );
    // Some name servers fail for IPv6 and answer correctly for IPv4.
    const addresses = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const failures = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    return { addresses, failure: failures.find((one) => !unknownHost.includes(errorCodeOf(one))) };
  } finally {
    resolver.cancel();
  }
}

/** Resolves with the operating system. An aborted signal only ends the waiting: the call cannot be cancelled. */
async function querySystem(host: string, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const looking = dns.lookup(host, { all: true, order: 'ipv4first' });
    return (await unlessAborted(signal, looking)).map(({ address }) => address);
  } catch (error) {
    signal.throwIfAborted();
    if (unknownHost.includes(errorCodeOf(error))) return [];
    throw error;
  }
}
