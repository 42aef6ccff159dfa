import {
  checksumChars,
  keyLength,
  printChecksum,
} from '../../../src/access/authentication/key-form.ts';

/** The fault in the form of a key, in words; undefined if only the service can judge the key. */
export function findKeyFault(text: string): string | undefined {
  if (text === '') return 'Paste your API key here.';
  if (!text.startsWith('vfx_')) return 'A key begins with “vfx_”. This is something else.';
  if (text.length < keyLength) {
    return `A key has ${keyLength} characters, this one has ${text.length}. A part was not copied.`;
  }
  if (text.length > keyLength || !/^vfx_[0-9A-Za-z]+$/.test(text)) {
    return `A key has ${keyLength} characters, letters and digits only. Something else was copied with it.`;
  }
  const head = text.slice(0, -checksumChars);
  if (text !== head + printChecksum(crc32(head))) {
    return 'A character of this key is wrong, because its checksum does not match. Copy it again.';
  }
  return undefined;
}

/** Computed here, because browsers have no CRC-32. */
function crc32(text: string): number {
  let crc = 0xff_ff_ff_ff;
  for (const char of text) {
    crc ^= char.codePointAt(0) ?? 0;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  return ~crc >>> 0;
}
