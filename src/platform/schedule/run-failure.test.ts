import { describe, expect, it } from 'vitest';
import { UpstreamError, type UpstreamFailureKind } from '../upstream/upstream-error.ts';
import { runFailureOf } from './run-failure.ts';

describe('runFailureOf', () => {
  it.each<[UpstreamFailureKind, string]>([
    ['network', 'no_answer'],
    ['timeout', 'no_answer'],
    ['cancelled', 'interrupted'],
    ['status', 'refused'],
    ['redirected', 'refused'],
    ['html', 'unusable_answer'],
    ['schema', 'unusable_answer'],
    ['clock', 'wrong_clock'],
  ])('reports a failure of the kind %s of an upstream as %s', (kind, code) => {
    const error = new UpstreamError(kind, { upstream: 'ecb', operation: 'query' }, 'a sentence');

    expect(runFailureOf(error)).toBe(code);
  });

  it('reports any other error as internal', () => {
    expect(runFailureOf(new Error('disk full'))).toBe('internal');
  });
});
