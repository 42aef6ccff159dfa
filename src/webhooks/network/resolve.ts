import { type LookupAddress, NODATA, NOTFOUND, promises as dns, TIMEOUT } from 'node:dns';
import { unlessAborted } from '../../platform/unless-aborted.ts';

/**
 * Gives all addresses of a host; none when nobody knows it.
 *
 * Rejects when nobody could be asked, and with the signal's reason once that is aborted.
 */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const unknownHost: readonly unknown[] = [NODATA, NOTFOUND];

/**
 * Makes a `Resolve` that asks the name servers of this machine, IPv4 addresses before IPv6 ones.
 *
 * With `useSystem`, where private networks are allowed, names that DNS does not know are asked of the
 * system: the hosts file, search domains. `servers` are other name servers, as `address:port`.
 */
export function createResolver(options: {
  readonly useSystem: boolean;
  readonly servers?: readonly string[];
}): Resolve {
  return async (host, signal) => {
    signal.throwIfAborted();
    // A name without a dot is none of the public DNS, and `localhost` works without a network.
    if (options.useSystem && !host.includes('.')) return askSystem(host, signal);

    const answer = await askDns(host, signal, options.servers);
    if (answer.kind === 'known') return answer.addresses;
    // What DNS could not tell in time would keep one of the system's four threads waiting as well.
    const mayKnow = answer.kind === 'unknown' || codeOf(answer.cause) !== TIMEOUT;
    if (options.useSystem && mayKnow) return askSystem(host, signal);
    if (answer.kind === 'unknown') return [];
    throw new Error(`no name server could be asked for ${host}`, { cause: answer.cause });
  };
}

type DnsAnswer =
  | { readonly kind: 'known'; readonly addresses: readonly string[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly cause: unknown };

/**
 * Asks for both families at once, over sockets of its own.
 *
 * `dns.lookup` would take one of the four threads that libuv has for all of the process, for as long as
 * the domain's name servers care to hang; four such subscriptions would stop every other delivery.
 */
async function askDns(
  host: string,
  signal: AbortSignal,
  servers: readonly string[] | undefined,
): Promise<DnsAnswer> {
  // One for each question: cancelling ends all that a resolver is asked.
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  try {
    const answers = await unlessAborted(
      signal,
      Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]),
    );
    // There are name servers that fail for IPv6 and are right about IPv4.
    const addresses = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (addresses.length > 0) return { kind: 'known', addresses };
    const failed = answers.find(
      (one) => one.status === 'rejected' && !unknownHost.includes(codeOf(one.reason)),
    );
    if (failed?.status === 'rejected') return { kind: 'failed', cause: failed.reason };
    return { kind: 'unknown' };
  } finally {
    resolver.cancel();
  }
}

/** Nothing can call the system back, so an aborted signal only ends the waiting. */
async function askSystem(host: string, signal: AbortSignal): Promise<readonly string[]> {
  const found = await unlessAborted(signal, lookUp(host));
  return found.map(({ address }) => address);
}

async function lookUp(host: string): Promise<readonly LookupAddress[]> {
  try {
    return await dns.lookup(host, { all: true, order: 'ipv4first' });
  } catch (error) {
    if (unknownHost.includes(codeOf(error))) return [];
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
