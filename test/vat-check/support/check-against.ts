import { onTestFinished } from 'vitest';
import { createMetrics } from '../../../src/platform/metrics.ts';
import { Upstream } from '../../../src/platform/upstream/upstream.ts';
import type { ExchangeRecorder } from '../../../src/vat-check/registries/exchange-recorder.ts';
import type { Trader } from '../../../src/vat-check/numbers/trader.ts';
import {
  type ApproxOutcome,
  ViesClient,
  type ViesResult,
} from '../../../src/vat-check/registries/vies/client.ts';
import { SettableClock } from '../../support/settable-clock.ts';
import { print, RawRegistry } from './raw-registry.ts';
import { numberOf } from './vat-numbers.ts';

/** Checks one number, by default an Austrian one, with the registry at a URL. */
export async function check(url: string, country = 'AT', vat = 'U99999901'): Promise<ViesResult> {
  return open(url).check(numberOf(country, vat), limits());
}

/** Checks one number with a registry that sends these bytes and then ends the connection. */
export async function checkAgainst(
  bytes: Uint8Array | string,
  ...number: readonly [country?: string, vat?: string]
): Promise<ViesResult> {
  await using registry = await RawRegistry.start((socket) => socket.end(bytes));
  return await check(registry.url, ...number);
}

/** A query with `checkVatApprox`; countries and numbers as callers write them. */
export type Approx = {
  readonly number?: readonly [country: string, vat: string];
  readonly requester?: readonly [country: string, vat: string];
  readonly trader?: Trader;
  readonly recorder?: ExchangeRecorder;
};

/** Checks one number, by default an Austrian one, with `checkVatApprox` and the registry at a URL. */
export async function checkApprox(
  url: string,
  { number = ['AT', 'U99999901'], requester, trader = {}, recorder }: Approx = {},
): Promise<ViesResult<ApproxOutcome>> {
  const query = {
    vatNumber: numberOf(...number),
    requester: requester === undefined ? undefined : numberOf(...requester),
    trader,
  };
  return open(url).checkApprox(query, limits(recorder));
}

/** The same with a registry that sends these bytes and then ends the connection. */
export async function checkApproxAgainst(
  bytes: Uint8Array | string,
  query: Approx = {},
): Promise<ViesResult<ApproxOutcome>> {
  await using registry = await RawRegistry.start((socket) => socket.end(bytes));
  return await checkApprox(registry.url, query);
}

function open(url: string): ViesClient {
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  const upstream = new Upstream('vies', { clock, metrics: createMetrics() });
  onTestFinished(async () => upstream.close());
  return new ViesClient(upstream, { url });
}

function limits(recorder?: ExchangeRecorder) {
  const { signal } = new AbortController();
  return { deadlineMs: 5_000, signal, ...(recorder === undefined ? {} : { recorder }) };
}

/** The registry's answer to a query if it sends this text, or the outcome without one. */
export async function approxAnswerOf(text: string, query: Approx = {}): Promise<unknown> {
  const { outcome } = await checkApproxAgainst(print(200, text), query);
  return outcome.kind === 'answered' ? outcome.answer : outcome;
}
