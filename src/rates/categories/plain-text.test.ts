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
    ['resolves every entity of HTML', '&scaron;&Ccaron;&copy;&thinsp;&le;', 'šČ©\u{2009}≤'],
    ['keeps an entity without a semicolon', '&copy 2026 R&D', '&copy 2026 R&D'],
    [
      'replaces a code that is no character',
      'a&#xD800;&#0;&#x110000;d',
      'a\u{fffd}\u{fffd}\u{fffd}d',
    ],
    ['reads a code of Windows-1252 as browsers do', '5&#150;6&#x80;', '5–6€'],
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

  it.each([
    ['a text', (text: string) => text],
    ['a text in a tag', (text: string) => `<p>${text}</p>`],
    ['entities', (text: string) => text.replaceAll('e', '&#101;')],
  ])('keeps 32,768 characters of %s, and ends with … if there are more', (_, write) => {
    const whole = `${'Reduced rate. '.repeat(2_341).slice(0, 32_767)}.`;
    expect(whole).toHaveLength(32_768);

    expect(toPlainText(write(whole))).toBe(whole);
    expect(toPlainText(write(`${whole}!`))).toBe(`${whole.slice(0, -1)}…`);
  });

  it('cuts no character in half, and says that a comment of tags alone was cut', () => {
    expect(toPlainText(`a${'😀'.repeat(20_000)}`)).toBe(`a${'😀'.repeat(16_383)}…`);
    expect(toPlainText('<b>'.repeat(100_000))).toMatch(/…$/);
  });

  it('never returns anything that starts a tag', () => {
    const pieces = ['<', '>', '&lt;', '&gt;', '&amp;', '!--', '-->', '/', 'b', 'script', '"', ' '];
    const piece = fc.constantFrom(...pieces, '&#60;');

    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
        expect(toPlainText(parts.join(''))).not.toMatch(/<[a-zA-Z/!?]/);
      }),
    );
  });

  it.each([
    ['&lt;', 'a'],
    ['<', 'a'],
    ['', '<a'],
    ['', '<!--'],
    ['', '<script>'],
    ['<script>', '</script'],
    ['', '&lt;'],
    ['', '<a b="'],
    ['', '\n \n'],
  ])('takes time in proportion to the length of %j and many %j', (head, piece) => {
    // The CPU time of this thread, because other processes delay the clock on the wall.
    const bestOf = (length: number): number => {
      const comment = head + piece.repeat(length / piece.length);
      const times = Array.from({ length: 3 }, () => {
        const before = process.threadCpuUsage();
        toPlainText(comment);
        return process.threadCpuUsage(before).user / 1_000;
      });
      return Math.min(...times);
    };

    // In proportion to the square it would be 16, and the shorter text would take 400 ms. The longer one takes at most 15.
    expect(bestOf(120_000) / Math.max(bestOf(30_000), 20)).toBeLessThan(10);
  });
});
