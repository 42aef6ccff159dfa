import { EnabledRegistries } from '../../registries/enabled.ts';
import { describe, expect, it } from 'vitest';
import { countOf, reportFigure } from '../../../../test/support/proof.ts';
import { checkRow } from '../../../../test/support/stored-checks.ts';
import { openTwice } from '../../../../test/support/stored-keys.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import { down } from '../../../../test/vat-check/support/attempts.ts';
import {
  answered,
  germanChecks,
  StoredWorld,
} from '../../../../test/vat-check/support/stored-world.ts';
import { dateIn } from '../../../platform/time/time.ts';
import { viesCodes } from '../../numbers/vat-number-formats.ts';
import { estimateDoneAt, readRegistryWork } from '../backlog.ts';
import { findCheck } from '../check-store.ts';
import { claimNext } from './claim-next.ts';
import { findPause } from './shares.ts';
import { toStoredCheck } from '../stored-check.ts';

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];
const states = viesCodes;
const numbersOf = (count: number): string[] => Array.from({ length: count }, (_, n) => `n${n}`);
const blockedUntilMs = undefined;

describe('the budget of background calls in a day (rule K21)', () => {
  // 36,000 numbers with the default budget, or a 400th of both.
  const count = countOf({ full: 36_000, perCommit: 90 });
  const perDay = (count * 5) / 9;

  it('spreads what is more over the next days: all are answered, and callers are not hindered', async () => {
    const [one, other] = await openTwice();
    const world = await StoredWorld.open(one);
    world.perDay = perDay;
    const processes = [world.createWorker(one), world.createWorker(other)];
    const workers = processes.map(({ worker }) => worker);
    const pacedHours = Math.ceil(count / 5 / 3_600) + 1;
    await world.create(
      ...numbersOf(count).map((number, n) => {
        const queried = { registryCode: states[n % states.length]!, number };
        return { queried, expiresInHours: pacedHours };
      }),
    );
    const pace = { perSecond: 5, perDay, blockedUntilMs, enabled: new EnabledRegistries() };
    const estimated = await estimateDoneAt(one, 'key_a', world.nowMs, pace);
    let ofCallers = 0;
    const isDone = (): boolean => world.ended.length === count;

    while (!isDone()) {
      const row = checkRow({ id: 'vc_1', registry_code: 'DE', number: `caller ${ofCallers}` });
      const { attempts } = processes[ofCallers % 2]!;
      expect((await attempts.makeForCaller(toStoredCheck(row))).kind).toBe('made');
      ofCallers += 1;
      const isWaiting = (await findPause(one, 'key_a', world.nowMs, perDay)) !== null;
      await (isWaiting ? world.run(workers, hourMs, hourMs / 2) : world.run(workers, 20_000, 200));
    }

    const rows = await one.selectFrom('vat_checks').select(['status', 'ended_at']).execute();
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['answered']));
    const background = world.queries.filter(({ number }) => number.startsWith('n'));
    const perDate = Map.groupBy(background, ({ atMs }) => dateIn('UTC', atMs));
    const calls = [...perDate].map(([date, of]) => [date, of.length]);
    const last = rows.map(({ ended_at }) => ended_at ?? '').reduce((a, b) => (a > b ? a : b));
    reportFigure(
      'R36',
      `${count} numbers with a budget of ${perDay} a day, 2 replicas: ${JSON.stringify(calls)} background calls, ` +
        `${ofCallers} calls of callers beside them; estimated end ${estimated}, last answer ${last}`,
    );
    expect(calls).toEqual([
      ['2026-11-20', perDay],
      ['2026-11-21', count - perDay],
    ]);
    expect(Math.abs(Date.parse(last) - Date.parse(estimated ?? ''))).toBeLessThan(
      (count / 5) * 0.05 * secondMs + 5 * minuteMs,
    );
    await world.writeCallerCalls();
    const { callsToday } = await readRegistryWork(one, world.nowMs, pace);
    expect(callsToday.callers).toBeGreaterThan(0);
  }, 3_600_000);

  it('is not exceeded by a replica that has seen a call left', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    await world.create(...germanChecks(['a', 'b']));
    const claim = async (nowMs: number) =>
      claimNext(db, {
        registryCodes: ['DE'],
        nowMs,
        untilMs: nowMs + minuteMs,
        perSecond: 5,
        perDay: 1,
        afterKey: '',
      });

    expect((await claim(world.nowMs))?.queried?.number).toBe('a');
    expect(await claim(world.nowMs + secondMs)).toBeUndefined();
    expect((await claim(world.nowMs + 13 * hourMs))?.countedOn).toBe('2026-11-21');
  });

  it('does not count its wait towards the expiry of a check, also of one that is created later', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    world.perDay = 1;
    const { worker } = world.createWorker();
    const [first, second] = await world.create(...germanChecks(['a', 'b'], { expiresInHours: 2 }));
    await world.run([worker], 2 * minuteMs, 5 * secondMs);
    expect(await findCheck(db, 'key_a', first!.id)).toMatchObject({ status: 'answered' });
    world.advance(3 * hourMs);
    const [third] = await world.create({ expiresInHours: 1 });
    world.answer = () => down;

    await world.run([worker], 8 * hourMs + 56 * minuteMs, 5 * minuteMs);
    expect(await findCheck(db, 'key_a', second!.id)).toMatchObject({ status: 'pending' });
    expect(await findCheck(db, 'key_a', third!.id)).toMatchObject({ status: 'pending' });
    const { expiresAt = '' } = (await findCheck(db, 'key_a', second!.id)) ?? {};
    // Its two hours begin at midnight, save for the seconds before the budget was used up.
    expect(expiresAt).toMatch(/^2026-11-21T0(1:59|2:0[01])/);
  });
});

describe('equal rows of a batch (rule K8)', () => {
  it('are asked once, share the answer and its exchange, and have one attempt each', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    const { worker } = world.createWorker();
    const row = germanChecks(['same'])[0]!;
    const others = [
      { ...row, requester: { registryCode: 'NL', number: '1' } as const },
      { ...row, trader: { name: 'Muster' } },
    ];
    world.answer = () => down;
    await world.createInBatch('vb_1', ...Array.from({ length: 20 }, () => row), ...others);
    await world.create(row);

    await world.run([worker], 5 * secondMs, secondMs);
    expect(world.queries).toHaveLength(4);
    world.answer = () => answered(true);
    await world.run([worker], 3 * minuteMs, secondMs);

    expect(world.queries).toHaveLength(8);
    const rows = await db
      .selectFrom('vat_checks')
      .innerJoin('vat_check_exchanges', 'check_id', 'id')
      .select(['status', 'attempts', 'response', 'batch_id'])
      .execute();
    expect(rows).toHaveLength(23);
    expect(rows.every(({ status, attempts }) => status === 'answered' && attempts === 2)).toBe(
      true,
    );
    expect(world.ended).toHaveLength(23);
    expect(new Set(world.ended).size).toBe(23);
  });
});
