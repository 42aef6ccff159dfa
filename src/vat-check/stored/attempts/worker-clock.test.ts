import { describe, expect, it } from 'vitest';
import { down } from '../../../../test/vat-check/support/attempts.ts';
import {
  answered,
  germanChecks,
  StoredWorld,
} from '../../../../test/vat-check/support/stored-world.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import type { Db } from '../../../platform/database/database.ts';

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];
const yearMs = 365 * 24 * hourMs;

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
});
