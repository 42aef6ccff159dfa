import { Agent, type Dispatcher } from 'undici';
import { onTestFinished } from 'vitest';
import { attemptDelivery } from '../../src/webhooks/delivery/http-sender.ts';
import { createAddressPolicy } from '../../src/webhooks/network/address-class.ts';
import type { Resolve } from '../../src/webhooks/network/resolve.ts';
import { createSsrfGuard } from '../../src/webhooks/network/ssrf-guard.ts';
import { noResolve } from './send-guarded.ts';
import { SettableClock } from './settable-clock.ts';
import { noon } from './stored-webhooks.ts';

/** Connections as deliveries have them, which end with the test; loopback is allowed by default. */
export function openReceiverAgent({
  resolve = noResolve,
  allow = ['127.0.0.0/8'],
}: { readonly resolve?: Resolve; readonly allow?: readonly string[] } = {}): Agent {
  const guard = createSsrfGuard({ isAllowed: createAddressPolicy(allow), resolve });
  const agent = new Agent({ connect: guard.connect });
  onTestFinished(() => agent.destroy());
  return agent;
}

/** The result of one attempt. */
export async function attempt(
  url: string,
  dispatcher: Dispatcher = openReceiverAgent(),
): Promise<{ readonly statusCode: number | undefined; readonly error: string | undefined }> {
  const message = { url, eventId: 'evt_1', body: Buffer.from('{}'), signingKeys: [], headers: [] };
  const parts = { dispatcher, clock: new SettableClock(noon) };
  const { attempt: ended } = await attemptDelivery(parts, message);
  return { statusCode: ended.statusCode, error: ended.error };
}
