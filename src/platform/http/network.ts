import ipaddr from 'ipaddr.js';

/**
 * The network of one client: its IPv4 address, or the /64 of its IPv6 address, because a client has a whole /64 of
 * addresses. A text that is no address becomes `unknown`: a trusted proxy passed on a header that a client made up,
 * which may hold anything, even a key.
 */
export function networkOf(address: string | undefined): string {
  const bare = withoutPort(address ?? '');
  if (!ipaddr.isValid(bare)) return 'unknown';
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().fill(0, 8);
  return `${ipaddr.fromByteArray(bytes).toString()}/64`;
}

/** Some proxies pass on `203.0.113.1:4444` or `[2001:db8::1]:4444`. */
export function withoutPort(address: string): string {
  const match = /^\[(?<v6>[^\]]*)\](?::[0-9]+)?$|^(?<v4>[0-9.]+):[0-9]+$/.exec(address);
  return match?.groups?.['v6'] ?? match?.groups?.['v4'] ?? address;
}

/** The host of a URL: a name, or an address, of IPv6 without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** The address of a server without what may be secret: user, password and parameters. */
export function withoutSecrets({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/** A host as it stands in a URL: an address of IPv6 in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
