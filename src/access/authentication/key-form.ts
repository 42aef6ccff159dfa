/**
 * The form of an API key (contract C25): `vfx_`, 43 base62 characters that are 256 random bits, and 6 that are a
 * checksum. The checksum finds a typo or an incomplete copy without a query.
 *
 * The console imports this file as well, so it uses nothing of Node.
 */
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const keyPrefix = 'vfx_';
export const secretChars = 43;
export const checksumChars = 6;
export const keyLength = keyPrefix.length + secretChars + checksumChars;

/** Prints the CRC-32 of the other characters of a key as its checksum. Numbers are faster here than `bigint`. */
export function printChecksum(crc: number): string {
  let text = '';
  for (let rest = crc; text.length < checksumChars; rest = Math.trunc(rest / 62)) {
    text = (base62[rest % 62] ?? '') + text;
  }
  return text;
}
