import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPlainText } from './plain-text.ts';

describe('toPlainText (rule G1)', () => {
  it.each([
    ['keeps plain text', 'Annex 2, § 12 of the Act', 'Annex 2, § 12 of the Act'],
    ['keeps line breaks', 'one\n\ntwo\r\nthree', 'one\n\ntwo\nthree'],
    ['removes a paragraph', '<p>Art. 47 of the VAT Act.</p>', 'Art. 47 of the VAT Act.'],
    ['breaks lines after blocks', '<p>one</p><p>two<br/>three</p>', 'one\n\ntwo\nthree'],
    ['keeps words in inline tags together', 'food<b>stuffs</b>', 'foodstuffs'],
    [
      'resolves entities',
      'caf&eacute; &amp; &Eacute;glise &#233;&#xE9;&nbsp;1',
      'café & Église éé 1',
    ],
    ['keeps an unknown entity', 'a &unheard; b', 'a &unheard; b'],
    ['drops a code that is no character', 'a&#xD800;b&#0;c&#x110000;d', 'abcd'],
    ['keeps a comparison', 'weight < 50 kg and 3>2', 'weight < 50 kg and 3>2'],
    ['removes comments, scripts and styles', 'a<!-- b > c --><script>x<y</script>d', 'ad'],
    ['removes a tag that is hidden in entities', '&lt;b&gt;bold&lt;/b&gt;', 'bold'],
    ['removes a tag that is hidden twice', '&amp;lt;i&amp;gt;x', 'x'],
    ['defuses a tag that is not closed', 'a <script src=x', 'a < script src=x'],
    ['removes control characters', 'a\u{0}b\u{1b}c\td', 'abc\td'],
    ['turns an empty comment into nothing', ' <p> </p> ', ''],
  ])('%s', (_, comment, text) => {
    expect(toPlainText(comment)).toBe(text);
  });

  it('keeps a comment of 20,000 characters', () => {
    const comment = 'Reduced rate. '.repeat(1_429).trim();

    expect(toPlainText(`<p>${comment}</p>`)).toBe(comment);
  });

  it('never returns anything that starts a tag', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '&lt;',
      '&gt;',
      '&amp;',
      '!--',
      '-->',
      '/',
      'b',
      'script',
      '"',
      ' ',
      '&#60;',
    );

    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(toPlainText(pieces.join(''))).not.toMatch(/<[a-zA-Z/!?]/);
      }),
    );
  });

  it.each(['<!--', '<a', '<script>', '&lt;', '<script></script', '\n \n'])(
    'reads 200,000 characters of %j in less than a second',
    (piece) => {
      const comment = piece.repeat(200_000 / piece.length);
      const startMs = performance.now();

      toPlainText(comment);

      expect(performance.now() - startMs).toBeLessThan(1_000);
    },
  );
});
