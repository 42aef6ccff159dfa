import { type RawBuilder, sql } from 'kysely';
import { readPage, type Sized } from '../../platform/database/bounded-page.ts';
import type { Db } from '../../platform/database/database.ts';
import { hasValue } from '../../platform/database/rows-with-value.ts';

/** An event of the log as it is stored. */
export type LogRow = {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  /** Undefined if it is about no snapshot. */
  readonly snapshotDate: string | undefined;
  /** Undefined if the body is made from other rows. */
  readonly body: string | undefined;
  /** Null for a public event. */
  readonly keyId: string | null;
  readonly position: number;
};

/** Types that a reader sees, by whose events they are. */
export type VisibleTypes = {
  readonly public: readonly string[];
  /** Only those of the reader's key. */
  readonly key: readonly string[];
};

/** Positions after `after`, up to `upTo`. */
export type Range = { readonly after: number; readonly upTo: number };

/** Events in the order of their positions; `hasMore` if further ones of the range did not fit. */
export type LogRows = { readonly rows: readonly LogRow[]; readonly hasMore: boolean };

const columns = sql`id, type, created_at as at, snapshot_date as "snapshotDate", body,
  key_id as "keyId", position`;
const sizeColumns = sql`position, 200 + coalesce(octet_length(body), 0) as bytes`;

/**
 * Lists the first events of a range that a key sees: at most `limit`, and at most 1 MB of stored bodies.
 *
 * One branch for each type, so that each reads only rows that it returns: a page costs the same if millions of events
 * of other keys and types lie in between.
 */
export async function listVisible(
  db: Db,
  reader: { readonly keyId: string; readonly types: VisibleTypes },
  range: Range & { readonly limit: number },
): Promise<LogRows> {
  const ofKey = hasValue(db, 'key_id', reader.keyId);
  const scopes = [
    ...reader.types.public.map((type) => sql`key_id is null and type = ${type}`),
    ...reader.types.key.map((type) => sql`${ofKey} and type = ${type}`),
  ];
  if (scopes.length === 0 || range.upTo <= range.after) return { rows: [], hasMore: false };
  return readRows(db, range, (columns, { after, upTo }, limit) => {
    const branches = scopes.map(
      (scope) => sql`select * from (
        select ${columns} from events
        where ${scope} and position > ${after} and position <= ${upTo}
        order by key_id, position limit ${limit}) as of_type`,
    );
    const all = sql.join(branches, sql` union all `);
    return sql`select * from (${all}) as visible order by position limit ${limit}`;
  });
}

/** Lists the first events of a range of all keys: at most `limit`, and at most 1 MB of stored bodies. */
export async function listAll(db: Db, range: Range & { readonly limit: number }): Promise<LogRows> {
  return readRows(
    db,
    range,
    (columns, { after, upTo }, limit) => sql`
      select ${columns} from events where position > ${after} and position <= ${upTo}
      order by position limit ${limit}`,
  );
}

type StoredRow = Omit<LogRow, 'snapshotDate' | 'body'> & {
  readonly snapshotDate: string | null;
  readonly body: string | null;
};

/** Prints the statement that reads columns of the first events of a range. */
type PrintSelect = (columns: RawBuilder<unknown>, of: Range, limit: number) => RawBuilder<unknown>;

async function readRows(
  db: Db,
  { limit, ...range }: Range & { readonly limit: number },
  print: PrintSelect,
): Promise<LogRows> {
  type Key = Sized & { readonly position: number };
  const { page, last } = await readPage<Key, LogRow>(
    {
      listKeys: async (count) => {
        const { rows } = await (print(sizeColumns, range, count) as RawBuilder<Key>).execute(db);
        return rows;
      },
      listRows: async (count, keys) => {
        const end = keys.at(-1);
        if (end === undefined) return [];
        // Not beyond the last event that fits: each branch reads bodies up to there.
        const ofPage = print(columns, { ...range, upTo: end.position }, count);
        const { rows } = await (ofPage as RawBuilder<StoredRow>).execute(db);
        return rows.map(toLogRow);
      },
    },
    limit,
  );
  return { rows: page, hasMore: last !== undefined };
}

function toLogRow({ snapshotDate, body, ...row }: StoredRow): LogRow {
  return { ...row, snapshotDate: snapshotDate ?? undefined, body: body ?? undefined };
}
