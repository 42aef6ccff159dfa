import { isIPv4, isIPv6 } from 'node:net';

/** The name or address of a Host field, and its port. */
const hostForm = /^(?:\[(?<v6>[^\]]*)\]|(?<name>[^:]*?)\.?)(?::\d*)?$/;

/**
 * Checks a Host field: `names`, `localhost` and every address pass, and any host if `*` is among the names.
 *
 * This stops DNS rebinding, in which a foreign name resolves to this machine: a browser sends that name. An address is
 * not resolved, so a page that has one in its URL is ours. A request without the field comes from no browser, but
 * from probes that speak HTTP/1.0.
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
