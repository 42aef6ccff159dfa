const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 53;

/** What is wrong with the form of a key; undefined for a key that can only be judged by the service. */
export function findKeyFault(text: string): string | undefined {
  if (text === '') return 'Paste your API key here.';
  if (!text.startsWith('vfx_')) return 'A key begins with “vfx_”. This looks like something else.';
  if (text.length < length) {
    return `A key has ${length} characters, this one has ${text.length}: a part was not copied.`;
  }
  if (text.length > length || !/^vfx_[0-9A-Za-z]+$/.test(text)) {
    return `A key has ${length} characters, letters and digits only: something else was copied with it.`;
  }
  if (text.slice(-6) !== checksum(text.slice(0, -6))) {
    return 'A character of this key is wrong: its checksum does not match. Copy it again.';
  }
  return undefined;
}

/** The CRC-32 in base62: the last six characters of a key. */
function checksum(head: string): string {
  let text = '';
  for (let rest = crc32(head); text.length < 6; rest = Math.trunc(rest / 62)) {
    text = (alphabet[rest % 62] ?? '') + text;
  }
  return text;
}

function crc32(text: string): number {
  let crc = 0xff_ff_ff_ff;
  for (const char of text) {
    crc ^= char.codePointAt(0) ?? 0;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  return ~crc >>> 0;
}
