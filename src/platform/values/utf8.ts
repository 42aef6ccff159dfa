export type DecodedText =
  | { readonly kind: 'text'; readonly text: string }
  /** The first line with bytes that are no UTF-8, from 1. */
  | { readonly kind: 'invalid'; readonly line: number };

const lineFeed = 0x0a;

/** Decodes UTF-8 strictly, without a byte order mark at the beginning. Lines end with a line feed. */
export function decodeUtf8(bytes: Uint8Array): DecodedText {
  const text = decode(bytes);
  if (text !== undefined) return { kind: 'text', text };
  return {
    kind: 'invalid',
    line: 1 + countLineFeeds(bytes.subarray(0, beginOfInvalidLine(bytes))),
  };
}

/**
 * The beginning of the first line that is invalid. No character of several bytes contains the byte of a line feed, so each
 * line is valid or invalid by itself. Halves are decoded, not lines: there may be a million of them.
 */
function beginOfInvalidLine(bytes: Uint8Array): number {
  let [begin, end] = [0, bytes.length];
  for (;;) {
    const lineEnd = bytes.lastIndexOf(lineFeed, (begin + end) >> 1) + 1;
    const half = lineEnd > begin ? lineEnd : bytes.indexOf(lineFeed, begin) + 1;
    if (half === 0 || half >= end) return begin;
    if (decode(bytes.subarray(begin, half)) === undefined) end = half;
    else begin = half;
  }
}

function countLineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1))
    count += 1;
  return count;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
