import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { engineOf } from './dialect.ts';
import type { Db, Tx } from './tables.ts';

/**
 * Marks of transactions (rule C38): rows with a unique key, by which a process finds whether a transaction was committed
 * although its COMMIT was not acknowledged.
 *
 * To look for a mark is to insert it again. The insertion waits for the transaction if that is still under way, and then finds its row or
 * not. Only PostgreSQL needs marks: a COMMIT of SQLite ends in this process.
 */

/** Looks for a mark, in a transaction that is then rolled back; resolves to whether it was there. */
export type Mark = (look: Tx) => Promise<boolean>;

/** Names this process: no two processes have the same marks. */
const replica = randomUUID();
let count = 0;

/** Marks are deleted when they are this old. */
const keptMs = 3_600_000;
/** Up to this age a mark that is missing was never committed: the clock of the database may run faster than ours. */
const knownMs = keptMs - 300_000;

const marks = new WeakMap<Tx, Mark>();

/**
 * Marks a transaction, so that it is done once: if its COMMIT is not acknowledged, `transaction()` looks for the mark, and
 * repeats the transaction if it was not committed (`unknown-commit.ts`). It costs one row on PostgreSQL, and nothing on SQLite.
 */
export async function markCommit(tx: Tx): Promise<void> {
  if (engineOf(tx).name === 'sqlite' || marks.has(tx)) return;
  count += 1;
  const row = { replica, number: count };
  const writtenMs = performance.now();
  const insert = async (into: Tx): Promise<boolean> => {
    const inserted = await into
      .insertInto('commit_marks')
      .values({ ...row, written_at: instantOf(sql`now()`) })
      .onConflict((conflict) => conflict.doNothing())
      .returning('number')
      .executeTakeFirst();
    return inserted !== undefined;
  };
  await insert(tx);
  // Nobody can know any more whether a mark that was deleted had been there: what was done is not done again.
  setMark(tx, async (look) => performance.now() - writtenMs > knownMs || !(await insert(look)));
}

/**
 * Makes a row that a transaction has written its mark, in place of one of its own. The look has to wait for the transaction if
 * that is still under way: by an insertion, or by a lock.
 */
export function setMark(tx: Tx, mark: Mark): void {
  marks.set(tx, mark);
}

/** The mark of a transaction; undefined if it has none. */
export function markOf(tx: Tx): Mark | undefined {
  return marks.get(tx);
}

/** Deletes the marks that are older than an hour, by the clock of the database. */
export async function deleteOldMarks(db: Db): Promise<void> {
  if (engineOf(db).name === 'sqlite') return;
  const oldest = instantOf(sql`now() - ${sql.lit(`${keptMs} ms`)}::interval`);
  await db.deleteFrom('commit_marks').where('written_at', '<', oldest).execute();
}

function instantOf(moment: ReturnType<typeof sql>) {
  return sql<string>`to_char((${moment}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
