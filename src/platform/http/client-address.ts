import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { withoutPort } from './network.ts';

/** Entries of X-Forwarded-For that are read, from its end: one for each proxy on the way. */
const entriesMax = 20;

type Address = ReturnType<typeof ipaddr.process>;

/** Finds the address of the client that sent a request; undefined if its connection is gone. */
export type ClientAddress = (
  request: Pick<IncomingMessage, 'headers'> & {
    readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
  },
) => string | undefined;

/**
 * Makes a function that finds the address of a client behind trusted proxies (operator.md O19). `trustedProxies` are
 * addresses and networks.
 *
 * Each proxy adds the address of its own client at the end of X-Forwarded-For. So the list is read from its end while
 * the address that added an entry is trusted, for 20 entries at most; the first one that is not trusted is the client.
 * If there is none, the last entry is, which the proxy in front has added: all before it may be the client's own words.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const networks = trustedProxies.map(toNetwork);
  const isTrusted = (text: string): boolean => {
    const bare = withoutPort(text);
    if (!ipaddr.isValid(bare)) return false;
    const address = ipaddr.process(bare);
    return networks.some(([network, bits]) => isIn(address, network, bits));
  };
  return ({ headers, socket: { remoteAddress: peer } }) => {
    const forwarded = headers['x-forwarded-for'];
    if (peer === undefined || networks.length === 0 || typeof forwarded !== 'string') return peer;
    if (!isTrusted(peer)) return peer;
    let last: string | undefined;
    for (const entry of lastEntries(forwarded)) {
      if (!isTrusted(entry)) return entry;
      last ??= entry;
    }
    return last ?? peer;
  };
}

/** The last entries of a list that commas separate, from its end. Empty ones are left out. */
function* lastEntries(list: string): Generator<string> {
  let end = list.length;
  for (let count = 0; count < entriesMax && end >= 0; count += 1) {
    const comma = end === 0 ? -1 : list.lastIndexOf(',', end - 1);
    const entry = list.slice(comma + 1, end).trim();
    if (entry !== '') yield entry;
    end = comma;
  }
}

function toNetwork(text: string): [network: Address, bits: number] {
  const [given = '', bits] = text.split('/');
  const parsed = ipaddr.parse(given);
  const network = ipaddr.process(given);
  const all = network.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [network, all];
  // A network of IPv4 addresses in IPv6 has 96 bits before them.
  return [network, Math.max(0, Number(bits) - (parsed.kind() === network.kind() ? 0 : 96))];
}

function isIn(address: Address, network: Address, bits: number): boolean {
  if (address.kind() !== network.kind()) return false;
  // The kinds are the same; the types of the library do not say so.
  return (address as ipaddr.IPv6).match(network, bits);
}
