import { describe, expect, it } from 'vitest';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { storeChecks } from '../../../test/support/stored-checks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { loadConfig } from '../../platform/config/config.ts';
import { dayMs } from '../../platform/time/time.ts';
import { countBatch } from './requests/check-list.ts';
import { createId } from './ids.ts';
import { pruneChecks } from './delete-checks.ts';
import { createRetention } from './retention.ts';
import { trusted } from '../../../test/support/clock-guard.ts';

const now = '2026-11-20T12:00:00.000Z';
const nowMs = Date.parse(now);
const ended = { status: 'answered', due_at: null, next_attempt_at: null } as const;

async function open(retentionDays: number) {
  const db = await openTemporaryDatabase();
  const clock = new SettableClock(now);
  const deleted: string[] = [];
  const onDeleted = async (_: unknown, ids: readonly string[]) => void deleted.push(...ids);
  const tick = createRetention({ db, clock, clockGuard: trusted, retentionDays, onDeleted });
  const add = async (ageDays: number, own: object = ended): Promise<string> => {
    const id = createId('vc', nowMs - ageDays * dayMs);
    await storeChecks(db, { id, ...own });
    return id;
  };
  const ids = async (): Promise<string[]> => {
    const rows = await db.selectFrom('vat_checks').select('id').orderBy('id', 'desc').execute();
    return rows.map(({ id }) => id);
  };
  return { db, clock, deleted, tick, add, ids };
}

describe('the retention of checks (rule K18)', () => {
  it('keeps a check by default until ten years after the end of its year, whatever day it was made', async () => {
    const { checksRetentionDays } = loadConfig({}).config;
    for (let year = 2026; year <= 2033; year += 1) {
      const clock = new SettableClock(`${year + 10}-12-31T23:59:59.000Z`);
      const db = await openTemporaryDatabase();
      const madeMs = Date.parse(`${year}-01-01T00:00:00.000Z`);
      await storeChecks(db, { id: createId('vc', madeMs), ...ended });
      await storeChecks(db, { id: createId('vc', madeMs - 100 * dayMs), ...ended });
      const parts = { db, clock, clockGuard: trusted, retentionDays: checksRetentionDays };

      await createRetention({ ...parts, onDeleted: async () => {} })();

      expect(await db.selectFrom('vat_checks').select('id').execute()).toHaveLength(1);
    }
  });

  it('deletes checks that are older, in portions, and keeps pending ones', async () => {
    const { db, deleted, tick, add, ids } = await open(10);
    const young = await add(9.9);
    const old = Array.from({ length: 1_001 }, () => createId('vc', nowMs - 10.1 * dayMs));
    await storeChecks(db, ...old.map((id) => ({ id, ...ended })));
    const pending = await add(11, {});

    await tick();

    expect(await ids()).toEqual([young, pending]);
    expect(deleted.toSorted()).toEqual(old.toSorted());
  });

  it('keeps a batch until none of its checks is left', async () => {
    const { db, tick, add } = await open(1);
    const [old, empty] = [createId('vb', nowMs - 3 * dayMs), createId('vb', nowMs - 4 * dayMs)];
    const batch = { key_id: 'key_a', checks: 1, created_at: now };
    const batches = [old, empty].map((id) => ({ ...batch, id }));
    await db.insertInto('vat_check_batches').values(batches).execute();
    const id = await add(3, { batch_id: old });

    await tick();

    expect(await countBatch(db, 'key_a', old)).toMatchObject({ pending: 1 });
    expect(await countBatch(db, 'key_a', empty)).toBeUndefined();
    await db.updateTable('vat_checks').set(ended).where('id', '=', id).execute();
    await pruneChecks(db, nowMs - dayMs, async () => {});
    expect(await countBatch(db, 'key_a', old)).toBeUndefined();
  });

  it('keeps all of them with 0 days', async () => {
    const { tick, add, ids } = await open(0);
    const id = await add(20_000);

    await tick();

    expect(await ids()).toEqual([id]);
  });
});
