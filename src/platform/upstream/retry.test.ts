import { describe, expect, it } from 'vitest';
import { withRetry } from './retry.ts';
import { UpstreamError, type UpstreamFailureKind, upstreamFailureKinds } from './upstream-error.ts';

const policy = { attempts: 3, firstDelayMs: 1 };
const failed = (kind: UpstreamFailureKind): UpstreamError =>
  new UpstreamError(kind, { upstream: 'tedb', operation: 'query' }, 'no');

/** Calls that fail with these in turn, and succeed after that. */
function failing(...errors: readonly Error[]) {
  const calls = { count: 0 };
  const call = async (): Promise<string> => {
    const error = errors[calls.count];
    calls.count += 1;
    return error === undefined ? 'answer' : Promise.reject(error);
  };
  return { call, calls };
}

const kinds = Object.keys(upstreamFailureKinds) as UpstreamFailureKind[];
const passing = kinds.filter((kind) => !failed(kind).isPermanent);
const permanent = kinds.filter((kind) => failed(kind).isPermanent);

describe('withRetry', () => {
  const { signal } = new AbortController();

  it('calls once if the first call is answered', async () => {
    const { call, calls } = failing();

    expect(await withRetry(policy, signal, call)).toBe('answer');
    expect(calls.count).toBe(1);
  });

  it.each(passing)('calls again after a failure of kind %s', async (kind) => {
    const { call, calls } = failing(failed(kind), failed(kind));

    expect(await withRetry(policy, signal, call)).toBe('answer');
    expect(calls.count).toBe(3);
  });

  it.each(permanent)('does not call again after %s', async (kind) => {
    const { call, calls } = failing(failed(kind));

    await expect(withRetry(policy, signal, call)).rejects.toMatchObject({ kind });
    expect(calls.count).toBe(1);
  });

  it('gives up with the last failure', async () => {
    const { call, calls } = failing(failed('network'), failed('html'), failed('timeout'));

    await expect(withRetry(policy, signal, call)).rejects.toMatchObject({ kind: 'timeout' });
    expect(calls.count).toBe(3);
  });

  it('does not repeat a bug', async () => {
    const { call, calls } = failing(new TypeError('a bug'));

    await expect(withRetry(policy, signal, call)).rejects.toThrow('a bug');
    expect(calls.count).toBe(1);
  });

  it('does not call again once it is cancelled', async () => {
    const stopping = new AbortController();
    stopping.abort();
    const { call, calls } = failing(failed('network'));

    await expect(withRetry(policy, stopping.signal, call)).rejects.toMatchObject({
      kind: 'network',
    });
    expect(calls.count).toBe(1);
  });

  it('stops waiting for the next call if it is cancelled', async () => {
    const stopping = new AbortController();
    const { call, calls } = failing(failed('network'));

    const asked = withRetry({ attempts: 3, firstDelayMs: 3_600_000 }, stopping.signal, call);
    await Promise.resolve();
    stopping.abort();

    await expect(asked).rejects.toMatchObject({ kind: 'network' });
    expect(calls.count).toBe(1);
  });
});
