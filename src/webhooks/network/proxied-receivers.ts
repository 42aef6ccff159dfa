import type { Dispatcher } from 'undici';
import { hostOf } from '../../platform/http/network.ts';
import { normalizeAddress } from './address-class.ts';
import { ReceiverRefused, type SsrfGuard } from './ssrf-guard.ts';

/** Endings of names that are never in the public DNS (RFC 6761, RFC 6762, RFC 8375, ICANN for `internal`). */
const privateEndings = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/**
 * What remains of the SSRF guard if a proxy connects to receivers (contract C30). The proxy resolves their names, so no
 * address of a name can be compared: only the proxy itself can refuse a name that resolves to a private address.
 *
 * Still refused are: an address in the URL that is not allowed; unless private networks are allowed, a name that the
 * public DNS cannot have; and, when a subscription is made, a name that this machine resolves to such an address. A
 * name that it cannot resolve passes, because behind a proxy machines often have no public DNS.
 */
export function guardProxiedReceivers(options: {
  readonly guard: Pick<SsrfGuard, 'check'>;
  readonly isAllowed: (address: string) => boolean;
  readonly allowPrivateNames: boolean;
}): {
  readonly check: SsrfGuard['check'];
  /** Refuses requests to such hosts with `ReceiverRefused`, before the proxy hears of them. */
  readonly interceptor: Dispatcher.DispatcherComposeInterceptor;
} {
  const { guard, isAllowed, allowPrivateNames } = options;
  const isRefused = (url: URL): boolean => {
    const host = hostOf(url).replace(/\.$/, '');
    const address = normalizeAddress(host);
    if (address !== undefined) return !isAllowed(address);
    return !allowPrivateNames && (!host.includes('.') || privateEndings.test(host));
  };
  return {
    check: async (url, signal) => {
      if (isRefused(url)) return { kind: 'refused', why: 'notPublic' };
      const resolved = await guard.check(url, signal);
      const isUnknown = resolved.kind === 'refused' && resolved.why === 'unresolved';
      return isUnknown ? { kind: 'allowed' } : resolved;
    },
    interceptor: (dispatch) => (sent, handler) => {
      const url = new URL(String(sent.origin));
      if (isRefused(url)) throw new ReceiverRefused('notPublic', url.hostname);
      return dispatch(sent, handler);
    },
  };
}
