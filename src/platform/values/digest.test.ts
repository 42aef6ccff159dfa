import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256, stableId } from './digest.ts';

describe('sha256', () => {
  it.each([
    ['nothing', '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ])('gives the published digest of %s (FIPS 180-4)', (_, text, digest) => {
    expect(sha256(text)).toBe(digest);
    expect(sha256(Buffer.from(text))).toBe(digest);
  });

  it('takes text as UTF-8', () => {
    expect(sha256('€')).toBe(sha256(Buffer.from([0xe2, 0x82, 0xac])));
  });
});

describe('stableId (contract C16)', () => {
  it('is a prefix and 24 hex digits of the parts, joined by line feeds', () => {
    const digest = createHash('sha256').update('2026-11-20\nHU\nstandard').digest('hex');

    expect(stableId('rc', '2026-11-20', 'HU', 'standard')).toBe(`rc_${digest.slice(0, 24)}`);
  });

  it('differs if the same letters are split into other parts', () => {
    expect(stableId('x', 'ab', 'c')).not.toBe(stableId('x', 'a', 'bc'));
    expect(stableId('x', 'a', '')).not.toBe(stableId('x', 'a'));
  });
});
