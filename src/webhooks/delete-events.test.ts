import { describe, expect, it } from 'vitest';
import {
  claimsOf,
  noon,
  resultOf,
  storeKey,
  storeSubscription,
} from '../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../test/support/temporary-database.ts';
import type { Db } from '../platform/database/database.ts';
import { deleteEvents } from './delete-events.ts';
import { writeResults } from './delivery/delivery-results.ts';
import { claimDue } from './delivery/store.ts';
import { announce } from '../events/outbox.ts';

const events = '["webhook.test"]';

/** Two subscriptions of `key_a` and one of `key_b`, with an event about each of these things. */
async function openWith(...subjects: readonly string[]): Promise<Db> {
  const db = await openTemporaryDatabase();
  await storeKey(db);
  await storeKey(db, { id: 'key_b' });
  await storeSubscription(db, { id: 'sub_a', events });
  await storeSubscription(db, { id: 'sub_b', events });
  await storeSubscription(db, { id: 'sub_c', events, key_id: 'key_b' });
  await db.transaction().execute(async (tx) => {
    for (const subject of subjects) {
      const keyId = subject.includes('other') ? 'key_b' : 'key_a';
      await announce(tx, { type: 'webhook.test', at: noon, keyId, subject, fields: { subject } });
    }
  });
  return db;
}

async function remove(db: Db, ...subjects: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => deleteEvents(tx, subjects));
}

async function readRows(db: Db) {
  const subjects = await db.selectFrom('events').select('subject').orderBy('subject').execute();
  const deliveries = await db.selectFrom('webhook_deliveries').select('subscription_id').execute();
  const attempts = await db.selectFrom('webhook_attempts').select('id').execute();
  return {
    subjects: subjects.map(({ subject }) => subject),
    deliveries: deliveries.map((row) => row.subscription_id).toSorted(),
    attempts: attempts.length,
  };
}

describe('deleteEvents (rule K18)', () => {
  it('deletes the events about these things with their deliveries and attempts, and no other', async () => {
    const db = await openWith('vc_1', 'vc_2', 'vc_other');
    const claimed = await claimDue(db, claimsOf());
    await writeResults(
      db,
      claimed.map((delivery) => resultOf(delivery)),
    );

    await remove(db, 'vc_1', 'vc_none');

    expect(await readRows(db)).toEqual({
      subjects: ['vc_2', 'vc_other'],
      deliveries: ['sub_a', 'sub_b', 'sub_c'],
      attempts: 3,
    });
  });

  it('drops pending deliveries, also one whose attempt is under way', async () => {
    const db = await openWith('vc_1');
    const claimed = await claimDue(db, claimsOf({ max: 1 }));

    await remove(db, 'vc_1');
    await writeResults(
      db,
      claimed.map((delivery) => resultOf(delivery)),
    );

    expect(claimed).toHaveLength(1);
    expect(await readRows(db)).toEqual({ subjects: [], deliveries: [], attempts: 0 });
  });
});
