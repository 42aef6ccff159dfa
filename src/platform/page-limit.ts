/** The number of rows of a list without `limit` (interface 4.2). */
export const pageLimitDefault = 50;
const pageLimitMax = 200;

/** Reads a `limit`: 1 or more, in any number of digits, clamped to `max` (200); undefined if malformed (contract C6). */
export function parsePageLimit(text: string, max = pageLimitMax): number | undefined {
  if (!/^[0-9]+$/.test(text) || /^0+$/.test(text)) return undefined;
  // Any number of digits is a number, and above the limit anyway.
  return Math.min(Number(text), max);
}
