import { describe, expect, it, onTestFinished } from 'vitest';
import { serveHttp, unusedAddress } from '../../../test/support/loopback-server.ts';
import { readText } from '../../../test/support/probe-exchange.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { createMetrics } from '../metrics.ts';
import { Upstream } from './upstream.ts';

function openUpstream() {
  const clock = new SettableClock('2026-11-20T07:00:00Z');
  const metrics = createMetrics();
  const upstream = new Upstream('ecb', { clock, metrics });
  onTestFinished(async () => upstream.close());
  const stopping = new AbortController();
  const ask = async (url: string, read = readText): Promise<string> => {
    const { signal } = stopping;
    const sent = { operation: 'ask', url, method: 'GET', headers: {}, signal } as const;
    return upstream.exchange({ ...sent, deadlineMs: 5_000, bodyBytesMax: 1_000 }, read);
  };
  const calls = async (): Promise<Record<string, number>> => {
    const { values } = await metrics.upstreamCalls.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
  };
  return { upstream, clock, ask, calls, stopping };
}

describe('Upstream', () => {
  it('knows nothing of itself before the first call', () => {
    expect(openUpstream().upstream.health).toEqual({
      lastSuccessAt: null,
      lastFailureAt: null,
      lastFailure: null,
      failures: 0,
    });
  });

  it('remembers failures in a row, and the last one after a success', async () => {
    const { upstream, clock, ask, calls } = openUpstream();
    const nobody = await unusedAddress();
    const somebody = await serveHttp((_request, response) => response.end('x'));

    await expect(ask(nobody)).rejects.toThrow('ECONNREFUSED');
    clock.set('2026-11-20T08:00:00Z');
    await expect(ask(nobody)).rejects.toThrow('ECONNREFUSED');
    expect(upstream.health).toMatchObject({
      lastSuccessAt: null,
      lastFailureAt: '2026-11-20T08:00:00.000Z',
      lastFailure: { kind: 'network', message: expect.stringContaining('ecb: ask: no answer') },
      failures: 2,
    });
    clock.set('2026-11-20T09:00:00Z');
    expect(await ask(somebody)).toBe('x');

    expect(upstream.health).toMatchObject({
      lastSuccessAt: '2026-11-20T09:00:00.000Z',
      lastFailureAt: '2026-11-20T08:00:00.000Z',
      failures: 0,
    });
    expect(await calls()).toEqual({ network: 2, answered: 1 });
  });

  it('does not blame the upstream for being cancelled', async () => {
    const { upstream, ask, calls, stopping } = openUpstream();
    const url = await serveHttp(() => stopping.abort());

    await expect(ask(url)).rejects.toMatchObject({ kind: 'cancelled' });

    expect(upstream.health.failures).toBe(0);
    expect(await calls()).toEqual({ cancelled: 1 });
  });

  it('does not blame the upstream for a bug of ours', async () => {
    const { upstream, ask } = openUpstream();
    const url = await serveHttp((_request, response) => response.end('x'));
    const bug = new TypeError('a bug');

    await expect(ask(url, async () => Promise.reject(bug))).rejects.toBe(bug);

    expect(upstream.health).toMatchObject({ lastSuccessAt: null, failures: 0 });
  });
});
