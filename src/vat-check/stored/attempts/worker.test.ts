import { describe, expect, it } from 'vitest';
import { down } from '../../../../test/vat-check/support/attempts.ts';
import { germanChecks, StoredWorld } from '../../../../test/vat-check/support/stored-world.ts';
import { noon, storeKey } from '../../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import type { Db } from '../../../platform/database/database.ts';
import { findCheck } from '../check-store.ts';

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];
const numbersOf = (count: number, prefix = 'n'): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`);

async function statuses(db: Db): Promise<Record<string, number>> {
  const rows = await db.selectFrom('vat_checks').select('status').execute();
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ status }) => status)].map(([status, of]) => [status, of.length]),
  );
}

describe('the worker of stored checks (rule K8)', () => {
  it('queries nothing but one trial in 30 s while the breaker is open', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    const { worker, protection } = world.createWorker();
    await world.create(...germanChecks(numbersOf(20)));
    world.answer = () => down;
    await world.run([worker], 5 * secondMs, 100);
    expect(protection.breakerOf('DE')).toBe('open');
    expect(world.queries).toHaveLength(10);
    const before = await db.selectFrom('vat_registries').selectAll().execute();

    await world.run([worker], 25 * secondMs, secondMs);

    expect(world.queries).toHaveLength(10);
    // Not even claims are written.
    expect(await db.selectFrom('vat_registries').selectAll().execute()).toEqual(before);
    await world.run([worker], 10 * secondMs, secondMs);
    expect(world.queries).toHaveLength(11);
  });

  it('serves Member States and keys in turn, so that a backlog delays no other', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    await storeKey(db, { id: 'key_b' });
    const { worker } = world.createWorker();
    await world.create(...germanChecks(numbersOf(300)));
    world.advance(minuteMs);
    await world.create(...germanChecks(['late'], { keyId: 'key_b' }), {
      queried: { registryCode: 'FR', number: 'french' },
    });

    await world.run([worker], 800, 200);

    expect(world.queries.map(({ number }) => number).toSorted()).toEqual(['french', 'late', 'n0']);
  });

  it('repeats an attempt whose process was killed before the result was written', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    const killed = world.createWorker(db, () => true).worker;
    const [check] = await world.create({});

    await world.run([killed], secondMs, secondMs);
    const { worker } = world.createWorker();
    await world.run([worker], 28 * secondMs, secondMs);
    expect(world.queries).toHaveLength(1);
    await world.run([worker], 3 * secondMs, secondMs);

    expect(world.queries).toHaveLength(2);
    expect(await findCheck(db, 'key_a', check!.id)).toMatchObject({
      status: 'answered',
      attempts: 1,
      nextAttemptAt: null,
    });
    expect(world.ended).toEqual([check!.id]);
  });

  it('ends and queries the other checks if the end of one cannot be written', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    const { worker } = world.createWorker();
    const [unwritable] = await world.create(
      ...germanChecks(['unwritable'], { expiresInHours: 1 }),
      ...germanChecks(numbersOf(3), { expiresInHours: 2 }),
      ...germanChecks(['last'], { expiresInHours: 3 }),
    );
    world.consequence = async (_, { id }) => {
      if (id === unwritable!.id) throw new Error('not writable');
    };
    world.advance(2 * hourMs);

    await world.run([worker], 10 * secondMs, secondMs);

    expect(await statuses(db)).toEqual({ pending: 1, expired: 3, answered: 1 });
    expect(await findCheck(db, 'key_a', unwritable!.id)).toMatchObject({ status: 'pending' });
  });

  it.each([
    ['was revoked', { revoked_at: noon }],
    ['has expired', { expires_at: noon }],
  ])('ends the checks of a key that %s, and does not query them', async (_, own) => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    await world.create({});
    await storeKey(db, own);
    const { worker } = world.createWorker();

    await world.run([worker], secondMs, secondMs);

    expect(await statuses(db)).toEqual({ expired: 1 });
    expect(world.queries).toEqual([]);
    expect(world.ended).toHaveLength(1);
  });
});
