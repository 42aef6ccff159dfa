import { isIPv4, isIPv6 } from 'node:net';
import { hostname } from 'node:os';

/** The name or address of a Host field, and its port. */
const hostForm = /^(?:\[(?<v6>[^\]]*)\]|(?<name>[^:]*?)\.?)(?::\d*)?$/;
/** Names that the public DNS does not have: a single label, and domains of private networks and of Kubernetes. */
const privateName = /^[\w-]*[a-z_-][\w-]*$|\.(?:internal|home\.arpa|svc|svc\.cluster\.local)$/;

/**
 * Checks a Host field: every address and every private name pass, and so do OPS_HOST and the name of this machine.
 *
 * This stops DNS rebinding, in which a foreign name resolves to this machine: a browser sends that name, and the owner
 * of a web page has it in the public DNS. An address is not resolved, so a page that has one in its URL is ours. A
 * request without the field comes from no browser, but from probes that speak HTTP/1.0.
 */
export function createHostCheck(opsHost: string): (host: string | undefined) => boolean {
  const known = new Set([opsHost, hostname()].map((name) => name.toLowerCase()));
  return (host) => {
    if (host === undefined) return true;
    const { v6, name = '' } = hostForm.exec(host.toLowerCase())?.groups ?? {};
    if (v6 !== undefined) return isIPv6(v6);
    return isIPv4(name) || known.has(name) || privateName.test(name);
  };
}
