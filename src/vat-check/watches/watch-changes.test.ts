import { describe, expect, it } from 'vitest';
import { noon } from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { down } from '../../../test/vat-check/support/attempts.ts';
import { answer, WatchWorld } from '../../../test/vat-check/support/watch-world.ts';
import { pruneChecks } from '../stored/delete-checks.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000];

/** A world with one watch, every two days, whose first answer is true. */
async function openWatched() {
  const db = await openTemporaryDatabase();
  const world = await WatchWorld.open(db);
  world.stored.answer = () => answer(true, { name: 'Muster AG', address: 'Ulm' });
  await world.put({ everyDays: 2 });
  await world.pass();
  return { db, world };
}

describe('changes that a watch reports (rule K14)', () => {
  it('keeps the answer that it compares with when old checks are deleted', async () => {
    const { db, world } = await openWatched();
    world.stored.answer = () => down;
    await world.run(50 * dayMs, 6 * hourMs);
    const { baselineCheckId } = await world.watch();

    await pruneChecks(db, world.nowMs - dayMs, async () => {});
    world.stored.answer = () => answer(true, { name: 'Muster GmbH', address: 'Ulm' });
    await world.run(4 * dayMs, hourMs);

    expect(world.changes).toMatchObject([
      { previous: { id: baselineCheckId, createdAt: noon }, changed: ['name'] },
    ]);
    await pruneChecks(db, world.nowMs - dayMs, async () => {});
    const old = db.selectFrom('vat_checks').select('id').where('created_at', '=', noon);
    expect(await old.execute()).toEqual([]);
  });
});
