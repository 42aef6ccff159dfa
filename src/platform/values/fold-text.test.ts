import { describe, expect, it } from 'vitest';
import { foldText } from './fold-text.ts';

describe('foldText (rule K14)', () => {
  it.each([
    ['runs of blanks', 'ACME  GMBH', 'ACME GMBH'],
    ['line ends', 'Erfindergasse 1\r\n1010 Wien\n', 'Erfindergasse 1 1010 Wien'],
    ['no-break, narrow and ideographic blanks', 'A\u00A0B\u202FC\u3000D\u0085E', 'A B C D E'],
    ['letter case', 'Acme GmbH', 'ACME GMBH'],
    ['sharp s', 'Straße', 'STRASSE'],
    ['a capital sharp s', 'STRAẞE', 'strasse'],
    ['ligatures', 'ﬁrma', 'FIRMA'],
    ['full width', 'ＡＣＭＥ　１', 'acme 1'],
    ['final and other sigmas', 'ΟΔΟΣ', 'οδος'],
    ['a sigma in the middle', 'ΟΔΟΣΑ', 'οδοςα'],
    ['iota below', 'ᾳ', 'ΑΙ'],
    ['marks that are composed or not', 'Mu\u0308ller', 'MÜLLER'],
    ['a dotted capital I', 'İ', 'i\u0307'],
    ['Cyrillic', 'ЕООД', 'еоод'],
  ])('makes one of %s: %j, %j', (_, one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  it.each([
    ['an umlaut is no other letter', 'Müller', 'Muller'],
    ['signs count', 'A-B', 'A B'],
    ['a blank counts', 'AB', 'A B'],
    ['a dotless i is a letter', 'ılgaz', 'ilgaz'],
  ])('keeps apart what differs: %s', (_, one, other) => {
    expect(foldText(one)).not.toBe(foldText(other));
  });
});
