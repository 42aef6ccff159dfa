import { onTestFinished } from 'vitest';
import { createMetrics } from '../../../src/platform/metrics.ts';
import { Upstream } from '../../../src/platform/upstream/upstream.ts';
import type { ExchangeRecorder } from '../../../src/vat-check/registries/exchange-recorder.ts';
import type { Trader } from '../../../src/vat-check/numbers/trader.ts';
import { type Outcome, withoutProof } from '../../../src/vat-check/registries/outcome.ts';
import { RegistryClient } from '../../../src/vat-check/registries/registry-client.ts';
import { vies } from '../../../src/vat-check/registries/vies/vies.ts';
import { alone, type RegistryResult } from '../../../src/vat-check/registries/registry.ts';
import { SettableClock } from '../../support/settable-clock.ts';
import { print, RawRegistry } from './raw-registry.ts';
import { numberOf } from './vat-numbers.ts';

/** Checks one number, by default an Austrian one, with the registry at a URL. */
export async function check(
  url: string,
  country = 'AT',
  vat = 'U99999901',
): Promise<Omit<RegistryResult, 'outcome'> & { readonly outcome: Outcome }> {
  const { outcome, ...result } = await open(url).ask(alone(numberOf(country, vat)), limits());
  return { outcome: withoutProof(outcome), ...result };
}

/** Checks one number with a registry that sends these bytes and then ends the connection. */
export async function checkAgainst(
  bytes: Uint8Array | string,
  ...number: readonly [country?: string, vat?: string]
) {
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
  { number = ['AT', 'U99999901'], requester: named, trader = {}, recorder }: Approx = {},
): Promise<RegistryResult> {
  // Without a requester and a trader it would be a question for `checkVat`.
  const isAlone = named === undefined && Object.keys(trader).length === 0;
  const requester = isAlone ? (['NL', '999999901B01'] as const) : named;
  const query = {
    vatNumber: numberOf(...number),
    requester: requester === undefined ? undefined : numberOf(...requester),
    trader,
  };
  return open(url).ask(query, limits(recorder));
}

/** The same with a registry that sends these bytes and then ends the connection. */
export async function checkApproxAgainst(
  bytes: Uint8Array | string,
  query: Approx = {},
): Promise<RegistryResult> {
  await using registry = await RawRegistry.start((socket) => socket.end(bytes));
  return await checkApprox(registry.url, query);
}

function open(url: string): RegistryClient {
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  const upstream = new Upstream('vies', { clock, metrics: createMetrics() });
  onTestFinished(async () => upstream.close());
  return new RegistryClient(vies, upstream, { url });
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
