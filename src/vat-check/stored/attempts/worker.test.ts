import { describe, expect, it } from 'vitest';
import { down } from '../../../../test/vat-check/support/attempts.ts';
import {
  answered,
  germanChecks,
  StoredWorld,
} from '../../../../test/vat-check/support/stored-world.ts';
import { openTwice } from '../../../../test/support/stored-keys.ts';
import { noon, storeKey } from '../../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import type { Db } from '../../../platform/database/database.ts';
import { findCheck } from '../check-store.ts';
import { operatorId } from '../owner.ts';

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
  it('answers all checks after an outage of 3 days, at most 2 a second, and confirms false answers', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    const { worker } = world.createWorker();
    await world.create(...germanChecks(numbersOf(60), { expiresInHours: 100 }));
    world.answer = () => down;

    await world.run([worker], 71 * hourMs, 15 * minuteMs);
    await world.run([worker], hourMs, minuteMs);

    expect(await statuses(db)).toEqual({ pending: 60 });
    const upAtMs = world.nowMs;
    world.answer = () => answered(false);
    await world.run([worker], 10 * secondMs, 100);
    await world.run([worker], 2 * hourMs, 30 * secondMs);
    expect(await statuses(db)).toEqual({ answered: 60 });
    expect(new Set(world.ended).size).toBe(world.ended.length);
    const after = world.queries.filter(({ atMs }) => atMs >= upAtMs).map(({ atMs }) => atMs);
    for (const from of after) {
      const within = after.filter((atMs) => atMs >= from && atMs < from + secondMs);
      expect(within.length).toBeLessThanOrEqual(2);
    }
    const ofFalse = numbersOf(60).map((number) =>
      world.queriesOf(number).filter(({ atMs }) => atMs >= upAtMs),
    );
    const faultedAtMs = Math.max(
      ...world.queries.filter(({ outcome }) => outcome === down).map(({ atMs }) => atMs),
    );
    const near = ofFalse.filter(([first]) => first!.atMs - faultedAtMs <= 10 * minuteMs);
    expect(near.length).toBeGreaterThan(2);
    for (const [first, second, ...more] of near) {
      expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(minuteMs);
      expect(more).toEqual([]);
    }
  });

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

  it('makes one attempt of each check with two workers at the same time', async () => {
    const [one, other] = await openTwice();
    const world = await StoredWorld.open(one);
    const workers = [world.createWorker(one).worker, world.createWorker(other).worker];
    await world.create(...germanChecks(numbersOf(30)));

    await world.run(workers, 16 * secondMs, 250);

    expect(await statuses(one)).toEqual({ answered: 30 });
    expect(world.queries).toHaveLength(30);
    expect(new Set(world.ended).size).toBe(30);
    expect(world.ended).toHaveLength(30);
  });

  it('gives a check back as it was if its call is refused', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    const { worker } = world.createWorker();
    const [check] = await world.create({});
    world.refuses = true;
    await world.run([worker], secondMs, secondMs);

    expect(await findCheck(db, 'key_a', check!.id)).toEqual(check);
    world.refuses = false;
    await world.run([worker], secondMs, secondMs);

    expect(await statuses(db)).toEqual({ answered: 1 });
  });

  it('does not query a check whose key was revoked a moment ago', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    const { worker } = world.createWorker();
    await world.run([worker], secondMs, secondMs);
    await world.create({});
    await storeKey(db, { revoked_at: noon });

    await world.run([worker], secondMs, secondMs);

    expect(world.queries).toEqual([]);
    await world.run([worker], 5 * secondMs, secondMs);
    expect(await statuses(db)).toEqual({ expired: 1 });
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

  it('ends checks that expire, and is silent about their answer', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    const { worker } = world.createWorker();
    const [check] = await world.create({ expiresInHours: 1 });
    world.answer = () => down;

    await world.run([worker], hourMs, minuteMs);
    expect(await statuses(db)).toEqual({ pending: 1 });
    await world.run([worker], minuteMs, minuteMs);

    expect(await findCheck(db, 'key_a', check!.id)).toMatchObject({
      status: 'expired',
      failure: down,
      answer: undefined,
      nextAttemptAt: null,
    });
    expect(world.ended).toEqual([check!.id]);
  });

  it('ends many checks that expire together in consecutive passes', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    const { worker } = world.createWorker();
    await world.create(...germanChecks(numbersOf(450), { expiresInHours: 1 }));
    world.advance(hourMs);

    for (let passes = 0; passes < 3; passes += 1) {
      await worker.pass();
      world.advance(secondMs / 2);
    }
    await worker.settle();

    expect((await statuses(db))['pending']).toBeUndefined();
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

  it('queries the checks of the operator, who needs no API key, and expires them only after their time', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    const { worker } = world.createWorker();
    await world.create(...germanChecks(['up'], { keyId: operatorId, expiresInHours: 1 }));
    await world.run([worker], secondMs, secondMs);
    expect(await statuses(db)).toEqual({ answered: 1 });

    world.answer = () => down;
    await world.create(...germanChecks(['down'], { keyId: operatorId, expiresInHours: 1 }));
    await world.run([worker], hourMs, minuteMs);
    expect(await statuses(db)).toEqual({ answered: 1, pending: 1 });
    await world.run([worker], minuteMs, minuteMs);
    expect(await statuses(db)).toEqual({ answered: 1, expired: 1 });
  });

  it('starts, works, and drains when it is stopped', async () => {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    const { worker } = world.createWorker();
    await world.create({});

    worker.start();
    await expect.poll(() => world.queries.length).toBe(1);
    await worker.stop();

    expect(await statuses(db)).toEqual({ answered: 1 });
  });
});
