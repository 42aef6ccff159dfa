import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { type CutPage, countFitting, cutPage } from '../values/page-limit.ts';

/** A page of a list that is sorted by id, the newest first. */
export type PageRequest = {
  readonly limit: number;
  /** The id that the page begins after; undefined for the first page. */
  readonly cursor?: string | undefined;
};

/** A row of a list before it is read, with its size in bytes. */
export type Sized = { readonly bytes: number };

/** A list in its order, of which first the sizes of rows are read, and then the rows that fit on a page. */
export type SizedList<Key extends Sized, Row> = {
  /** The first rows of the list with their sizes, without their texts. */
  readonly listKeys: (limit: number) => Promise<readonly Key[]>;
  /** The first rows of the list. `keys` are those that fit. */
  readonly listRows: (limit: number, keys: readonly Key[]) => Promise<readonly Row[]>;
};

/**
 * Reads a page of a list: at most `limit` rows, and at most 1 MB apart from its first row.
 *
 * The database adds up the sizes before any text is read. So a page needs little memory, and blocks the event loop
 * shortly, whatever the rows of the list hold.
 */
export async function readPage<Key extends Sized, Row>(
  { listKeys, listRows }: SizedList<Key, Row>,
  limit: number,
): Promise<CutPage<Row>> {
  const keys = await listKeys(limit + 1);
  const count = countFitting(keys.map(({ bytes }) => bytes));
  if (count === keys.length) {
    // The limit is not the count: a row that was written since would push the last one off a page without a next one.
    return cutPage(await listRows(limit + 1, keys), limit);
  }
  const page = await listRows(count, keys.slice(0, count));
  return { page, last: page.at(-1) };
}

/** The list of a query. `bytes` is the size of one of its rows. */
export function sizedList<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  bytes: RawBuilder<number | string>,
): SizedList<Sized, Row> {
  return {
    listKeys: async (limit) => {
      const rows = await query
        .clearSelect()
        .select(bytes.as('bytes'))
        .limit(limit)
        .$castTo<{ readonly bytes: number | string }>()
        .execute();
      return rows.map((row) => ({ bytes: Number(row.bytes) }));
    },
    listRows: async (limit) => query.limit(limit).execute(),
  };
}

/**
 * The size of a row: the bytes of its longer texts, and a constant for all else. `columns` are names in SQL.
 *
 * `octet_length` reads the head of a row only, on both engines: its long texts stay on the disk.
 */
export function bytesOf(columns: readonly string[], otherBytes: number): RawBuilder<number> {
  const texts = columns.map((column) => `coalesce(octet_length(${column}), 0)`);
  // One piece of text: every page compiles it.
  return sql.raw(`(${[otherBytes, ...texts].join(' + ')})`);
}
