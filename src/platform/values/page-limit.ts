/** The number of rows of a list without `limit` (interface 4.2). */
export const pageLimitDefault = 50;
const pageLimitMax = 200;

/** The most bytes of rows on a page, apart from its first row. */
export const pageBytesMax = 1_048_576;

/** Reads a `limit`: 1 or more, in any number of digits, clamped to `max` (200); undefined if malformed (contract C6). */
export function parsePageLimit(text: string, max = pageLimitMax): number | undefined {
  if (!/^[0-9]+$/.test(text) || /^0+$/.test(text)) return undefined;
  // Any number of digits is a number, and above the limit anyway.
  return Math.min(Number(text), max);
}

/** A page of a list. */
export type CutPage<Row> = {
  readonly page: readonly Row[];
  /** The last row of the page if more follow; undefined on the last page. */
  readonly last: Row | undefined;
};

/** Cuts a page from rows that were read with one more than `limit`. */
export function cutPage<Row>(rows: readonly Row[], limit: number): CutPage<Row> {
  return { page: rows.slice(0, limit), last: rows.length > limit ? rows[limit - 1] : undefined };
}

/** Counts the first rows that fit on a page, by their sizes in bytes; the first one always fits. */
export function countFitting(sizes: readonly number[]): number {
  let sum = 0;
  const firstBeyond = sizes.findIndex((bytes, at) => (sum += bytes) > pageBytesMax && at > 0);
  return firstBeyond === -1 ? sizes.length : firstBeyond;
}
