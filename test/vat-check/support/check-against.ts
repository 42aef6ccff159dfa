import { onTestFinished } from 'vitest';
import { createMetrics } from '../../../src/platform/metrics.ts';
import { Upstream } from '../../../src/platform/upstream/upstream.ts';
import { parseVatNumber } from '../../../src/vat-check/vat-number.ts';
import { ViesClient, type ViesResult } from '../../../src/vat-check/vies-client.ts';
import { SettableClock } from '../../support/settable-clock.ts';
import { RawRegistry } from './raw-registry.ts';

/** Checks one number, by default an Austrian one, with the registry at a URL. */
export async function check(url: string, country = 'AT', vat = 'U99999901'): Promise<ViesResult> {
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  const upstream = new Upstream('vies', { clock, metrics: createMetrics() });
  onTestFinished(async () => upstream.close());
  const vatNumber = parseVatNumber(country, vat);
  if (vatNumber === undefined) throw new Error(`no VAT number: ${country} ${vat}`);
  const { signal } = new AbortController();
  return new ViesClient(upstream, { url }).check(vatNumber, { deadlineMs: 5_000, signal });
}

/** Checks one number with a registry that sends these bytes and then ends the connection. */
export async function checkAgainst(
  bytes: Uint8Array | string,
  ...number: readonly [country?: string, vat?: string]
): Promise<ViesResult> {
  await using registry = await RawRegistry.start((socket) => socket.end(bytes));
  return await check(registry.url, ...number);
}
