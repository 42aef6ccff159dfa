import { type IsoDate, parseIsoDate } from '../../platform/time/time.ts';

/** The page that a cursor leads to: rows of its date from its place on. */
export type CategoryPage = { readonly date: IsoDate; readonly offset: number };

/** Prints `nextCursor`, which is opaque to callers. */
export function printCursor({ date, offset }: CategoryPage): string {
  return Buffer.from(`${date} ${offset}`).toString('base64url');
}

/**
 * Reads a cursor; undefined if no answer for the date had it. A cursor belongs to its date: pages stay those of one snapshot
 * while another one is published.
 *
 * @param asked The date in the path, undefined for the latest.
 */
export function parseCursor(text: string, asked: unknown): CategoryPage | undefined {
  const plain = Buffer.from(text, 'base64url').toString();
  const [, dateText = '', offset] = /^(\S{10}) (0|[1-9][0-9]{0,5})$/.exec(plain) ?? [];
  const date = parseIsoDate(dateText);
  if (date === undefined || (asked !== undefined && asked !== date)) return undefined;
  return { date, offset: Number(offset) };
}
