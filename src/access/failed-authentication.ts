import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { Log } from '../platform/log.ts';
import type { RequestLimit } from '../platform/request-limit.ts';
import type { Clock } from '../platform/time.ts';
import { type Refusal, toWholeSeconds } from './allowance.ts';
import { RecentRequests, windowSeconds } from './recent-requests.ts';

/** Addresses that are counted; those that failed longest ago make room. */
const addressesMax = 10_000;

type Failures = {
  readonly recent: RecentRequests;
  refusedAtMs: number;
};

/**
 * Limits how often an address is told that its key is not good.
 *
 * Only failures are counted and only failures are refused: a good key is let through from the worst
 * address, so nobody can be locked out by a neighbour behind the same one.
 */
export class FailedAuthentication {
  readonly #clock: Clock;
  readonly #limit: RequestLimit;
  readonly #log: Log;
  // Counted by size, because a plain maximum allocates its room at the start.
  readonly #failures = new LRUCache<string, Failures>({
    maxSize: addressesMax,
    sizeCalculation: () => 1,
  });

  constructor(parts: { readonly clock: Clock; readonly limit: RequestLimit; readonly log: Log }) {
    this.#clock = parts.clock;
    this.#limit = parts.limit;
    this.#log = parts.log;
  }

  /** Counts a failure; the refusal when the address has had too many. */
  count(address: string): Refusal | undefined {
    if (this.#limit === 'none') return undefined;
    const nowMs = this.#clock.now();
    const network = networkOf(address);
    let known = this.#failures.get(network);
    if (known === undefined) {
      known = { recent: new RecentRequests(), refusedAtMs: -Infinity };
      this.#failures.set(network, known);
    }
    const { recent } = known;
    if (recent.count(nowMs) < this.#limit) {
      recent.add(nowMs);
      return undefined;
    }
    // Once, not for every request of somebody who does not stop.
    if (nowMs - known.refusedAtMs >= windowSeconds * 1_000) {
      this.#log.warn({ address: network }, 'too many failed authentications');
    }
    known.refusedAtMs = nowMs;
    return {
      kind: 'rateLimited',
      policy: 'failed-authentication',
      limit: this.#limit,
      windowSeconds,
      retryAfterSeconds: toWholeSeconds(recent.waitMs(this.#limit, nowMs)),
    };
  }
}

/**
 * What stands for one client: an IPv4 address, or the /64 of an IPv6 address, of which a client has more
 * addresses than there is room. What is no address stands for `unknown`: a proxy that is trusted passed on what a
 * client made up, which may be anything, a key included.
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
function withoutPort(address: string): string {
  const match = /^\[(?<v6>[^\]]*)\](?::[0-9]+)?$|^(?<v4>[0-9.]+):[0-9]+$/.exec(address);
  return match?.groups?.['v6'] ?? match?.groups?.['v4'] ?? address;
}
