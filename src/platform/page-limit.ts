/** The number of rows of a list without `limit` (interface 4.2). */
export const pageLimitDefault = 50;
const pageLimitMax = 200;

/** Reads a `limit`: 1 or more, in any number of digits, clamped to `max` (200); undefined if malformed (contract C6). */
export function parsePageLimit(text: string, max = pageLimitMax): number | undefined {
  if (!/^[0-9]+$/.test(text) || /^0+$/.test(text)) return undefined;
  // Any number of digits is a number, and above the limit anyway.
  return Math.min(Number(text), max);
}

/** Cuts a page from rows that were read with one more than `limit`; `last` is its last row if more follow. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
): { readonly page: readonly Row[]; readonly last: Row | undefined } {
  return { page: rows.slice(0, limit), last: rows.length > limit ? rows[limit - 1] : undefined };
}
