/** Whether a text has at most so many characters: code points, not UTF-16 units. A longer text is not read whole. */
export function hasAtMost(text: string, charactersMax: number): boolean {
  if (text.length <= charactersMax) return true;
  return text.length <= 2 * charactersMax && Array.from(text).length <= charactersMax;
}

/** A text without its percent-escapes (RFC 3986 §2.1); undefined if one is broken, or is no UTF-8. */
export function withoutEscapes(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
