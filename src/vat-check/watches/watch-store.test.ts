import { describe, expect, it } from 'vitest';
import { storeChecks } from '../../../test/support/stored-checks.ts';
import { openTwice } from '../../../test/support/stored-keys.ts';
import { noon, storeKey } from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { german, wantedWatch } from '../../../test/vat-check/support/watch-world.ts';
import type { Db } from '../../platform/database/database.ts';
import { forgetNumber } from '../stored/delete-checks.ts';
import { deleteWatch, findWatch, listWatches, putWatch } from './watch-store.ts';
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
  it('creates a watch whose first check is due now', async () => {
    const db = await open();
    const requester = { registryCode: 'NL', number: '854265259B01' } as const;
    const own = { requester, trader: { city: 'Ulm' }, reference: 'r', hint: 'prefix removed' };

    const created = await put(db, own);

    expect(created).toMatchObject({
      kind: 'created',
      watch: { ...wantedWatch(own), dueAt: noon, createdAt: noon, error: null, lastCheckId: null },
    });
    const found = await findWatch(db, 'key_a', german('811115368'));
    expect(created).toEqual({ kind: 'created', watch: found });
    expect(await findWatch(db, 'key_b', german('811115368'))).toBeUndefined();
  });

  it('changes the watch of a number, however it is written, and keeps its next check', async () => {
    const db = await open();
    await put(db);

    const changed = await put(db, { vatNumber: '811 115 368', reference: 'new' }, nowMs + 1);

    expect(changed).toMatchObject({
      kind: 'changed',
      watch: { vatNumber: '811 115 368', reference: 'new', dueAt: noon, createdAt: noon },
    });
    expect((await listWatches(db, 'key_a', { limit: 9 })).watches).toHaveLength(1);
  });

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

describe('the watches of a key', () => {
  it('are listed newest first, in pages', async () => {
    const db = await open();
    for (const [n, number] of ['1', '2', '3'].entries()) {
      await put(db, { queried: german(number) }, nowMs + n);
    }
    await put(db, { keyId: 'key_b' });

    const first = await listWatches(db, 'key_a', { limit: 2 });
    const second = await listWatches(db, 'key_a', { limit: 2, cursor: first.nextCursor });

    const numbersOf = (page: typeof first) => page.watches.map(({ queried }) => queried.number);
    expect([numbersOf(first), numbersOf(second)]).toEqual([['3', '2'], ['1']]);
    expect(second.nextCursor).toBeUndefined();
  });

  it('are deleted one by one, and only by their key', async () => {
    const db = await open();
    await put(db);

    expect(await deleteWatch(db, 'key_b', german('811115368'), async () => {})).toBe(false);
    expect(await deleteWatch(db, 'key_a', german('811115368'), async () => {})).toBe(true);
    expect(await deleteWatch(db, 'key_a', german('811115368'), async () => {})).toBe(false);
  });

  it('are forgotten with the checks of their number (rule K18)', async () => {
    const db = await open();
    await put(db);
    await put(db, { keyId: 'key_b' });
    await put(db, { queried: german('other') });
    await storeChecks(db, { id: 'vc_1' });

    const on = { checksDeleted: async () => {}, watchesDeleted: async () => {} };

    expect(await forgetNumber(db, german('811115368'), on)).toEqual({
      checks: 1,
      watches: 2,
    });

    const left = await db.selectFrom('vat_watches').select('number').execute();
    expect(left).toEqual([{ number: 'other' }]);
  });
});
