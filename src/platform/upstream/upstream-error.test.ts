import { describe, expect, it } from 'vitest';
import { UpstreamError, type UpstreamFailureKind, upstreamFailureKinds } from './upstream-error.ts';

describe('UpstreamError', () => {
  it('has upstream, operation and reason in its message and as fields', () => {
    const cause = new Error('below');
    const at = { upstream: 'ecb', operation: 'eurofxref-daily.xml', status: 503 };

    const error = new UpstreamError('status', at, 'HTTP 503, expected 200', { cause });

    expect(error).toMatchObject({ name: 'UpstreamError', kind: 'status', cause, ...at });
    expect(error.message).toBe('ecb: eurofxref-daily.xml: HTTP 503, expected 200');
  });

  it('is permanent for the failures that need a change by a person', () => {
    const permanent = Object.keys(upstreamFailureKinds).filter(
      (kind) =>
        new UpstreamError(kind as UpstreamFailureKind, { upstream: 'x', operation: 'y' }, 'z')
          .isPermanent,
    );

    expect(permanent).toEqual(['cancelled', 'redirected', 'refused', 'fault', 'clock']);
  });
});
