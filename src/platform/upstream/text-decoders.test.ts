import { expect, it } from 'vitest';
import { LenientDecoder } from './text-decoders.ts';

it.each([1, 2, 3, 5, 7, 11, 1_000])(
  'reads characters and references that chunks of %i bytes cut (rule G10a)',
  (size) => {
    const document = 'Gemäß &#11; § 12 &amp;amp; € & &#x1F;'.repeat(40);
    const bytes = Buffer.from(document);
    const decoder = new LenientDecoder();
    let text = '';
    for (let at = 0; at < bytes.length; at += size) {
      text += decoder.decode(bytes.subarray(at, at + size));
    }
    text += decoder.decode(undefined);

    expect(decoder.count).toBe(80);
    expect(decoder.forgive(text)).toEqual({
      text: document.replaceAll(/&#(?:11|x1F);/g, ' '),
      unreadable: 80,
    });
    expect(decoder.count).toBe(0);
  },
);
