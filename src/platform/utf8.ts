export type DecodedText =
  | { readonly kind: 'text'; readonly text: string }
  /** The first line with bytes that are no UTF-8, from 1. */
  | { readonly kind: 'invalid'; readonly line: number };

/** Decodes UTF-8 strictly, without a byte order mark at the beginning. Lines end with a line feed. */
export function decodeUtf8(bytes: Uint8Array): DecodedText {
  const text = decode(bytes);
  if (text !== undefined) return { kind: 'text', text };
  let line = 1;
  // No character of several bytes contains the byte of a line feed, so each line is valid or invalid by itself.
  for (let begin = 0; begin < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, begin);
    const next = end === -1 ? bytes.length : end + 1;
    if (decode(bytes.subarray(begin, next)) === undefined) break;
    begin = next;
  }
  return { kind: 'invalid', line };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
