import { describe, expect, it } from 'vitest';
import { Cursors } from './cursor.ts';

const cursors = new Cursors('ab'.repeat(32));
const cursor = { position: 2 ** 40 + 7, epoch: '0123456789ab' };

describe('Cursors', () => {
  it('parse what they print', () => {
    const text = cursors.print(cursor);

    expect(text).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(cursors.parse(text)).toEqual(cursor);
  });

  it('parse a cursor of 0.2, which has its position in plain bytes', () => {
    expect(cursors.parse('AAABAAAAAAcBI0VniauwdYTyzv-S-Wyh')).toEqual(cursor);
    expect(cursors.parse('AAABAAAAAAgBI0VniauwdYTyzv-S-Wyh')).toBeUndefined();
  });

  it('refuse a cursor in which any character differs', () => {
    const text = cursors.print(cursor);

    const changed = Array.from({ length: text.length }, (_, at) => {
      const other = text[at] === 'A' ? 'B' : 'A';
      return text.slice(0, at) + other + text.slice(at + 1);
    });
    expect(changed.map((one) => cursors.parse(one))).toEqual(changed.map(() => undefined));
  });

  it.each([
    new Cursors('cd'.repeat(32)).print(cursor),
    '',
    cursors.print(cursor).slice(1),
    `${cursors.print(cursor)}A`,
    cursors.print(cursor).replace(/./, '+'),
    `${cursors.print(cursor)}\n`,
  ])('refuse the text %j', (text) => {
    expect(cursors.parse(text)).toBeUndefined();
  });
});
