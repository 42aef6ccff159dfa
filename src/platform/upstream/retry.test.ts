import { describe, expect, it } from 'vitest';
import { withRetry } from './retry.ts';
import { UpstreamError, type UpstreamFailureKind, upstreamFailureKinds } from './upstream-error.ts';

const failed = (kind: UpstreamFailureKind): UpstreamError =>
  new UpstreamError(kind, { upstream: 'tedb', operation: 'query' }, 'no');

/** Calls that fail with these in turn, and succeed after that: the outcome, and how many were made. */
async function attempt(errors: readonly Error[], signal?: AbortSignal, firstDelayMs = 1) {
  let calls = 0;
  const call = async (): Promise<string> => {
    const error = errors[calls];
    calls += 1;
    return error === undefined ? 'answer' : Promise.reject(error);
  };
  const policy = { attempts: 3, firstDelayMs };
  const outcome = await withRetry(policy, signal ?? new AbortController().signal, call).catch(
    (error: Error) => (error instanceof UpstreamError ? error.kind : error.message),
  );
  return { outcome, calls };
}

const kinds = Object.keys(upstreamFailureKinds) as UpstreamFailureKind[];
/** They need a change by a person. */
const permanent = ['cancelled', 'redirected', 'refused', 'fault', 'clock'];

describe('withRetry', () => {
  it.each(kinds)('calls again after a failure, unless it is permanent: %s', async (kind) => {
    const expected = permanent.includes(kind)
      ? { outcome: kind, calls: 1 }
      : { outcome: 'answer', calls: 3 };

    expect(await attempt([failed(kind), failed(kind)])).toEqual(expected);
  });

  it('gives up with the last failure, and does not repeat a bug', async () => {
    const failures = [failed('network'), failed('html'), failed('timeout')];

    expect(await attempt(failures)).toEqual({ outcome: 'timeout', calls: 3 });
    expect(await attempt([new TypeError('a bug')])).toEqual({ outcome: 'a bug', calls: 1 });
  });

  it('does not wait for the next call if it is cancelled, before or meanwhile', async () => {
    const stopping = new AbortController();

    const pending = attempt([failed('network')], stopping.signal, 3_600_000);
    await Promise.resolve();
    stopping.abort();

    expect(await pending).toEqual({ outcome: 'network', calls: 1 });
    expect((await attempt([failed('network')], stopping.signal)).calls).toBe(1);
  });
});
