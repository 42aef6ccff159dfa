import { describe, expect, it } from 'vitest';
import type { Db } from '../../src/platform/database/database.ts';
import { claimDue } from '../../src/webhooks/delivery/store.ts';
import { claimsOf } from '../support/stored-webhooks.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../support/temporary-database.ts';
import { eventually } from '../support/eventually.ts';
import {
  AttemptCounter,
  countPending,
  DispatcherProcess,
  endClaims,
  listClaimed,
  storeDue,
} from './support/pg-dispatchers.ts';

const dueCount = 2_000;
const processesCount = 4;

async function openWorld(count: number): Promise<{
  readonly url: string;
  readonly db: Db;
  readonly counter: AttemptCounter;
  readonly processes: readonly DispatcherProcess[];
}> {
  const url = temporaryDatabaseUrl();
  const db = await openTemporaryDatabase(url);
  await storeDue(db, count);
  const counter = await AttemptCounter.start();
  const processes = await Promise.all(
    Array.from({ length: processesCount }, async () => DispatcherProcess.load(url, counter)),
  );
  return { url, db, counter, processes };
}

describe.skipIf(!isPostgresql)('four processes that deliver (contract C29)', () => {
  it('attempt each of 2,000 deliveries once, and leave none', async () => {
    const { db, counter, processes } = await openWorld(dueCount);

    for (const process of processes) process.start();
    await eventually(async () => (await countPending(db)) === 0, 60_000);

    expect(counter.attempts.size).toBe(dueCount);
    expect(counter.repeated).toEqual([]);
    const attempts = await db.selectFrom('webhook_attempts').select('delivery_id').execute();
    expect(attempts).toHaveLength(dueCount);
    expect(await listClaimed(db)).toEqual([]);
  }, 90_000);

  it.each(['SIGSTOP', 'SIGKILL'] as const)(
    'go on immediately after %s of another between its claim and its attempts, and take its claims when they expire',
    async (signal) => {
      const { url, db, counter, processes } = await openWorld(400);
      const unlucky = await DispatcherProcess.load(url, counter, { isHeld: true });

      unlucky.start();
      await unlucky.claimed();
      unlucky.signal(signal);
      const claimed = await listClaimed(db);
      for (const process of processes) process.start();
      await eventually(async () => (await countPending(db)) === claimed.length, 30_000);
      const early = claimed.filter((id) => counter.attempts.has(id));
      await endClaims(db);
      await eventually(async () => (await countPending(db)) === 0, 30_000);

      expect(claimed.length).toBeGreaterThan(0);
      expect(early).toEqual([]);
      expect(counter.repeated).toEqual([]);
      expect(counter.attempts.size).toBe(400);
    },
    90_000,
  );

  it('do not wait for rows that another one is claiming', async () => {
    const url = temporaryDatabaseUrl();
    const [db, other] = [await openTemporaryDatabase(url), await openTemporaryDatabase(url)];
    await storeDue(db, 100);
    const at = '2026-11-20T12:00:00.000Z';
    const all = { roomOf: () => 100, at };

    const [first, second] = await db.transaction().execute(async (tx) => {
      const rows = await tx
        .selectFrom('webhook_deliveries')
        .select('id')
        .orderBy('due_at')
        .orderBy('id')
        .limit(60)
        .forUpdate()
        .execute();
      return [rows.map(({ id }) => id), await claimDue(other, claimsOf(all))];
    });

    expect(second).toHaveLength(40);
    expect(second.filter(({ id }) => first.includes(id))).toEqual([]);
  });
});
