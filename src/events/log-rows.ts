import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { hasValue } from '../platform/database/rows-with-value.ts';

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

const columns = sql`id, type, created_at as at, snapshot_date as "snapshotDate", body,
  key_id as "keyId", position`;

/**
 * Lists the events of a range that a key sees, in the order of their positions.
 *
 * One branch for each type, so that each reads only rows that it returns: a page costs the same if millions of events
 * of other keys and types lie in between.
 */
export async function listVisible(
  db: Db,
  reader: { readonly keyId: string; readonly types: VisibleTypes },
  { after, upTo, limit }: Range & { readonly limit: number },
): Promise<LogRow[]> {
  const ofKey = hasValue(db, 'key_id', reader.keyId);
  const branches = [
    ...reader.types.public.map((type) => [sql`key_id is null`, type] as const),
    ...reader.types.key.map((type) => [ofKey, type] as const),
  ].map(
    ([scope, type]) => sql`select * from (
      select ${columns} from events
      where ${scope} and type = ${type} and position > ${after} and position <= ${upTo}
      order by key_id, position limit ${limit}) as of_type`,
  );
  if (branches.length === 0 || upTo <= after) return [];
  const all = sql.join(branches, sql` union all `);
  const { rows } = await sql<StoredRow>`
    select * from (${all}) as visible order by position limit ${limit}`.execute(db);
  return rows.map(toLogRow);
}

/** Lists the events of a range of all keys, in the order of their positions. */
export async function listAll(
  db: Db,
  { after, upTo, limit }: Range & { readonly limit: number },
): Promise<LogRow[]> {
  const { rows } = await sql<StoredRow>`
    select ${columns} from events where position > ${after} and position <= ${upTo}
    order by position limit ${limit}`.execute(db);
  return rows.map(toLogRow);
}

type StoredRow = Omit<LogRow, 'snapshotDate' | 'body'> & {
  readonly snapshotDate: string | null;
  readonly body: string | null;
};

function toLogRow({ snapshotDate, body, ...row }: StoredRow): LogRow {
  return { ...row, snapshotDate: snapshotDate ?? undefined, body: body ?? undefined };
}
