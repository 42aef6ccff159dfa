import { describe, expect, it } from 'vitest';
import { decodeFile, findBeyondAscii } from './decode-file.ts';
import { decode, encode, encodings, findBroken, findEncoding } from './encodings.ts';

const greek = 'Ort;Größe\nΑθήνα;1';

describe('decodeFile (rule K12)', () => {
  it.each([
    ['a byte order mark of UTF-8', Buffer.from(`\uFEFF${greek}`), 'utf-8'],
    ['the byte order mark of Excel', Buffer.from(`\uFEFF${greek}`, 'utf16le'), 'utf-16'],
    ['the other byte order mark', Buffer.from(`\uFEFF${greek}`, 'utf16le').swap16(), 'utf-16'],
    ['right cells of UTF-8', Buffer.from(greek), 'utf-8'],
  ])('finds an encoding by %s', (_, bytes, encoding) => {
    expect(decodeFile(bytes, undefined)).toEqual({ text: greek, encoding });
  });

  it('believes a byte order mark before a declaration, and a declaration before the bytes', () => {
    const marked = Buffer.from(`\uFEFF${greek}`);
    const polish = encode('Łódź', 'windows-1250') ?? Buffer.alloc(0);

    expect(decodeFile(marked, 'windows-1253').encoding).toBe('utf-8');
    expect(decodeFile(polish, 'windows-1250').text).toBe('Łódź');
    expect(decodeFile(Buffer.from('Łódź'), 'iso-8859-2').encoding).toBe('iso-8859-2');
  });

  const cells = (right: number, broken: number): Buffer => {
    const rows = [...Array(right).fill('ü'), ...Array(broken).fill('\u00FF'), 'a'];
    return Buffer.concat(
      rows.map((cell) => Buffer.from(`${cell}\n`, cell === '\u00FF' ? 'latin1' : 'utf8')),
    );
  };
  it.each([
    [1, 1, 'utf-8'],
    [1, 2, undefined],
    [198, 2, 'utf-8'],
    [197, 2, undefined],
    [0, 1, undefined],
    [0, 0, 'utf-8'],
  ])('takes a file with %d right cells and %d broken ones for %s', (right, broken, encoding) => {
    expect(decodeFile(cells(right, broken), undefined).encoding).toBe(encoding);
  });
});

describe('encodings (rule K12)', () => {
  it.each([
    ['UTF8', 'utf-8'],
    ['"Windows-1252"', 'windows-1252'],
    ['ISO_8859-1', 'iso-8859-1'],
    ['windows-1256', undefined],
    ['', undefined],
  ])('are named in any letter case, with or without hyphens: %s', (name, encoding) => {
    expect(findEncoding(name)).toBe(encoding);
  });

  it.each(encodings)('gives the same text after encoding and decoding it as %s', (encoding) => {
    const text = decode(Buffer.from([...Array(96).keys()].map((at) => at + 0xa0)), encoding);
    const whole = text.replaceAll('\uFFFD', '');

    expect(decode(encode(`a;${whole}`, encoding) ?? Buffer.alloc(0), encoding)).toBe(`a;${whole}`);
  });

  it.each([
    ['iso-8859-1', 0x80],
    ['windows-1252', 0x81],
    ['windows-1253', 0xaa],
    ['windows-1257', 0xa1],
    ['iso-8859-2', 0x95],
    ['utf-8', 0xff],
  ] as const)('never reads a byte that %s does not have otherwise: %i', (encoding, byte) => {
    expect(findBroken(['a', decode(Buffer.from([byte]), encoding)])).toBe(1);
  });

  it('has no byte for a character of another alphabet', () => {
    expect(encode('Ł', 'windows-1252')).toBeUndefined();
    expect(findBeyondAscii(['a', '\x7F', 'ü'])).toBe(2);
  });
});
