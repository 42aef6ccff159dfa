import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { Ledger } from '../../src/access/usage/ledger.ts';
import { readMonthUse, writeUse } from '../../src/access/usage/store.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { CallerCalls } from '../../src/vat-check/calls/caller-calls.ts';
import { SettableClock } from '../support/settable-clock.ts';
import { eventually } from '../support/eventually.ts';
import { noon, storeKey } from '../support/stored-webhooks.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { answered, StoredWorld } from '../vat-check/support/stored-world.ts';
import { losses, openLossy } from './support/lossy-database.ts';
import { createCaller, sendMany, settingsOf, startReplica } from './support/pg-replicas.ts';

const ofUse = /into "key_use"/;
const useDate = isoDate('2026-11-20');

describe.skipIf(!isPostgresql)('use of keys, if the acknowledgement of a COMMIT is lost', () => {
  it.each(losses)('is counted once ($what)', async ({ cut, thenRefuse }) => {
    const { db, proxy } = await openLossy();
    const ledger = new Ledger(async (keyId, date) => readMonthUse(db, keyId, date));
    const flush = async () => ledger.flush(async (uses) => writeUse(db, uses)).catch(() => {});
    proxy.cut(cut, ofUse, { thenRefuse });

    ledger.add({ keyId: 'key_a', useDate, requests: 300 });
    await flush();
    ledger.add({ keyId: 'key_a', useDate, requests: 5 });
    await flush();
    proxy.heal();

    expect(await ledger.readMonth('key_a', useDate)).toBe(305);
    await flush();
    expect(await readMonthUse(db, 'key_a', useDate)).toBe(305);
    expect(ledger.listUnwritten()).toEqual([]);
    expect(proxy.cutOff).toHaveLength(1);
  });

  it('is 300 for 300 requests to a server that loses five acknowledgements', async () => {
    const { direct, proxy } = await openLossy();
    const replica = await startReplica(await settingsOf(proxy.url));
    const send = await createCaller(replica);
    proxy.cut('after', ofUse, { times: 5 });

    await sendMany(async () => send('/rates'), { atATime: 2, count: 300 });
    await eventually(async () => {
      await send('/rates');
      return proxy.cutOff.length === 5;
    });
    await replica.server.stop();

    const { n } = await direct
      .selectFrom('key_use')
      .select((e) => e.fn.sum<string>('requests').as('n'))
      .executeTakeFirstOrThrow();
    const sent = replica.lines.filter((line) => line.includes('"route":"/rates"')).length;
    expect(Number(n)).toBe(sent);
  });
});

describe.skipIf(!isPostgresql)('calls to VIES, if the acknowledgement of a COMMIT is lost', () => {
  it.each(losses)('that callers wait for are counted once ($what)', async ({ cut, thenRefuse }) => {
    const { db, direct, proxy } = await openLossy();
    await storeKey(direct, { calls_per_day: '1000' });
    const log = createLog('fatal', { write: () => {} });
    const calls = new CallerCalls({ db, clock: new SettableClock(noon), log, perDay: 'none' });
    const make = async (): Promise<void> => {
      const call = await calls.begin('key_a');
      call?.count();
      call?.end();
      await calls.write();
    };

    // The first cut is in the transaction that counts calls before they are made, the second in the one that gives them back.
    for (const of of [
      /into "registry_key_calls"[^]*into "registry_key_calls"/,
      /into "registry_key_calls"/,
    ]) {
      proxy.cut(cut, of, { thenRefuse });
      await make();
      proxy.heal();
      await make();
    }
    await calls.write();

    expect(proxy.cutOff).toHaveLength(2);
    const { used } = await calls.describe('key_a');
    const stored = await direct.selectFrom('registry_key_calls').select('callers').execute();
    expect({ used, stored }).toEqual({ used: 4, stored: [{ callers: 4 }] });
  });

  const counted = { background: 1, callers: 0 };

  it.each(losses)('in the background are counted once ($what)', async ({ cut, thenRefuse }) => {
    const { db, direct, proxy } = await openLossy();
    const world = await StoredWorld.open(direct);
    await world.create({});
    const { worker } = world.createWorker(db);
    proxy.cut(cut, /registry_key_calls.background \+ 1/, { thenRefuse });

    await worker.pass().catch(() => proxy.heal());
    await worker.settle();
    await world.run([worker], 2_000, 1_000);

    expect(proxy.cutOff).toHaveLength(1);
    expect(world.queries).toHaveLength(1);
    expect(await readCounts(direct)).toEqual([counted]);
  });

  it.each(losses)('that were not made are given back once ($what)', async ({ cut, thenRefuse }) => {
    const { db, direct, proxy } = await openLossy();
    const world = await StoredWorld.open(direct);
    const { worker } = world.createWorker(db);
    await world.create({});
    await world.run([worker], 2_000, 1_000);
    // The second check ends with the answer of the first one.
    await world.create({ maxAgeSeconds: 60 });
    proxy.cut(cut, /"registry_calls" set "background" = "background" -/, { thenRefuse });

    await worker.pass();
    await worker.settle();
    proxy.heal();
    await world.run([worker], 2_000, 1_000);

    expect(proxy.cutOff).toHaveLength(1);
    expect(world.queries).toHaveLength(1);
    expect(await readCounts(direct)).toEqual([counted]);
  });

  it.each(losses)('that a stored answer spares are given back ($what)', async (loss) => {
    const { cut, thenRefuse } = loss;
    const { db, direct, proxy } = await openLossy();
    const world = await StoredWorld.open(direct);
    const { worker } = world.createWorker(db);
    await world.create({});
    await world.run([worker], 2_000, 1_000);
    await world.create({ maxAgeSeconds: 60 });
    // The transaction that ends the second check with the answer of the first.
    proxy.cut(cut, /update "vat_checks" set [^]*"request_date"/, { thenRefuse });

    await worker.pass();
    await worker.settle();
    proxy.heal();
    await expect
      .poll(async () => {
        await world.run([worker], 1_000, 500);
        return direct
          .selectFrom('vat_checks')
          .select('id')
          .where('status', '=', 'pending')
          .execute();
      })
      .toEqual([]);

    expect(proxy.cutOff).toHaveLength(1);
    expect(world.queries).toHaveLength(1);
    expect(await readCounts(direct)).toEqual([counted]);
  });

  it.each(losses.filter(({ thenRefuse }) => !thenRefuse))(
    'have one answer, which is not lost ($what)',
    async ({ cut }) => {
      const { db, direct, proxy } = await openLossy();
      const world = await StoredWorld.open(direct);
      world.answer = () => answered(true);
      await world.create({});
      const { worker } = world.createWorker(db);
      proxy.cut(cut, /update "vat_checks" set [^]*"request_date"/);

      await worker.pass();
      await worker.settle();

      const { rows } = await sql`select status, attempts from vat_checks`.execute(direct);
      expect(rows).toEqual([{ status: 'answered', attempts: 1 }]);
      expect([world.queries.length, proxy.cutOff.length]).toEqual([1, 1]);
    },
  );
});

async function readCounts(db: Db) {
  return db.selectFrom('registry_calls').select(['background', 'callers']).execute();
}
