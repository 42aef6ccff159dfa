import {
  checksumChars,
  keyLength,
  printChecksum,
} from '../../../src/access/authentication/key-form.ts';

/** Explains why a text cannot be a key; undefined if it can be one, and only the service knows whether it works. */
export function findKeyFault(text: string): string | undefined {
  if (text === '') return 'Paste your API key here.';
  if (!text.startsWith('vfx_')) return 'A key begins with “vfx_”, but this text does not.';
  if (text.length < keyLength) {
    return `A key has ${keyLength} characters, this one has ${text.length}. Copy the whole key.`;
  }
  if (text.length > keyLength || !/^vfx_[0-9A-Za-z]+$/.test(text)) {
    return `A key has ${keyLength} characters, which are only letters and digits. Copy only the key.`;
  }
  const head = text.slice(0, -checksumChars);
  if (text !== head + printChecksum(crc32(head))) {
    return 'A character of this key is wrong: its checksum does not match. Copy the key again.';
  }
  return undefined;
}

/** The CRC-32 of a text, computed here because browsers have no function for it. */
function crc32(text: string): number {
  let crc = 0xff_ff_ff_ff;
  for (const char of text) {
    crc ^= char.codePointAt(0) ?? 0;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  return ~crc >>> 0;
}
