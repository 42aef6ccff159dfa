import type { Db } from '../../platform/database/database.ts';
import type { IsoDate } from '../../platform/time.ts';
import { addUse, type DailyUse } from './store.ts';

/**
 * Adds the use that a version up to 0.1 left in its journal to the days of its keys, and empties the journal.
 *
 * Those versions wrote use to the table `key_use_journal` first, and added it to `key_use` ten seconds later. A
 * replica of such a version may still run during an upgrade, so each start looks, and no migration does.
 */
export async function addEarlierJournal(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const rows = await tx.deleteFrom('key_use_journal').returning('uses').execute();
    const sums = new Map<string, DailyUse>();
    for (const { uses } of rows) {
      for (const [keyId, useDate, requests] of JSON.parse(uses) as [string, IsoDate, number][]) {
        const id = `${useDate} ${keyId}`;
        const before = sums.get(id)?.requests ?? 0;
        sums.set(id, { keyId, useDate, requests: before + requests });
      }
    }
    await addUse(tx, [...sums.values()]);
  });
}
