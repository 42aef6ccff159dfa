import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from './utf8.ts';

describe('decodeUtf8', () => {
  it.each([
    ['', ''],
    ['é𝒜\n', 'é𝒜\n'],
    ['\uFEFFa', 'a'],
  ])('decodes %j', (written, text) => {
    expect(decodeUtf8(Buffer.from(written))).toEqual({ kind: 'text', text });
  });

  it.each([
    ['Latin-1', 'a\nb\nGr\u00FCn\nd', 3],
    ['a character that does not end', 'a\n\u00C3', 2],
    ['a surrogate', '\u00ED\u00A0\u0080\n', 1],
    ['a character across lines', 'a\n\u00C3\n\u00A9', 2],
  ])('names the line of %s', (_, latin1, line) => {
    expect(decodeUtf8(Buffer.from(latin1, 'latin1'))).toEqual({ kind: 'invalid', line });
  });
});
