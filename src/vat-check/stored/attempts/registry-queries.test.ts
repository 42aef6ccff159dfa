import { AskedRegistry } from '../../calls/asked-registry.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { print, RawRegistry } from '../../../../test/vat-check/support/raw-registry.ts';
import { approxText } from '../../../../test/vat-check/support/vies-texts.ts';
import { openProtection, uncounted } from '../../../../test/vat-check/support/held-calls.ts';
import { checkRow } from '../../../../test/support/stored-checks.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { systemClock } from '../../../platform/time/time.ts';
import { systemTimers } from '../../../platform/time/timers.ts';
import { Upstream } from '../../../platform/upstream/upstream.ts';
import { RegistryClient } from '../../registries/registry-client.ts';
import { vies } from '../../registries/vies/vies.ts';
import { RegistryQueries } from './registry-queries.ts';
import { type CheckRow, type StoredCheck, toStoredCheck } from '../stored-check.ts';

const storedCheck = (own: Partial<CheckRow> = {}): StoredCheck =>
  toStoredCheck(checkRow({ id: 'vc_1', registry_code: 'DE', number: '811115368', ...own }));
const requester = { requester_code: 'NL', requester_number: '854265259B01' };

async function open(text: string | undefined, timeoutMs = 5_000) {
  const registry = await RawRegistry.start((socket, { countryCode, vatNumber }) => {
    if (text === undefined) return;
    const named = text
      .replace(
        '<ns2:countryCode></ns2:countryCode>',
        `<ns2:countryCode>${countryCode}</ns2:countryCode>`,
      )
      .replace('<ns2:vatNumber></ns2:vatNumber>', `<ns2:vatNumber>${vatNumber}</ns2:vatNumber>`);
    socket.end(print(200, named));
  });
  const upstream = new Upstream('vies', { clock: systemClock, metrics: createMetrics() });
  onTestFinished(async () => {
    await upstream.close();
    await registry[Symbol.asyncDispose]();
  });
  const protection = openProtection(systemTimers, systemClock);
  const client = new RegistryClient(vies, upstream, { url: registry.url });
  const asked = new AskedRegistry({
    registry: vies,
    client,
    protection,
    clock: systemClock,
    timers: systemTimers,
  });
  const closing = new AbortController();
  const attempts = new RegistryQueries({
    registryOf: () => asked,
    metrics: { ended: () => {}, differed: () => {} },
    clock: systemClock,
    timers: systemTimers,
    timeoutMs,
    calls: uncounted,
    closing: closing.signal,
  });
  return { registry, attempts, protection, closing };
}

describe('an attempt of a stored check (rule K7)', () => {
  it.each<[string, Partial<CheckRow>, string]>([
    ['a requester', requester, '<v:requesterVatNumber>854265259B01<'],
    ['a trader', { trader: '{"name":"Ejemplo S.L."}' }, '<v:traderName>Ejemplo S.L.<'],
  ])('uses checkVatApprox with %s', async (_, own, sent) => {
    const { registry, attempts } = await open(approxText());

    const end = await attempts.makeInBackground(storedCheck(own));

    expect(registry.checks[0]?.body).toContain('checkVatApprox>');
    expect(registry.checks[0]?.body).toContain(sent);
    expect(end).toMatchObject({
      outcome: { kind: 'answered', answer: { consultationNumber: 'WAPIAAAAZNgfuVoL' } },
    });
  });

  it('does not count if a stop cuts it off', async () => {
    const { registry, attempts, closing } = await open(undefined);
    const running = attempts.makeForCaller(storedCheck());
    await expect.poll(() => registry.checks.length).toBe(1);

    closing.abort();

    expect(await running).toEqual({ kind: 'notMade' });
  });
});
