import { describe, expect, it, onTestFinished } from 'vitest';
import { guardOf } from '../../../test/support/clock-guard.ts';
import { serveHttp, unusedAddress } from '../../../test/support/loopback-server.ts';
import { readText } from '../../../test/support/probe-exchange.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { createMetrics } from '../metrics.ts';
import { Upstream } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';

function openUpstream(
  parts: { readonly isConfidential?: boolean; readonly isPublished?: boolean } = {},
) {
  const clock = new SettableClock('2026-11-20T07:00:00Z');
  const clockGuard = guardOf(clock);
  const metrics = createMetrics();
  const upstream = new Upstream('ecb', { clock, clockGuard, metrics, ...parts });
  onTestFinished(async () => upstream.close());
  const stopping = new AbortController();
  const sendRequest = async (url: string, read = readText): Promise<string> => {
    const { signal } = stopping;
    const sent = { operation: 'query', url, method: 'GET', headers: {}, signal } as const;
    return upstream.exchange({ ...sent, deadlineMs: 5_000, bodyBytesMax: 1_000 }, read);
  };
  const calls = async (): Promise<Record<string, number>> => {
    const { values } = await metrics.upstreamCalls.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
  };
  return { upstream, clock, clockGuard, sendRequest, calls, stopping };
}

describe('Upstream', () => {
  it('counts failures in a row, and keeps the last failure after a success', async () => {
    const { upstream, clock, sendRequest, calls } = openUpstream();
    const unused = await unusedAddress();
    const server = await serveHttp((_request, response) => response.end('x'));

    await expect(sendRequest(unused)).rejects.toThrow('ECONNREFUSED');
    clock.set('2026-11-20T08:00:00Z');
    await expect(sendRequest(unused)).rejects.toThrow('ECONNREFUSED');
    expect(upstream.health).toMatchObject({
      lastSuccessAt: null,
      lastFailureAt: '2026-11-20T08:00:00.000Z',
      lastFailure: { kind: 'network', message: expect.stringContaining('ecb: query: no answer') },
      failures: 2,
    });
    clock.set('2026-11-20T09:00:00Z');
    expect(await sendRequest(server)).toBe('x');

    expect(upstream.health).toMatchObject({
      lastSuccessAt: '2026-11-20T09:00:00.000Z',
      lastFailureAt: '2026-11-20T08:00:00.000Z',
      failures: 0,
    });
    expect(await calls()).toEqual({ network: 2, answered: 1 });
  });

  it('counts neither a cancelled call nor a bug as a failure of the upstream', async () => {
    const { upstream, sendRequest, calls, stopping } = openUpstream();
    const answered = await serveHttp((_request, response) => response.end('x'));
    const bug = new TypeError('a bug');

    await expect(sendRequest(answered, async () => Promise.reject(bug))).rejects.toBe(bug);
    const url = await serveHttp(() => stopping.abort());
    await expect(sendRequest(url)).rejects.toMatchObject({ kind: 'cancelled' });

    expect(upstream.health).toMatchObject({ lastSuccessAt: null, failures: 0 });
    expect(await calls()).toMatchObject({ cancelled: 1 });
  });
});

describe('the Date of an answer (contract C17a)', () => {
  const serveDated = async (headers: Readonly<Record<string, string>>, status = 200) =>
    serveHttp((_request, response) => {
      response.sendDate = false;
      response.writeHead(status, headers).end('x');
    });

  it.each([
    ['365 days ahead of', '2025-11-20T07:00:00Z'],
    ['3 days behind', '2026-11-23T07:00:00Z'],
    ['61 minutes ahead of', '2026-11-20T05:59:00Z'],
  ])('refuses an answer that is published if the clock is %s it', async (far, date) => {
    const { upstream, clockGuard, sendRequest, calls } = openUpstream({ isPublished: true });
    const server = await serveDated({ date: new Date(date).toUTCString() });

    await expect(sendRequest(server)).rejects.toMatchObject({
      kind: 'clock',
      message: expect.stringContaining(`the clock of this machine is ${far} that of the upstream`),
    });

    expect(clockGuard.doubt?.reason).toBe('contradicted');
    expect(upstream.health.lastFailure?.kind).toBe('clock');
    expect(await calls()).toEqual({ clock: 1 });
  });

  it('accepts an answer within an hour, the age of a cached one included', async () => {
    const { upstream, clockGuard, sendRequest } = openUpstream({ isPublished: true });
    const date = new Date('2026-11-20T04:30:00Z').toUTCString();

    expect(await sendRequest(await serveDated({ date, age: '6000' }))).toBe('x');

    expect(clockGuard.isTrusted).toBe(true);
    expect(upstream.health.clockAheadSeconds).toBeCloseTo(3_000, -1);
  });

  it('does not compare an answer without Date, nor one that is not the upstream’s own', async () => {
    const { upstream, clockGuard, sendRequest } = openUpstream({ isPublished: true });
    const date = new Date('2020-01-01T00:00:00Z').toUTCString();
    const page = await serveDated({ date });

    expect(await sendRequest(await serveDated({}))).toBe('x');
    const refused = sendRequest(page, async ({ at }) => {
      throw new UpstreamError('html', at, 'a web page');
    });
    await expect(refused).rejects.toMatchObject({ kind: 'html' });

    expect(upstream.health.clockAheadSeconds).toBeNull();
    expect(clockGuard.doubt?.reason).toBe('started');
  });
});
