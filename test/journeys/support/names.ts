import dns from 'node:dns';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

type Found = (error: Error | null, addresses?: unknown, family?: number) => void;

/**
 * Resolves host names that end in `test` to this machine, for this process and until the test ends. Any of them can
 * be lost, as if its name server did not know it, or did not answer.
 */
export class Names {
  readonly #lost = new Map<string, 'unknown' | 'silent'>();

  static use(): Names {
    const names = new Names();
    names.#take();
    return names;
  }

  #take(): void {
    const { lookup } = dns;
    const { lookup: promised } = dns.promises;
    onTestFinished(() => {
      dns.lookup = lookup;
      dns.promises.lookup = promised;
    });
    const ours = (host: string, options: dns.LookupOptions, found: Found): void => {
      if (!host.endsWith('test')) return lookup(host, options, found as never);
      if (this.#lost.get(host) === 'silent') return;
      if (this.#lost.has(host)) {
        const error = new Error(`getaddrinfo ENOTFOUND ${host}`);
        return found(Object.assign(error, { code: 'ENOTFOUND', syscall: 'getaddrinfo' }));
      }
      const here = { address: '127.0.0.1', family: 4 };
      if (options.all === true) found(null, [here]);
      else found(null, here.address, here.family);
    };
    dns.lookup = ours as typeof dns.lookup;
    dns.promises.lookup = promisify(ours) as typeof dns.promises.lookup;
  }

  lose(host: string, how: 'unknown' | 'silent'): void {
    this.#lost.set(host, how);
  }

  restore(host: string): void {
    this.#lost.delete(host);
  }
}

/** The same URL with another host name. */
export function named(url: string, host: string): string {
  return url.replace('127.0.0.1', host);
}
