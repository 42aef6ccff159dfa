import { describe, expect, it } from 'vitest';
import { limitsOf, parseOwnLimit } from './key-limits.ts';

describe('parseOwnLimit (contract C26)', () => {
  it.each([
    ['a number', '600', 600],
    ['no limit', 'none', 'none'],
    ['the limit of the service', 'default', 'default'],
  ])('reads %s: %s', (_, text, limit) => {
    expect(parseOwnLimit(text)).toBe(limit);
  });

  it.each(['', '0', '-1', 'Default', 'null', '1e3'])('refuses %j', (text) => {
    expect(parseOwnLimit(text)).toBeUndefined();
  });
});

describe('limitsOf (contract C26)', () => {
  it('takes the limits of the service for a key without its own', () => {
    const defaults = { rateLimit: 600, quota: 100_000 };

    expect(limitsOf({ id: 'key_1', rateLimit: 'default', quota: 'none' }, defaults)).toEqual({
      rateLimit: 600,
      quota: 'none',
    });
  });
});
