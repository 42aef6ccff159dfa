import { describe, expect, it } from 'vitest';
import { TimeoutError } from '../../client/src/index.ts';
import { errorOf } from './support/client-of.ts';
import { isFine, skipTimeouts, startScripted } from './support/scripted-service.ts';

describe('a timeout', () => {
  it.each(['hang', 'stall'] as const)(
    'of an attempt ends the attempt, and another one follows: %s',
    async (fault) => {
      skipTimeouts();
      const { client, arrived } = await startScripted([{ fault, body: '{' }, isFine]);

      await client.fx();

      expect(arrived).toHaveLength(2);
    },
  );

  it('of all attempts is a TimeoutError with the scope `attempt`', async () => {
    skipTimeouts();
    const { client, arrived } = await startScripted([{ fault: 'hang' }], { attemptTimeoutMs: 100 });

    const error = await errorOf(client.fx());

    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ name: 'TimeoutError', scope: 'attempt', timeoutMs: 100 });
    await expect.poll(() => arrived.length).toBe(3);
  });

  it('of the whole call ends the call in the middle of an attempt', async () => {
    skipTimeouts();
    const { client, arrived } = await startScripted([{ fault: 'hang' }], {
      timeoutMs: 3_000,
      attemptTimeoutMs: 2_000,
    });

    const error = await errorOf(client.fx());

    expect(error).toMatchObject({ name: 'TimeoutError', scope: 'whole', timeoutMs: 3_000 });
    await expect.poll(() => arrived.length).toBe(2);
  });
});

describe('an AbortSignal', () => {
  // No timeout may end the call while the test waits.
  const patient = { timeoutMs: 1_000_000, attemptTimeoutMs: 1_000_000 };

  it('ends a request with its reason', async () => {
    const { client, arrived } = await startScripted([{ fault: 'hang' }], patient);
    const abort = new AbortController();
    const reason = new Error('the page was left');

    const call = errorOf(client.fx(undefined, { signal: abort.signal }));
    await expect.poll(() => arrived.length).toBe(1);
    abort.abort(reason);

    expect(await call).toBe(reason);
    expect(arrived).toHaveLength(1);
  });

  it('ends the wait before a retry', async () => {
    const answer = { status: 503, headers: { 'retry-after': '600' } };
    const { client, arrived } = await startScripted([answer, isFine], patient);
    const abort = new AbortController();

    const call = errorOf(client.fx(undefined, { signal: abort.signal }));
    await expect.poll(() => arrived.length).toBe(1);
    abort.abort();

    expect(await call).toMatchObject({ name: 'AbortError' });
    expect(arrived).toHaveLength(1);
  });

  it('that is already aborted prevents the request and an answer from the cache', async () => {
    const { client, arrived } = await startScripted([
      { ...isFine, headers: { 'cache-control': 'max-age=60' } },
    ]);
    await client.fx();
    const signal = AbortSignal.abort();

    expect(await errorOf(client.fx(undefined, { signal }))).toMatchObject({ name: 'AbortError' });
    expect(await errorOf(client.webhooks.test('sub_1', { signal }))).toBe(signal.reason);
    expect(arrived).toHaveLength(1);
  });
});
