import { describe, expect, it } from 'vitest';
import { boundSentences, quote } from './quote.ts';

describe('quote', () => {
  it.each([
    ['', ''],
    ['Grüße 漢 🧾 "a" \\ /', 'Grüße 漢 🧾 "a" \\ /'],
    ['a\nb\r\tc\u001B[31m', 'a\\u000ab\\u000d\\u0009c\\u001b[31m'],
    ['\u202Eevil\u2066\u200B\u2028\u0085', '\\u202eevil\\u2066\\u200b\\u2028\\u0085'],
    ['\uD800 \u{E0001}', '\\ud800 \\udb40\\udc01'],
    ['a'.repeat(80), 'a'.repeat(80)],
    ['🧾'.repeat(80), '🧾'.repeat(80)],
    ['a'.repeat(81), `${'a'.repeat(79)}…`],
    ['🧾'.repeat(1_000_000), `${'🧾'.repeat(79)}…`],
    ['\n'.repeat(3_500_000), `${'\\u000a'.repeat(13)}…`],
  ])('quotes %j', (text, quoted) => {
    expect(quote(text)).toBe(quoted);
    expect(Array.from(quote(text)).length).toBeLessThanOrEqual(80);
    // A message that has a quotation may be quoted again.
    expect(quote(quote(text))).toBe(quoted);
  });
});

describe('boundSentences', () => {
  it('counts those beyond 50, and cuts long ones', () => {
    const sentences = Array.from({ length: 52 }, (_, at) => `${at}`);

    expect(boundSentences(['a'.repeat(9_000)])).toEqual([`${'a'.repeat(999)}…`]);
    expect(boundSentences(sentences)).toEqual([...sentences.slice(0, 50), '2 more']);
    expect(boundSentences(sentences.slice(2))).toEqual(sentences.slice(2));
  });
});
