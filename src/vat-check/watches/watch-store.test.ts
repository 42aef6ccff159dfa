import { describe, expect, it } from 'vitest';
import { openTwice } from '../../../test/support/stored-keys.ts';
import { noon, storeKey } from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { german, wantedWatch } from '../../../test/vat-check/support/watch-world.ts';
import type { Db } from '../../platform/database/database.ts';
import { putWatch } from './watch-store.ts';
import type { WantedWatch } from './watch.ts';

const nowMs = Date.parse(noon);
const dayMs = 86_400_000;

async function open(): Promise<Db> {
  const db = await openTemporaryDatabase();
  await storeKey(db);
  await storeKey(db, { id: 'key_b' });
  return db;
}

const put = async (db: Db, own: Partial<WantedWatch> = {}, atMs = nowMs) =>
  putWatch(db, wantedWatch(own), { nowMs: atMs, max: 3 });

describe('putWatch (rule K13)', () => {
  it('moves the next check into the second half of a new period, unless it is due for another reason', async () => {
    const db = await open();
    await put(db);
    const stillDue = await put(db, { everyDays: 2 });
    await db
      .updateTable('vat_watches')
      .set((e) => ({ due_at: e.ref('slot_at') }))
      .execute();

    const moved = await put(db, { everyDays: 100 });

    expect(stillDue).toMatchObject({ watch: { dueAt: noon, everyDays: 2 } });
    const watch = moved.kind === 'changed' ? moved.watch : undefined;
    expect(watch?.dueAt).toBe(watch?.slotAt);
    const days = (Date.parse(watch?.dueAt ?? '') - nowMs) / dayMs;
    expect(days).toBeGreaterThanOrEqual(50);
    expect(days).toBeLessThanOrEqual(100.001);
  });

  it('refuses a watch above the maximum of a key, and still changes the others', async () => {
    const db = await open();
    for (const number of ['1', '2', '3']) await put(db, { queried: german(number) });

    expect((await put(db, { queried: german('4') })).kind).toBe('tooMany');
    expect((await put(db, { queried: german('3') })).kind).toBe('changed');
    expect((await put(db, { queried: german('4'), keyId: 'key_b' })).kind).toBe('created');
  });

  it('creates one watch for several requests at the same time', async () => {
    const [one, other] = await openTwice();
    await storeKey(one);

    const kinds = await Promise.all([one, other, one, other].map(async (db) => put(db)));

    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual([
      'changed',
      'changed',
      'changed',
      'created',
    ]);
  });
});
