import { describe, expect, it } from 'vitest';
import { openSource, storeEverything } from '../../../test/cli/support/copy-world.ts';
import type { Db } from '../../platform/database/database.ts';
import { compareBodies } from './compare-bodies.ts';

/** Two databases with the same rows, and their comparison. */
async function openTwins() {
  const [from, to] = [(await openSource()).db, (await openSource()).db];
  for (const db of [from, to]) await storeEverything(db);
  const compare = async (onBody = (): void => {}): Promise<number> =>
    from.transaction().execute(async (tx) => {
      return to.transaction().execute(async (copyTx) => compareBodies(tx, copyTx, onBody));
    });
  return { to, compare };
}

describe('compareBodies', () => {
  it('counts the dates of /rates, /fx and /changes', async () => {
    const { compare } = await openTwins();

    expect(await compare()).toBe(3 + 3 + 1);
  });

  it.each<readonly [string, (db: Db) => { execute(): Promise<unknown> }]>([
    [
      '/rates/2025-12-31',
      (db) =>
        db.updateTable('rate_snapshots').set({ body: '{}' }).where('version', '=', '2025-12-31'),
    ],
    [
      '/fx/2026-01-01',
      (db) => db.updateTable('fx_snapshots').set({ body: '{}' }).where('date', '=', '2026-01-01'),
    ],
    ['/fx/2026-01-02', (db) => db.deleteFrom('fx_snapshots').where('date', '=', '2026-01-02')],
    [
      '/changes/2026-01-02',
      (db) => db.updateTable('rate_changes').set({ field: 'reduced[3]' }).where('id', '=', 'chg_2'),
    ],
    [
      '/rates, /fx or /changes',
      (db) => db.updateTable('rate_snapshots').set({ origin: 'backfill' }),
    ],
  ])('throws if %s differs', async (path, change) => {
    const { to, compare } = await openTwins();

    await change(to).execute();

    await expect(compare()).rejects.toThrow(`${path} is not the same in the copy`);
  });
});
