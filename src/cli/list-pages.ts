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
