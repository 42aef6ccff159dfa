import { describe, expect, it } from 'vitest';
import { openTwice } from '../../../test/support/stored-keys.ts';
import { noon, storeKey } from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { down } from '../../../test/vat-check/support/attempts.ts';
import { answer, german, WatchWorld } from '../../../test/vat-check/support/watch-world.ts';
import { OpenCharges } from '../stored/open-charges.ts';
import { claimDueWatches, createWatchCheck, release, skipSlot } from './due-watches.ts';
import { deleteWatch } from './watch-store.ts';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

describe('checks of a watch (rule K13)', () => {
  it('makes and charges one check with two processes at the same time', async () => {
    const [one, other] = await openTwice();
    const world = await WatchWorld.open(one, other);
    const numbers = Array.from({ length: 30 }, (_, n) => `n${n}`);
    for (const number of numbers) await world.put({ queried: german(number) });

    await world.run(20 * 1_000, 200);
    await world.run(11 * dayMs, 2 * hourMs);

    expect(world.charges).toHaveLength(60);
    for (const number of numbers) expect(world.queriedAt(number)).toHaveLength(2);
  });

  it('makes the check of a process that was killed when its claim ends; the result of that claim changes nothing', async () => {
    const db = await openTemporaryDatabase();
    const world = await WatchWorld.open(db);
    await world.put();
    const [due] = await claimDueWatches(db, world.nowMs);
    expect(await claimDueWatches(db, world.nowMs)).toEqual([]);

    await world.run(30 * 1_000, 1_000);
    expect(world.queriedAt()).toEqual([]);
    const [later] = await claimDueWatches(db, world.nowMs);
    const charge = async () => expect.unreachable();
    const parts = { nowMs: world.nowMs, charge, charges: new OpenCharges() };
    expect(await createWatchCheck(db, due!, parts)).toBe('gone');
    await skipSlot(db, due!, world.nowMs);
    await release(db, [due!]);
    expect(await claimDueWatches(db, world.nowMs)).toEqual([]);
    await release(db, [later!]);
    await world.pass();

    expect(world.charges).toEqual(['key_a']);
    expect(world.queriedAt()).toHaveLength(1);
  });

  it('makes no check for a key that was revoked, has expired or lost the scope, and none of a deleted watch', async () => {
    const db = await openTemporaryDatabase();
    const world = await WatchWorld.open(db);
    await storeKey(db, { id: 'key_b', revoked_at: noon });
    await storeKey(db, { id: 'key_c', expires_at: '2026-11-21T00:00:00.000Z' });
    await storeKey(db, { id: 'key_d', scopes: 'read webhooks' });
    for (const keyId of ['key_b', 'key_c', 'key_d']) await world.put({ keyId });
    await world.put({ queried: german('gone') });
    await deleteWatch(db, 'key_a', { queried: german('gone') }, async () => {});

    await world.run(2 * minuteMs, 10_000);
    expect(world.charges).toEqual(['key_c']);
    await world.run(40 * dayMs, hourMs);

    expect(world.charges).toEqual(['key_c']);
    const due = await db.selectFrom('vat_watches').select('due_at').execute();
    for (const { due_at } of due) expect(Date.parse(due_at)).toBeGreaterThan(world.nowMs - hourMs);
  });

  it('waits for the next month without quota, and reports that until its next check', async () => {
    const db = await openTemporaryDatabase();
    const world = await WatchWorld.open(db);
    await storeKey(db, { id: 'key_b' });
    world.exhausted.add('key_a');
    await world.put();
    await world.put({ queried: german('second') });
    await world.put({ keyId: 'key_b' });

    await world.run(5 * dayMs, hourMs);
    expect(world.charges).toEqual(['key_b']);
    for (const number of ['811115368', 'second']) {
      const { error, dueAt } = await world.watch(number);
      expect({ error, dueAt }).toEqual({
        error: 'QUOTA_EXCEEDED',
        dueAt: '2026-12-01T00:00:00.000Z',
      });
    }
    world.exhausted.clear();
    await world.run(6 * dayMs, hourMs);

    expect(world.queriedAt('second')).toEqual([expect.stringMatching(/^2026-12-01T0/)]);
    expect((await world.watch('second')).error).toBeNull();
  });

  it('asks nothing for the pending check of a key that has lost the scope', async () => {
    const db = await openTemporaryDatabase();
    const world = await WatchWorld.open(db);
    world.stored.answer = () => down;
    await world.put();
    await world.pass();
    await storeKey(db, { scopes: 'read webhooks' });
    await world.keyChanged('key_a');

    await world.run(3 * hourMs, 5 * minuteMs);

    expect(world.queriedAt()).toHaveLength(1);
    const check = await db.selectFrom('vat_checks').select('status').executeTakeFirst();
    expect(check?.status).toBe('expired');
  });

  it('checks and charges nothing while the clock is not trusted', async () => {
    const db = await openTemporaryDatabase();
    const world = await WatchWorld.open(db);
    await world.put({ everyDays: 365 });
    world.stored.clockGuard.isTrusted = false;
    world.stored.clock.advance(400 * dayMs);

    await world.pass();

    expect(world.charges).toEqual([]);
  });

  it('makes no further check while one is pending, and continues after the outage', async () => {
    const db = await openTemporaryDatabase();
    const world = await WatchWorld.open(db);
    world.stored.answer = () => down;
    await world.put({ everyDays: 2 });

    await world.run(7 * dayMs, hourMs);
    expect(world.charges).toHaveLength(1);
    world.stored.answer = () => answer(true);
    await world.run(5 * dayMs, hourMs);

    expect(world.charges.length).toBeGreaterThanOrEqual(3);
    expect(world.charges.length).toBeLessThanOrEqual(4);
  });
});
