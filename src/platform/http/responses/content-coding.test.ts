import { describe, expect, it } from 'vitest';
import { acceptedCoding } from './content-coding.ts';

describe('acceptedCoding (RFC 9110 §12.5.3)', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'br'],
    ['gzip , br ; q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['br;q=none', 'identity'],
    ['identity;q=0', 'identity'],
  ] as const)('%s is answered with %s', (header, coding) => {
    expect(acceptedCoding(header)).toBe(coding);
  });
});
