import { type LookupAddress, NODATA, NOTFOUND, promises as dns, TIMEOUT } from 'node:dns';
import { unlessAborted } from '../../platform/unless-aborted.ts';

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
    if (options.useSystem && !host.includes('.')) return askSystem(host, signal);

    const answer = await askDns(host, signal, options.servers);
    if (answer.kind === 'known') return answer.addresses;
    // A name that timed out in DNS would also block one of libuv's four threads.
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
 * Queries IPv4 and IPv6 addresses in parallel with c-ares.
 *
 * `dns.lookup` would occupy one of libuv's four threads for as long as the domain's name servers hang. Four such
 * subscriptions would stop every other delivery.
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
    // Some name servers fail for IPv6 and answer correctly for IPv4.
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

/** Resolves with the operating system. An aborted signal only ends the waiting: the call cannot be cancelled. */
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
