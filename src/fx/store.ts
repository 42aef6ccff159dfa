import type { Db, Tx } from '../platform/database/database.ts';
import { eachPortion } from '../platform/database/portions.ts';
import type { IsoDate } from '../platform/time/time.ts';
import type { Series } from './series.ts';
import type { FxSnapshot } from './snapshot.ts';

/** Rows in one statement. */
const insertChunk = 250;

/** The publications of a series from a date on, oldest first, with the one before it. */
export async function listWithPredecessor(
  db: Db,
  { snapshots, parse }: Series,
  from: IsoDate,
): Promise<FxSnapshot[]> {
  const { previous } = await snapshots.findNeighbours(db, from);
  return (await snapshots.listBodies(db, { from: previous ?? from })).map((body) => parse(body));
}

/** Stores publications of a series. */
export async function insertSnapshots(
  tx: Tx,
  { snapshots, toRow, print }: Series,
  given: { readonly publications: readonly FxSnapshot[]; readonly at: string },
): Promise<void> {
  await eachPortion(given.publications, insertChunk, async (portion) => {
    const rows = portion.map((one) => ({ ...toRow(one), body: print(one), stored_at: given.at }));
    await snapshots.insert(tx, rows);
  });
}
