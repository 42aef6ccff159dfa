import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { correctPublication } from '../../src/fx/corrections.ts';
import { insertSnapshots } from '../../src/fx/store.ts';
import type { CurrencyCode } from '../../src/fx/snapshot.ts';
import { bumpRevision } from '../../src/platform/database/revisions.ts';
import { syncCorrections } from '../../src/platform/publication/correction-store.ts';
import { isoDate } from '../../src/platform/time.ts';
import { announce } from '../../src/webhooks/outbox.ts';
import { noon, storeKey, storeSubscription } from '../support/stored-webhooks.ts';
import { openTemporaryDatabase, temporaryDatabaseUrl } from '../support/temporary-database.ts';

/** Three connections to one database: one that holds a lock, one that waits for it, and one that looks on. */
async function openThree() {
  const url = temporaryDatabaseUrl();
  const open = async () => openTemporaryDatabase(url);
  const [holder, waiter, observer] = await Promise.all([open(), open(), open()]);
  return { holder, waiter, observer };
}

it('an event locks subscriptions in the order of their ids, so that two events never deadlock', async () => {
  const { holder, waiter, observer } = await openThree();
  await storeKey(holder);
  // Neither the order of the ids nor its reverse.
  for (const id of ['sub_c', 'sub_e', 'sub_a', 'sub_d', 'sub_b']) {
    await storeSubscription(holder, { id });
  }
  const subscriptions = observer.selectFrom('webhook_subscriptions').select('id').orderBy('id');
  const listUnlocked = async (): Promise<string[]> =>
    (await subscriptions.forUpdate().skipLocked().execute()).map(({ id }) => id);
  const announced = Promise.withResolvers<void>();

  await holder.transaction().execute(async (tx) => {
    const held = tx.selectFrom('webhook_subscriptions').select('id').where('id', '=', 'sub_c');
    await held.forUpdate().execute();
    waiter
      .transaction()
      .execute(async (own) =>
        announce(own, { type: 'rates.changed', snapshotDate: '2026-11-20', at: noon }),
      )
      .then(announced.resolve, announced.reject);

    // The event waits for sub_c; it has locked those before it and none after it.
    await expect.poll(listUnlocked).toEqual(['sub_d', 'sub_e']);
  });

  await announced.promise;
  expect(await observer.selectFrom('webhook_deliveries').select('id').execute()).toHaveLength(5);
});

it('a correction locks the revision before the corrections, as a publication does', async () => {
  const { holder, waiter, observer } = await openThree();
  const date = isoDate('2025-10-23');
  const nok = { version: date, field: 'NOK', stored: '11.8529', upstream: '11.5829' };
  await holder.transaction().execute(async (tx) => {
    await insertSnapshots(
      tx,
      [{ date, rates: new Map([['NOK' as CurrencyCode, '11.8529']]) }],
      noon,
    );
    await syncCorrections(tx, { kind: 'fx', versions: [date], at: noon }, [nok]);
  });
  const waiting = sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%"revisions"%'`;
  let corrected: Promise<readonly unknown[]> | undefined;

  await holder.transaction().execute(async (tx) => {
    await bumpRevision(tx, 'fx');
    corrected = correctPublication(waiter, date, { at: noon });
    await expect.poll(async () => (await waiting.execute(observer)).rows).toHaveLength(1);

    // The publication's next lock: the correction must not have it yet.
    const withdrawn = await syncCorrections(tx, { kind: 'fx', versions: [date], at: noon }, []);
    expect(withdrawn).toEqual([]);
  });

  expect(await corrected).toEqual([]);
});
