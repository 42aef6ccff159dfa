/** A number of requests, or `none` for no limit. */
export type RequestLimit = number | 'none';

/** The largest limit: more requests than a minute or a month can have. */
export const requestLimitMax = 1_000_000_000;

/** Reads `none` or a whole number from 1 to the most; undefined for everything else. */
export function parseRequestLimit(text: string): RequestLimit | undefined {
  if (text === 'none') return text;
  const value = Number(text);
  return /^[1-9][0-9]{0,9}$/.test(text) && value <= requestLimitMax ? value : undefined;
}
