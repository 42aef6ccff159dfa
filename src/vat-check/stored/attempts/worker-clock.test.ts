import { describe, expect, it } from 'vitest';
import { down } from '../../../../test/vat-check/support/attempts.ts';
import {
  answered,
  germanChecks,
  StoredWorld,
} from '../../../../test/vat-check/support/stored-world.ts';
import { noon, storeKey } from '../../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import type { Db } from '../../../platform/database/database.ts';

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];
const yearMs = 365 * 24 * hourMs;
const numbersOf = (count: number): string[] => Array.from({ length: count }, (_, n) => `n${n}`);

async function statuses(db: Db): Promise<Record<string, number>> {
  const rows = await db.selectFrom('vat_checks').select('status').execute();
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ status }) => status)].map(([status, of]) => [status, of.length]),
  );
}

describe('the worker of stored checks with a wrong clock (rule K8)', () => {
  it('is not stopped by a pace that a clock which was ahead has written', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    const { worker } = world.createWorker();
    await world.create(...germanChecks(['first', 'second'], { expiresInHours: 720 }));
    world.clock.advance(10 * 24 * hourMs);
    await world.run([worker], 1, 1);
    world.clock.advance(-10 * 24 * hourMs);

    await world.run([worker], secondMs, secondMs);

    expect(world.queries.map(({ number }) => number)).toEqual(['first', 'second']);
  });

  it('ends no check and queries nothing while the clock is doubted, and goes on as if nothing had been', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    const { worker } = world.createWorker();
    await world.create(...germanChecks(numbersOf(201), { expiresInHours: 72 }));
    const before = await db.selectFrom('vat_checks').selectAll().execute();

    Object.assign(world.clockGuard, { isTrusted: false, isDoubted: true });
    world.clock.advance(yearMs);
    await world.run([worker], 12 * secondMs, secondMs);
    world.clock.advance(-yearMs);

    expect(await db.selectFrom('vat_checks').selectAll().execute()).toEqual(before);
    expect(world.queries).toEqual([]);
    Object.assign(world.clockGuard, { isTrusted: true, isDoubted: false });
    await world.run([worker], 2 * minuteMs, secondMs / 2);
    expect(await statuses(db)).toEqual({ answered: 201 });
  });

  it('ends no check after a start with an unconfirmed clock, and repairs its times when the clock is right', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    const { worker } = world.createWorker();
    await world.create(...germanChecks(['early'], { expiresInHours: 72 }));
    world.answer = () => down;

    world.clockGuard.isTrusted = false;
    world.clock.advance(yearMs);
    await world.create(...germanChecks(['late'], { expiresInHours: 72 }));
    await world.run([worker], 12 * secondMs, secondMs);
    expect(await statuses(db)).toEqual({ pending: 2 });
    expect(world.queries).toHaveLength(2);
    world.clock.advance(-yearMs);
    world.clockGuard.isTrusted = true;
    world.answer = () => answered(false);
    await world.run([worker], 12 * secondMs, secondMs);

    expect(await statuses(db)).toEqual({ pending: 2 });
    await world.run([worker], 2 * minuteMs, secondMs);
    expect(await statuses(db)).toEqual({ answered: 2 });
    const faults = db.selectFrom('vat_registries').select('faulted_at');
    const { faulted_at } = await faults.where('registry_code', '=', 'DE').executeTakeFirstOrThrow();
    expect(Date.parse(faulted_at ?? '')).toBeLessThan(world.nowMs);
  });

  it('ends the checks of a revoked key also while the clock is not confirmed', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    const { worker } = world.createWorker();
    await storeKey(db, { id: 'key_b', expires_at: noon });
    await world.create({ keyId: 'key_b' });
    await world.create({});
    await storeKey(db, { revoked_at: noon });
    world.clockGuard.isTrusted = false;

    await world.run([worker], secondMs, secondMs);

    expect(await statuses(db)).toEqual({ expired: 1, pending: 1 });
  });
});
