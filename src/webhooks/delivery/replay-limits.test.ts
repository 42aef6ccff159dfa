import { describe, expect, it } from 'vitest';
import type { Db } from '../../platform/database/database.ts';
import { openTwice } from '../../../test/support/stored-keys.ts';
import {
  longAgo,
  noon,
  storeDeliveries,
  storedDelivery,
  storeEvent,
  storeKey,
  storeSubscription,
} from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { pruneRequested } from './replay-limits.ts';
import { replayDelivery, replaySince, requestTest } from './replays.ts';
import { removeSubscription } from '../subscriptions/store.ts';

const hourAgo = '2026-11-20T11:00:00.000Z';
const halfAnHourAgo = '2026-11-20T11:30:00.000Z';
const subscription = { id: 'sub_a', keyId: 'key_a', events: ['rates.changed'] } as const;
const done = { kind: 'done' };
const limited = (policy: string, limit: number, retryAfterSeconds: number) => ({
  kind: 'limited',
  refusal: { policy, limit, windowSeconds: policy === 'replays' ? 3_600 : 60, retryAfterSeconds },
});

/** A database in which `key_a` has requested deliveries: how many, and when. */
async function openWith(...requested: readonly (readonly [deliveries: number, at: string])[]) {
  const [db, otherDb] = await openTwice();
  await storeKey(db);
  await storeSubscription(db, { id: 'sub_a' });
  await storeEvent(db, { id: 'evt_1' });
  await storeDeliveries(db, { event_id: 'evt_1', subscription_id: 'sub_a' });
  for (const [n, [deliveries, at]] of requested.entries()) {
    const row = { id: `rpl_${n}`, key_id: 'key_a', at, deliveries };
    await db.insertInto('webhook_replays').values(row).execute();
  }
  const replay = async (at: string) => replayDelivery(db, { subscription, id: 'dlv_1a' }, at);
  return { db, otherDb, replay };
}

async function storeEvents(db: Db, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    id: `evt_many${n}`,
    type: 'rates.changed',
    snapshot_date: `day ${n}`,
    created_at: noon,
  }));
  await db.insertInto('events').values(rows).execute();
}

describe('replays of one delivery (contract C27)', () => {
  it('are refused within a minute of the last one, and accepted after it', async () => {
    const { replay } = await openWith();

    const outcomes = [
      await replay(noon),
      await replay('2026-11-20T12:00:00.001Z'),
      await replay('2026-11-20T12:00:59.500Z'),
      await replay('2026-11-20T12:01:00.000Z'),
    ];

    const refused = (seconds: number) => limited('replays-of-delivery', 1, seconds);
    expect(outcomes).toMatchObject([done, refused(60), refused(1), done]);
  });

  it('are all refused if one of them was replayed within the last minute', async () => {
    const { db, replay } = await openWith();
    await storeEvent(db, { id: 'evt_2' });
    await replay(noon);

    const at = '2026-11-20T12:00:10.000Z';
    const outcome = await replaySince(db, subscription, { since: longAgo, at });

    expect(outcome).toEqual(limited('replays-of-delivery', 1, 50));
    const stored = db.selectFrom('webhook_deliveries').select('id');
    expect(await stored.execute()).toEqual([{ id: 'dlv_1a' }]);
  });

  it('may follow the first delivery immediately', async () => {
    const { db } = await openWith();
    await storeEvent(db, { id: 'evt_2' });

    const outcomes = [
      await replaySince(db, subscription, { since: noon, at: noon }),
      await replayDelivery(db, { subscription, id: 'dlv_2a' }, noon),
    ];

    expect(outcomes).toMatchObject([{ kind: 'done', value: 2 }, done]);
  });
});

describe('deliveries that a key requests (contract C27)', () => {
  it('are limited to 1,000 in any hour; the oldest stop counting after an hour', async () => {
    const { db } = await openWith([1, '2026-11-20T11:00:30.000Z'], [998, halfAnHourAgo]);
    const test = async (at = noon) => requestTest(db, subscription, at);

    const outcomes = [
      await test(),
      await test(),
      await test('2026-11-20T12:00:29.999Z'),
      await test('2026-11-20T12:00:30.000Z'),
    ];

    const refused = (seconds: number) => limited('replays', 1_000, seconds);
    expect(outcomes).toMatchObject([done, refused(30), refused(1), done]);
  });

  it('are counted without those that are an hour old', async () => {
    const { replay } = await openWith([1_000, hourAgo]);

    expect(await replay(noon)).toMatchObject(done);
  });

  it('are counted for each key, replays and tests together', async () => {
    const { db, replay } = await openWith([999, halfAnHourAgo]);
    await storeKey(db, { id: 'key_b' });
    await storeSubscription(db, { id: 'sub_b', key_id: 'key_b' });

    const outcomes = [
      await requestTest(db, subscription, noon),
      await replay(noon),
      await requestTest(db, { id: 'sub_b', keyId: 'key_b' }, noon),
    ];

    expect(outcomes).toMatchObject([done, limited('replays', 1_000, 1_800), done]);
  });

  it('are still counted after their subscription is removed', async () => {
    const { db } = await openWith([1_000, halfAnHourAgo]);
    await removeSubscription(db, 'sub_a', { at: noon });
    await storeSubscription(db, { id: 'sub_b' });

    expect(await requestTest(db, { id: 'sub_b', keyId: 'key_a' }, noon)).toMatchObject({
      kind: 'limited',
    });
  });

  it('are counted exactly over two processes', async () => {
    const { db, otherDb } = await openWith([995, halfAnHourAgo]);

    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, n) =>
        requestTest(n % 2 === 0 ? db : otherDb, subscription, noon),
      ),
    );

    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(5);
    expect(outcomes.filter(({ kind }) => kind === 'limited')).toHaveLength(15);
  });

  it('are all refused if they exceed the rest of the hour', async () => {
    const { db } = await openWith([400, halfAnHourAgo], [590, '2026-11-20T11:45:00.000Z']);
    await storeEvents(db, 10);
    const before = await storedDelivery(db, 'dlv_1a');

    const outcome = await replaySince(db, subscription, { since: longAgo, at: noon });

    expect(outcome).toEqual(limited('replays', 1_000, 1_800));
    const stored = db.selectFrom('webhook_deliveries').selectAll();
    expect(await stored.execute()).toEqual([before]);
  });

  it('are refused if one request exceeds the limit of an hour', async () => {
    const { db } = await openWith();
    await storeEvents(db, 999);

    const all = await replaySince(db, subscription, { since: longAgo, at: noon });
    await storeEvent(db, { id: 'evt_2' });
    const more = await replaySince(db, subscription, {
      since: longAgo,
      at: '2026-11-20T14:00:00.000Z',
    });

    expect([all, more]).toEqual([{ kind: 'done', value: 1_000 }, { kind: 'tooMany' }]);
  });

  it('are not counted if nothing is sent', async () => {
    const { db } = await openWith();

    const outcomes = [
      await replaySince(db, subscription, { since: '2027-01-01T00:00:00.000Z', at: noon }),
      await replayDelivery(db, { subscription: { id: 'sub_none', keyId: 'key_a' }, id: 'x' }, noon),
    ];

    expect(outcomes).toEqual([{ kind: 'done', value: 0 }, { kind: 'gone' }]);
    expect(await db.selectFrom('webhook_replays').selectAll().execute()).toEqual([]);
  });
});

describe('pruneRequested', () => {
  it('deletes counts that are an hour old, and no others', async () => {
    const { db } = await openWith([1, hourAgo], [2, '2026-11-20T11:00:00.001Z'], [3, noon]);

    expect(await pruneRequested(db, Date.parse(noon))).toBe(false);

    const left = await db.selectFrom('webhook_replays').select('id').orderBy('id').execute();
    expect(left.map(({ id }) => id)).toEqual(['rpl_1', 'rpl_2']);
  });

  it('deletes 250 at a time, and reports that there may be more', async () => {
    const db = await openTemporaryDatabase();
    const rows = Array.from({ length: 251 }, (_, n) => {
      return { id: `rpl_${n}`, key_id: 'key_a', at: longAgo, deliveries: 1 };
    });
    await db.insertInto('webhook_replays').values(rows).execute();

    const nowMs = Date.parse(noon);
    expect([await pruneRequested(db, nowMs), await pruneRequested(db, nowMs)]).toEqual([
      true,
      false,
    ]);
  });
});
