import { describe, expect, it } from 'vitest';
import type { VatfxClient } from '../../client/src/index.ts';
import { errorOf } from './support/client-of.ts';
import { isFine, type Scripted, skipTimeouts, startScripted } from './support/scripted-service.ts';

const down: Scripted = { status: 503, body: '{"error":"temporarily unavailable"}' };

/** Failures after which a GET is repeated. */
const passing: readonly [what: string, answer: Scripted][] = [
  ['a connection that breaks', { fault: 'reset' }],
  ['an answer that stops in the middle', { fault: 'stall', body: '{' }],
  ['no answer', { fault: 'hang' }],
  ['408', { status: 408 }],
  ['500', { status: 500, body: '{"error":"internal error"}' }],
  ['502 of a proxy', { status: 502, body: '<html>' }],
  ['503', down],
  ['504', { status: 504 }],
  ['429 RATE_LIMITED', { status: 429, body: '{"error":"RATE_LIMITED"}' }],
  ['503 MS_UNAVAILABLE', { status: 503, body: '{"error":"MS_UNAVAILABLE"}' }],
];

/** Failures that a retry would not change. */
const lasting: readonly [what: string, answer: Scripted][] = [
  ['400', { status: 400, body: '{"error":"invalid \'date\' — expected YYYY-MM-DD"}' }],
  ['401', { status: 401, body: '{"error":"INVALID_KEY"}' }],
  ['404', { status: 404, body: '{"error":"fx snapshot not found"}' }],
  ['422', { status: 422, body: '{"error":"INVALID_INPUT"}' }],
  ['429 QUOTA_EXCEEDED', { status: 429, body: '{"error":"QUOTA_EXCEEDED"}' }],
  ['502 of the registry', { status: 502, body: '{"error":"the registry cannot be reached"}' }],
  ['200 with a web page', { status: 200, body: '<html>' }],
];

describe('a GET', () => {
  it.each(passing)('is repeated after %s', async (_what, answer) => {
    skipTimeouts();
    const { client, arrived } = await startScripted([answer, answer, isFine]);

    const { date } = await client.fx();

    expect(date).toBe('2026-11-20');
    expect(arrived.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
  });

  it.each(lasting)('is not repeated after %s', async (_what, answer) => {
    const { client, arrived } = await startScripted([answer, isFine]);

    await errorOf(client.fx());

    expect(arrived).toHaveLength(1);
  });

  it.each([undefined, 1, 2, 5])('is sent at most %s times, by default 3', async (attempts) => {
    const retry = attempts === undefined ? {} : { attempts };
    const { client, arrived } = await startScripted([down], { retry });

    expect(await errorOf(client.fx())).toMatchObject({ name: 'ServiceUnavailableError' });
    expect(arrived).toHaveLength(attempts ?? 3);
  });

  it('is repeated after the time in Retry-After', async () => {
    const answer = { ...down, headers: { 'retry-after': '1' } };
    const { client, arrived } = await startScripted([answer, isFine]);

    await client.fx();

    const [first, second] = arrived.map(({ atMs }) => atMs);
    expect(arrived).toHaveLength(2);
    // Timers of Node may be a millisecond early.
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('is repeated after a doubling time, shortened by at most a half, without Retry-After', async () => {
    const { client, arrived } = await startScripted([down], { retry: { firstDelayMs: 200 } });

    await errorOf(client.fx());

    const [first = 0, second = 0, third = 0] = arrived.map(({ atMs }) => atMs);
    expect(second - first).toBeGreaterThanOrEqual(99);
    expect(third - second).toBeGreaterThanOrEqual(199);
  });

  it('fails without a wait if the wait would end after the deadline', async () => {
    const answer = { ...down, headers: { 'retry-after': '30' } };
    const { client, arrived } = await startScripted([answer, isFine], { timeoutMs: 30_000 });

    expect(await errorOf(client.fx())).toMatchObject({ status: 503, retryAfterSeconds: 30 });
    expect(arrived).toHaveLength(1);
  });
});

describe('a request that creates or changes something', () => {
  const calls: readonly [what: string, call: (client: VatfxClient) => Promise<unknown>][] = [
    ['create', async (client) => client.webhooks.create({ url: 'https://shop.example/' })],
    ['update', async (client) => client.webhooks.update('sub_1', { description: 'x' })],
    ['remove', async (client) => client.webhooks.remove('sub_1')],
    ['rotateSecret', async (client) => client.webhooks.rotateSecret('sub_1')],
    ['test', async (client) => client.webhooks.test('sub_1')],
    ['replayDelivery', async (client) => client.webhooks.replayDelivery('sub_1', 'dlv_1')],
  ];
  // Each call with one failure, and one call with each.
  const each = [
    ...calls.map((call) => [...call, ...passing[0]!] as const),
    ...passing.slice(1).map((failure) => [...calls[0]!, ...failure] as const),
  ];

  it.each(each)('is sent once: %s', async (_what, call, _failure, answer) => {
    skipTimeouts();
    const { client, arrived } = await startScripted([answer, isFine]);

    await errorOf(call(client));

    await expect.poll(() => arrived.length).toBe(1);
    expect(arrived[0]?.method).not.toBe('GET');
  });
});
