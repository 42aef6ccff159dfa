import { describe, expect, it } from 'vitest';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { openTwice } from '../../../test/support/stored-keys.ts';
import { noon, storeKey } from '../../../test/support/stored-webhooks.ts';
import type { Db } from '../../platform/database/database.ts';
import { createLog } from '../../platform/log/log.ts';
import type { RequestLimit } from '../../platform/http/request-cost.ts';
import { CallerCalls } from './caller-calls.ts';

/** Counters of processes that have a key with this number. */
async function open(callsPerDay: string | null, perDay: RequestLimit = 20_000) {
  const databases = await openTwice();
  await storeKey(databases[0], { calls_per_day: callsPerDay });
  const clock = new SettableClock(noon);
  const log = createLog('fatal', { write: () => {} });
  const start = (db: Db): CallerCalls => {
    const calls = new CallerCalls({ db, clock, log, perDay });
    calls.countReplicas = () => 2;
    return calls;
  };
  return { clock, processes: databases.map(start), db: databases[0] };
}

/** Makes calls at the same time, and returns how many were let through. */
async function make(calls: CallerCalls, count: number): Promise<number> {
  const begun = await Promise.all(Array.from({ length: count }, async () => calls.begin('key_a')));
  for (const call of begun) call?.count();
  for (const call of begun) call?.end();
  return begun.filter((call) => call !== undefined).length;
}

describe('calls that callers of a key wait for (rule K21b)', () => {
  it('are at most the number of the key, of two processes together', async () => {
    const { processes } = await open('10');
    const [one, other] = processes;

    let made = 0;
    for (let turn = 0; turn < 5; turn += 1) {
      made += (await make(one!, 3)) + (await make(other!, 3));
    }

    expect(made).toBe(10);
    expect(await other!.describe('key_a')).toEqual({
      limit: 10,
      used: 10,
      endsMs: Date.parse('2026-11-21T00:00:00Z'),
    });
  });

  it('begin again with the next UTC day', async () => {
    const { clock, processes } = await open('1');
    const [one] = processes;
    expect([await make(one!, 1), await make(one!, 1)]).toEqual([1, 0]);

    clock.advance(12 * 3_600_000);

    expect(await make(one!, 1)).toBe(1);
  });

  it.each<[string | null, RequestLimit, RequestLimit]>([
    [null, 20_000, 5_000],
    ['default', 3, 1],
    [null, 'none', 'none'],
    ['none', 20_000, 'none'],
    ['7', 20_000, 7],
  ])('of a key with %s and a budget of %s have the number %s', async (own, perDay, limit) => {
    const { processes } = await open(own, perDay);

    expect(await processes[0]!.describe('key_a')).toMatchObject({ limit, used: 0 });
  });

  it('are not bounded without a number, also after they are written', async () => {
    const { processes } = await open('none');
    const [one] = processes;

    const made = await make(one!, 30);
    await one!.write();

    expect([made, await make(one!, 30)]).toEqual([30, 30]);
    expect(await one!.describe('key_a')).toMatchObject({ limit: 'none', used: 60 });
  });

  it('do not include a call that was begun and not made', async () => {
    const { processes } = await open('1');
    const [one] = processes;

    (await one!.begin('key_a'))?.end();

    expect(await one!.describe('key_a')).toMatchObject({ used: 0 });
    expect(await make(one!, 1)).toBe(1);
  });

  it('are counted for the key and for the day, and the questions of the service for the operator', async () => {
    const { db, processes } = await open('none');
    await make(processes[0]!, 2);
    processes[0]!.countOwn();

    await processes[0]!.write();

    const rows = await db.selectFrom('registry_key_calls').select(['key_id', 'callers']).execute();
    expect(rows).toEqual(
      expect.arrayContaining([
        { key_id: 'key_a', callers: 2 },
        { key_id: 'operator', callers: 1 },
      ]),
    );
    expect(await db.selectFrom('registry_calls').select('callers').execute()).toEqual([
      { callers: 3 },
    ]);
  });
});
