import { Agent, request } from 'undici';
import { onTestFinished } from 'vitest';
import { createAddressPolicy } from '../../src/webhooks/network/address-class.ts';
import type { Resolve } from '../../src/webhooks/network/resolve.ts';
import { createSsrfGuard, type SsrfGuardOptions } from '../../src/webhooks/network/ssrf-guard.ts';

/** A resolver that returns these addresses for every name. */
export function answers(...addresses: readonly string[]): Resolve {
  return async () => addresses;
}

/** A resolver for tests in which no name may be looked up. */
export const noResolve: Resolve = async (host) => {
  throw new Error(`looked up ${host}`);
};

/**
 * Sends one request through the connector of a guard, on connections that end with the test.
 *
 * By default loopback is allowed and every look-up of a name fails.
 */
export async function sendGuarded(
  url: string,
  options: Partial<SsrfGuardOptions>,
): Promise<{ readonly status: number; readonly text: string }> {
  const guard = createSsrfGuard({
    isAllowed: createAddressPolicy(['127.0.0.0/8', '::1/128']),
    resolve: noResolve,
    ...options,
  });
  const agent = new Agent({ connect: guard.connect });
  onTestFinished(() => agent.destroy());
  const { statusCode, body } = await request(url, { dispatcher: agent });
  return { status: statusCode, text: await body.text() };
}
