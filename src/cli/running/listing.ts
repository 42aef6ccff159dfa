import { findKeyById } from '../../access/authentication/key-store.ts';
import type { Db } from '../../platform/database/database.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { CommandFailure } from '../command/report.ts';

/** Fails if an operator names a key that does not exist. Undefined names none. */
export async function requireKnownKey(db: Db, id: string | undefined): Promise<void> {
  if (id !== undefined && (await findKeyById(db, id)) === undefined) throw unknownKey(id);
}

export function unknownKey(id: string): CommandFailure {
  return new CommandFailure(`there is no key ${id}; "${vatfx('keys list')}" lists them`);
}

/** The most rows that a command reads at once. */
const pageRows = 500;

/** A part of a list: at most `limit` rows after the cursor. */
export type PageAfter<Cursor> = { readonly limit: number; readonly cursor: Cursor | undefined };

/** Lists the first rows of a list, read page by page: a page may have fewer rows than its limit. */
export async function listPages<Row, Cursor>(
  limit: number,
  readPage: (
    page: PageAfter<Cursor>,
  ) => Promise<{ readonly rows: readonly Row[]; readonly next: Cursor | undefined }>,
): Promise<Row[]> {
  const listed: Row[] = [];
  let cursor: Cursor | undefined;
  do {
    const page = { limit: Math.min(pageRows, limit - listed.length), cursor };
    const { rows, next } = await readPage(page);
    listed.push(...rows);
    cursor = next;
  } while (cursor !== undefined && listed.length < limit);
  return listed;
}
