import { isIPv4, isIPv6 } from 'node:net';

/** The name or address of a Host field, and its port. */
const hostForm = /^(?:\[(?<v6>[^\]]*)\]|(?<name>[^:]*?)\.?)(?::\d*)?$/;

/**
 * Tells whether a server that is known by `names` may be asked by this Host field: by one of them, as `localhost`
 * and by any address; by anything where `*` is among them.
 *
 * It defends against a foreign name that resolves to this machine (DNS rebinding): a browser
 * sends that name. An address is not resolved, so a page that is asked by it is ours. A request without the
 * field comes from no browser, but from probes that speak HTTP/1.0.
 */
export function createHostCheck(names: readonly string[]): (host: string | undefined) => boolean {
  const known = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
  return (host) => {
    if (host === undefined || known.has('*')) return true;
    const { v6, name = '' } = hostForm.exec(host)?.groups ?? {};
    if (v6 !== undefined) return isIPv6(v6);
    return isIPv4(name) || known.has(name.toLowerCase());
  };
}
