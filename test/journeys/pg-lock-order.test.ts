import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { ecb } from '../../src/fx/ecb/ecb.ts';
import { correctPublication } from '../../src/fx/publishing/corrections.ts';
import { insertSnapshots } from '../../src/fx/store.ts';
import type { CurrencyCode } from '../../src/fx/snapshot.ts';
import { bumpRevision } from '../../src/platform/database/replicas/revisions.ts';
import { syncCorrections } from '../../src/platform/publication/correction-store.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { announceChecked } from '../../src/vat-check/stored/check-events.ts';
import { deleteCheck, forgetNumber } from '../../src/vat-check/stored/delete-checks.ts';
import { toStoredCheck } from '../../src/vat-check/stored/stored-check.ts';
import { announceObserved } from '../../src/vat-check/watches/watch-events.ts';
import { claimDue } from '../../src/webhooks/delivery/store.ts';
import { deleteEvents } from '../../src/webhooks/delete-events.ts';
import { announce, announceAll } from '../../src/events/outbox.ts';
import { storeChecks } from '../support/stored-checks.ts';
import {
  claimsOf,
  noon,
  pendingTo,
  storeDeliveries,
  storeKey,
  storeSubscription,
} from '../support/stored-webhooks.ts';
import { openTemporaryDatabase, temporaryDatabaseUrl } from '../support/temporary-database.ts';

/** Three connections to one database: one that holds a lock, one that waits for it, and one that looks on. */
async function openThree() {
  const url = temporaryDatabaseUrl();
  const open = async () => openTemporaryDatabase(url);
  const [holder, waiter, observer] = await Promise.all([open(), open(), open()]);
  return { url, holder, waiter, observer };
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
    const rates = new Map([['NOK' as CurrencyCode, '11.8529']]);
    await insertSnapshots(tx, ecb, { publications: [{ date, rates }], at: noon });
    await syncCorrections(tx, { kind: 'fx', versions: [date], at: noon }, [nok]);
  });
  const waiting = sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%"revisions"%'`;
  let corrected: Promise<readonly unknown[]> | undefined;

  await holder.transaction().execute(async (tx) => {
    await bumpRevision(tx, 'fx');
    corrected = correctPublication(waiter, ecb, { date, at: noon });
    await expect.poll(async () => (await waiting.execute(observer)).rows).toHaveLength(1);

    // The publication's next lock: the correction must not have it yet.
    const withdrawn = await syncCorrections(tx, { kind: 'fx', versions: [date], at: noon }, []);
    expect(withdrawn).toEqual([]);
  });

  expect(await corrected).toEqual([]);
});

it('the end of a check locks the check, then its watch, then subscriptions', async () => {
  const { holder, waiter, observer } = await openThree();
  await storeKey(holder);
  for (const id of ['sub_b', 'sub_a']) {
    await storeSubscription(holder, { id, events: '["vat.checked","vat.changed"]' });
  }
  await storeWatched(holder);
  const lockedTables = async (): Promise<boolean[]> =>
    Promise.all([
      isLocked(observer, 'vat_checks', 'vc_2'),
      isLocked(observer, 'vat_watches', 'vw_1'),
      isLocked(observer, 'webhook_subscriptions', 'sub_b'),
    ]);
  let ended: Promise<unknown> = Promise.resolve();

  await holder.transaction().execute(async (tx) => {
    const held = tx.selectFrom('webhook_subscriptions').select('id').where('id', '=', 'sub_a');
    await held.forUpdate().execute();
    ended = waiter.transaction().execute(async (own) => {
      const check = await own
        .updateTable('vat_checks')
        .set({ attempts: 1 })
        .where('id', '=', 'vc_2')
        .returningAll()
        .executeTakeFirstOrThrow();
      await announceObserved(announceAll)(own, toStoredCheck(check));
    });

    // It waits for the first subscription, and has locked the check and the watch.
    await expect.poll(lockedTables).toEqual([true, true, false]);
  });

  await ended;
  expect(await observer.selectFrom('webhook_deliveries').select('id').execute()).toHaveLength(2);
});

it('a check that an event is about to repeat is deleted after the event, with its copy', async () => {
  const { holder, waiter, observer } = await openThree();
  await storeKey(holder);
  await storeSubscription(holder, { id: 'sub_a', events: '["vat.changed"]' });
  await storeWatched(holder);
  let ended: Promise<unknown> = Promise.resolve();
  let deleted: Promise<unknown> = Promise.resolve();

  await holder.transaction().execute(async (tx) => {
    const held = tx.selectFrom('webhook_subscriptions').select('id').where('id', '=', 'sub_a');
    await held.forUpdate().execute();
    ended = waiter.transaction().execute(async (own) => {
      const row = own.selectFrom('vat_checks').selectAll().where('id', '=', 'vc_2').forUpdate();
      await announceObserved(announceAll)(own, toStoredCheck(await row.executeTakeFirstOrThrow()));
    });
    await expect.poll(async () => isLocked(observer, 'vat_checks', 'vc_1')).toBe(true);
    deleted = deleteCheck(observer, { keyId: 'key_a', id: 'vc_1' }, deleteEvents);
  });

  await Promise.all([ended, deleted]);
  expect(await observer.selectFrom('events').select('id').execute()).toEqual([]);
});

it('checks of a number end and are forgotten at the same time without a deadlock', async () => {
  const { url, holder, waiter, observer } = await openThree();
  await storeKey(holder);
  for (const id of ['sub_b', 'sub_a']) {
    await storeSubscription(holder, { id, events: '["vat.checked"]' });
  }
  const ids = Array.from({ length: 40 }, (_, n) => `vc_${n + 10}`);
  await storeChecks(holder, ...ids.map((id) => ({ id })));
  const end = async (db: typeof holder, id: string): Promise<unknown> =>
    db.transaction().execute(async (tx) => {
      const row = await tx
        .updateTable('vat_checks')
        .set({ status: 'expired', ended_at: noon, due_at: null })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (row !== undefined) await announceChecked(announceAll)(tx, [toStoredCheck(row)]);
    });
  const endAll = async (db: typeof holder, all: readonly string[]): Promise<void> => {
    for (const id of all) await end(db, id);
  };
  const forgetAll = async (): Promise<void> => {
    const number = { registryCode: 'DE', number: '811115368' } as const;
    await forgetNumber(observer, number, {
      checksDeleted: deleteEvents,
      watchesDeleted: async () => {},
    });
  };

  await Promise.all([
    endAll(holder, ids.slice(0, 20)),
    endAll(waiter, ids.slice(20).toReversed()),
    forgetAll(),
  ]);
  await forgetAll();

  const events = await observer.selectFrom('events').select('id').execute();
  const deliveries = await observer.selectFrom('webhook_deliveries').select('id').execute();
  expect([events, deliveries]).toEqual([[], []]);
  // A transaction that ends in a deadlock is repeated. A session reports its deadlocks when it ends, at the latest.
  const sessions = [holder, waiter, observer];
  await Promise.all(sessions.map(async (db) => db.destroy()));
  const statistics = await openTemporaryDatabase(url);
  await expect
    .poll(async () => (await countSessions.execute(statistics)).rows)
    .toEqual([{ sessions: 1, deadlocks: 0 }]);
});

const countSessions = sql`select numbackends as sessions, deadlocks from pg_stat_database
  where datname = current_database()`;

it('a process that claims deliveries does not wait for rows that another one is claiming', async () => {
  const { holder, waiter } = await openThree();
  await storeKey(holder);
  for (const id of ['sub_a', 'sub_b']) await storeSubscription(holder, { id });
  const [first = '', second = ''] = await storeDeliveries(
    holder,
    ...pendingTo('sub_a', 1),
    ...pendingTo('sub_b', 1),
  );

  const claimed = await holder.transaction().execute(async (tx) => {
    const held = tx.selectFrom('webhook_deliveries').select('id').where('id', '=', first);
    await held.forUpdate().execute();
    return claimDue(waiter, claimsOf({ roomOf: () => 100 }));
  });

  expect(claimed.map(({ id }) => id)).toEqual([second]);
});

/** Whether another transaction has locked a row. */
async function isLocked(
  db: Db,
  table: 'vat_checks' | 'vat_watches' | 'webhook_subscriptions',
  id: string,
): Promise<boolean> {
  const row = db.selectFrom(table).select('id').where('id', '=', id).forUpdate().skipLocked();
  return (await row.executeTakeFirst()) === undefined;
}

/** A watch whose last answer was false, and a check with a true answer that has just ended. */
async function storeWatched(db: Db): Promise<void> {
  const ended = { status: 'answered', ended_at: noon, due_at: null, request_date: noon } as const;
  const of = { ...ended, watch_id: 'vw_1', trader_match: '{}' };
  await storeChecks(db, { id: 'vc_1', ...of, valid: 0 }, { id: 'vc_2', ...of, valid: 1 });
  await db
    .insertInto('vat_watches')
    .values({
      id: 'vw_1',
      key_id: 'key_a',
      country_code: 'DE',
      vat_number: '811115368',
      registry_code: 'DE',
      number: '811115368',
      every_days: 90,
      trader: '{}',
      due_at: noon,
      slot_at: noon,
      baseline_check_id: 'vc_1',
      created_at: noon,
    })
    .execute();
}
