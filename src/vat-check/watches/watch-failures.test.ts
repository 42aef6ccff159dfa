import { describe, expect, it } from 'vitest';
import { openTwice } from '../../../test/support/stored-keys.ts';
import { storeKey } from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { down } from '../../../test/vat-check/support/attempts.ts';
import { answer, WatchWorld } from '../../../test/vat-check/support/watch-world.ts';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

describe('failures that a watch reports (rule K13)', () => {
  it('reports an error once until an answer comes, with two processes and restarts', async () => {
    const [one, other] = await openTwice();
    const world = await WatchWorld.open(one, other);
    world.stored.answer = () => ({ kind: 'requesterRejected' });
    await world.put({ everyDays: 1, requester: { registryCode: 'NL', number: '854265259B01' } });

    await world.run(3 * dayMs, hourMs);
    // What is due in the last hour is not taken for a consequence of the restart.
    await world.pass();
    const refusals = world.stored.queries.length;
    await world.restarted();
    await world.pass();
    // A restart does not ask again what the registry has refused.
    expect(world.stored.queries).toHaveLength(refusals);
    world.exhausted.add('key_a');
    await world.run(2 * dayMs, hourMs);
    await world.restarted();
    await world.pass();
    expect(refusals).toBeGreaterThan(1);
    expect(world.failures).toEqual(['INVALID_REQUESTER']);
    expect((await world.watch()).error).toBe('QUOTA_EXCEEDED');

    world.exhausted.clear();
    world.stored.answer = () => answer(true);
    await world.restarted();
    await world.pass();
    expect((await world.watch()).error).toBeNull();
    world.exhausted.add('key_a');
    await world.run(2 * dayMs, hourMs);

    expect(world.failures).toEqual(['INVALID_REQUESTER', 'QUOTA_EXCEEDED']);
  });

  it('keeps the error of its key if the answer was asked for before the key changed', async () => {
    const db = await openTemporaryDatabase();
    const world = await WatchWorld.open(db);
    world.stored.answer = () => down;
    await world.put({ everyDays: 1, requester: { registryCode: 'NL', number: '854265259B01' } });
    await world.pass();
    await storeKey(db, { requester: 'NL853746333B01' });
    await world.keyChanged('key_a');
    world.stored.answer = () => answer(true);

    await world.run(2 * hourMs, 5 * minuteMs);

    expect(world.queriedAt().length).toBeGreaterThan(1);
    expect((await world.watch()).error).toBe('INVALID_REQUESTER');
    expect(world.failures).toEqual(['INVALID_REQUESTER']);
  });
});
