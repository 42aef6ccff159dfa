import { describe, expect, it } from 'vitest';
import { UpstreamError, type UpstreamFailureKind, upstreamFailureKinds } from './upstream-error.ts';

describe('UpstreamError', () => {
  it('says who, what and why, and carries them as fields', () => {
    const cause = new Error('below');
    const at = { upstream: 'ecb', operation: 'eurofxref-daily.xml', status: 503 };

    const error = new UpstreamError('status', at, 'HTTP 503, expected 200', { cause });

    expect(error).toMatchObject({ name: 'UpstreamError', kind: 'status', cause, ...at });
    expect(error.message).toBe('ecb: eurofxref-daily.xml: HTTP 503, expected 200');
  });

  it('tells what somebody must mend from what may pass by itself', () => {
    const permanent = Object.keys(upstreamFailureKinds).filter(
      (kind) =>
        new UpstreamError(kind as UpstreamFailureKind, { upstream: 'x', operation: 'y' }, 'z')
          .isPermanent,
    );

    expect(permanent).toEqual(['cancelled', 'redirected', 'refused', 'fault']);
  });
});
