import { describe, expect, it } from 'vitest';
import { hasGoneBack, type StoredRevision } from './stored-revision.ts';

/** A row with one token for each letter. */
function row(revision: number, letters: string): StoredRevision {
  const tokens = letters.replaceAll(/./g, (letter) => letter.repeat(8));
  return { revision, subjects: null, tokens: letters === '' ? null : tokens };
}

/** Letters of a range of character codes, for long rows. */
const letters = (from: number, count: number): string =>
  String.fromCharCode(...Array.from({ length: count }, (_, at) => from + at));

describe('hasGoneBack (rule E8)', () => {
  it.each([
    ['2 → 1', row(2, 'ab'), row(1, 'a')],
    ['2 → 1 → 2′', row(2, 'ab'), row(2, 'aB')],
    ['2 → 1 → 2′ → 3′', row(2, 'ab'), row(3, 'aBC')],
    ['2 → 0 → 1′ → 2′ → 3′', row(2, 'ab'), row(3, 'ABC')],
    ['99 revisions after it', row(2, 'ab'), row(101, `a${letters(0x100, 100)}`.slice(-100))],
    ['2 → 1 → 2′ → 9′, the last seven of version 0.3', row(2, 'ab'), row(9, 'aB')],
    ['a revision of version 0.3 that is gone: 3 → 2 → 3′', row(3, 'ab'), row(3, 'abC')],
    ['the same: 3 → 2 → 3′ → 4′', row(3, 'ab'), row(4, 'abCD')],
    ['the row is gone', row(3, 'ab'), row(0, '')],
  ])('sees that the database went back: %s', (_, before, now) => {
    expect(hasGoneBack(before, now)).toBe(true);
  });

  it.each([
    ['no change', row(2, 'ab'), row(2, 'ab')],
    ['the first change', row(0, ''), row(1, 'a')],
    ['a change', row(2, 'ab'), row(3, 'abc')],
    ['the first token after an upgrade', row(41, ''), row(42, 'a')],
    ['revisions of version 0.3', row(2, 'ab'), row(5, 'ab')],
    ['revisions of both versions', row(2, 'ab'), row(5, 'abc')],
    ['99 changes', row(2, 'ab'), row(101, `b${letters(0x100, 99)}`)],
    ['100 changes, after which nothing is known', row(2, 'ab'), row(102, letters(0x100, 100))],
  ])('sees none: %s', (_, before, now) => {
    expect(hasGoneBack(before, now)).toBe(false);
  });
});
