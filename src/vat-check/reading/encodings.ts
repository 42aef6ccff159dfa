/** The encodings of a file that can be declared (rule K12), in the order in which errors name them. */
export const encodings = [
  'utf-8',
  'utf-16',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1257',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-15',
] as const;

export type Encoding = (typeof encodings)[number];

/** The text of the 415 for another one. */
export const unsupportedEncoding = `unsupported charset — expected one of ${encodings.join(', ')}`;

/** Names of encodings do not differ by letter case and hyphens: `UTF8`, `Windows_1252`. */
const byPlainName = new Map(encodings.map((name) => [plainName(name), name]));

/** The encoding with a name in any letter case, with or without hyphens and quotes; undefined for one that is not read. */
export function findEncoding(name: string): Encoding | undefined {
  return byPlainName.get(plainName(name));
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_"'-]/g, '');
}

/**
 * Decodes a text, without a byte order mark. A byte that the encoding does not have becomes U+FFFD or a C1 control character
 * (`findBroken` tells both). UTF-16 has its byte order mark, or the order of Windows.
 */
export function decode(bytes: Uint8Array, encoding: Encoding): string {
  // For `TextDecoder` it is another name of Windows-1252.
  if (encoding === 'iso-8859-1') return decodeLatin1(bytes);
  const isBigEndian = encoding === 'utf-16' && bytes[0] === 0xfe && bytes[1] === 0xff;
  return new TextDecoder(isBigEndian ? 'utf-16be' : encoding).decode(bytes);
}

/** Encodes a text with a byte order mark where there is one; undefined if the encoding does not have all of its characters. */
export function encode(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> | undefined {
  const bare = text.replace(/^\uFEFF/, '');
  if (encoding === 'utf-8') return new TextEncoder().encode(`\uFEFF${bare}`);
  if (encoding === 'utf-16') return encodeUtf16(`\uFEFF${bare}`);
  const bytes = bytesOf(encoding);
  const encoded = new Uint8Array(bare.length);
  for (let at = 0; at < bare.length; at += 1) {
    const byte = bytes.get(bare.charAt(at));
    if (byte === undefined) return undefined;
    encoded[at] = byte;
  }
  return encoded;
}

const broken = /[\u0080-\u009F\uFFFD]/;

/** The place of the first cell with a byte that its encoding does not have; -1 for none. */
export function findBroken(cells: readonly string[]): number {
  return cells.findIndex((cell) => broken.test(cell));
}

function decodeLatin1(bytes: Uint8Array): string {
  const portion = 16_384;
  let text = '';
  for (let at = 0; at < bytes.length; at += portion) {
    text += String.fromCharCode(...bytes.subarray(at, at + portion));
  }
  return text;
}

function encodeUtf16(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 1) view.setUint16(2 * at, text.charCodeAt(at), true);
  return bytes;
}

const bytesByEncoding = new Map<Encoding, ReadonlyMap<string, number>>();

/** The byte of each character of an encoding with one byte for each. */
function bytesOf(encoding: Encoding): ReadonlyMap<string, number> {
  const known = bytesByEncoding.get(encoding);
  if (known !== undefined) return known;
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const bytes = new Map(Array.from(decode(all, encoding), (character, byte) => [character, byte]));
  bytesByEncoding.set(encoding, bytes);
  return bytes;
}
