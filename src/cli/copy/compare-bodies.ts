import { dataSets } from '../../composition/data-sets.ts';
import type { Tx } from '../../platform/database/database.ts';
import { isoDate, type IsoDate } from '../../platform/time.ts';
import { printChanges } from '../../rates/change-wire.ts';
import { listChanges, listChangesOf } from '../../rates/store.ts';

const everyDate = { from: undefined, to: undefined } as const;

type Read = (db: Tx, date: IsoDate) => Promise<string | undefined>;

/**
 * Compares the body of every date of every data set and of `/changes`, read as the service reads it, and the bodies
 * without a date. Returns the number of dated bodies; throws at the first difference.
 */
export async function compareBodies(
  from: Tx,
  to: Tx,
  onBody: (count: number) => void,
): Promise<number> {
  const dated: readonly { path: string; dates: readonly string[]; read: Read }[] = [
    ...(await Promise.all(
      Object.values(dataSets).map(async ({ api, snapshots }) => ({
        path: api.path,
        dates: await snapshots.listDates(from, everyDate),
        read: async (db: Tx, date: IsoDate) => snapshots.findBody(db, date),
      })),
    )),
    { path: '/changes', dates: await listChangeDates(from), read: readChanges },
  ];
  let count = 0;
  for (const { path, dates, read } of dated) {
    for (const date of dates.map(isoDate)) {
      const body = await read(from, date);
      if (body === undefined || body !== (await read(to, date))) throw differs(`${path}/${date}`);
      count += 1;
      onBody(count);
    }
  }
  if ((await readUndated(from)) !== (await readUndated(to))) {
    const paths = Object.values(dataSets).map(({ api }) => api.path);
    throw differs(`${paths.join(', ')} or /changes`);
  }
  return count;
}

function differs(path: string): Error {
  return new Error(`${path} is not the same in the copy`);
}

async function readChanges(db: Tx, date: IsoDate): Promise<string> {
  return printChanges(await listChangesOf(db, date));
}

/** The latest snapshots, and the longest page of `/changes`. */
async function readUndated(db: Tx): Promise<string> {
  const newest = { since: undefined, country: undefined, limit: 200 };
  return JSON.stringify([
    ...(await Promise.all(Object.values(dataSets).map(async (set) => set.findLatest(db)))),
    printChanges(await listChanges(db, newest)),
  ]);
}

async function listChangeDates(db: Tx): Promise<string[]> {
  const rows = db.selectFrom('rate_changes').select('snapshot_date').distinct();
  return (await rows.orderBy('snapshot_date').execute()).map((row) => row.snapshot_date);
}
