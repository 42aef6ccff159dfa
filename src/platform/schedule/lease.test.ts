import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { untilBlocking } from '../../../test/support/blocked-processes.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../test/support/temporary-database.ts';
import type { Db } from '../database/database.ts';
import { bumpRevision } from '../database/replicas/revisions.ts';
import { type Lease, leaseDurationMs, Leases } from './lease.ts';
import { patienceMs } from '../../../test/support/eventually.ts';

/** Two processes with one database and one time. */
async function openTwo() {
  const url = temporaryDatabaseUrl();
  const clock = new SettableClock('2026-11-20T07:00:00Z');
  const [db, otherDb] = [await openTemporaryDatabase(url), await openTemporaryDatabase(url)];
  const one = new Leases(db, { clock, holder: 'one' });
  const other = new Leases(otherDb, { clock, holder: 'other' });
  return { db, otherDb, clock, one, other };
}

/** Takes a lease that must be free, and releases it at the end of the test. */
async function take(leases: Leases, name = 'rates'): Promise<Lease> {
  const lease = await leases.tryAcquire(name);
  expect(lease, 'a free lease').toBeDefined();
  onTestFinished(async () => lease?.release());
  return lease as Lease;
}

async function publishWith(lease: Lease, db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await bumpRevision(tx, 'rates');
    await lease.assertHeld(tx);
  });
}

const rowOf = async (db: Db) =>
  db.selectFrom('leases').selectAll().where('name', '=', 'rates').executeTakeFirstOrThrow();

describe('Leases', () => {
  it('gives a lease to the next process when it was not renewed for its whole duration, and not before', async () => {
    const { one, other, clock } = await openTwo();
    await take(one);
    clock.advance(leaseDurationMs - 1);
    expect(await other.tryAcquire('rates')).toBeUndefined();

    clock.advance(1);

    await take(other);
  });

  it('is free if a clock that was ahead has taken it, and its holder publishes nothing after that', async () => {
    const { one, other, clock, db } = await openTwo();
    clock.advance(365 * 86_400_000);
    const early = await take(one);
    clock.advance(-365 * 86_400_000);

    await take(other);

    await expect(publishWith(early, db)).rejects.toThrow('another process has taken over rates');
  });

  it('gives a lease to one of many processes at the same time', async () => {
    const { one, other } = await openTwo();

    const leases = await Promise.all(
      [one, other, one, other].map(async (leases) => leases.tryAcquire('rates')),
    );

    expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
    for (const lease of leases) await lease?.release();
  });
});

describe('a lease that is held', () => {
  it('is renewed while the work runs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { db, one, other, clock } = await openTwo();
    const lease = await take(one);

    clock.advance(5_000);
    vi.advanceTimersByTime(5_000);
    await vi.waitFor(async () => {
      expect(await rowOf(db)).toMatchObject({ expires_at: '2026-11-20T07:00:15.000Z' });
    }, patienceMs);
    clock.advance(9_999);

    expect(await other.tryAcquire('rates')).toBeUndefined();
    await lease.release();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a lease that was lost', () => {
  it('stops the publication of a holder that wakes up too late, and nothing of it stays', async () => {
    const { db, one, other, clock } = await openTwo();
    const late = await take(one);
    clock.advance(leaseDurationMs);
    await take(other);

    await expect(publishWith(late, db)).rejects.toThrow(
      'lease: another process has taken over rates; nothing was published',
    );

    expect(await db.selectFrom('revisions').selectAll().execute()).toEqual([]);
  });

  it('publishes nothing if the database went back and gave its token again (contract C38)', async () => {
    const { db, one } = await openTwo();
    const lost = await take(one);
    const before = { holder: '', epoch: 0, expires_at: '' };
    await db.updateTable('leases').set(before).execute();
    const next = await take(one);

    await expect(publishWith(lost, db)).rejects.toThrow('nothing was published');
    await lost.release();

    await expect(publishWith(next, db)).resolves.toBeUndefined();
    expect(await one.tryAcquire('rates')).toBeUndefined();
  });

  it('is not freed under its new holder by the release of the old one', async () => {
    const { one, other, clock } = await openTwo();
    const late = await take(one);
    clock.advance(leaseDurationMs);
    await take(other);

    await late.release();

    expect(await one.tryAcquire('rates')).toBeUndefined();
  });

  it('cannot be taken over between the check and the commit', async () => {
    const { db, otherDb, one, other, clock } = await openTwo();
    const lease = await take(one);
    clock.advance(leaseDurationMs);
    // On SQLite the other process would wait for a lock that this thread holds, so it must give up immediately.
    if (!isPostgresql) await sql`pragma busy_timeout = 0`.execute(otherDb);
    const tryNext = async (): Promise<string> => {
      const taken = await other.tryAcquire('rates');
      onTestFinished(async () => taken?.release());
      return taken === undefined ? 'not taken over' : 'taken over';
    };
    const order: string[] = [];
    let next = Promise.resolve('not tried');

    await db.transaction().execute(async (tx) => {
      await lease.assertHeld(tx);
      next = tryNext().catch(String);
      if (isPostgresql) await untilBlocking(tx);
      else order.push(await next);
      await bumpRevision(tx, 'rates');
      order.push('published');
    });
    order.push(isPostgresql ? await next : await tryNext());

    const locked = 'Error: database is locked';
    expect(order).toEqual([...(isPostgresql ? [] : [locked]), 'published', 'taken over']);
  });
});

describe('Leases.acquire', () => {
  it('waits until the lease is free', async () => {
    const { one, other } = await openTwo();
    const held = await take(one);

    const waiting = other.acquire('rates', 5_000);
    // Runs after the first try of the waiting call, because both use the same connection.
    expect(await other.tryAcquire('rates')).toBeUndefined();
    await held.release();
    const lease = await waiting;

    expect(lease).toBeDefined();
    await lease?.release();
  });
});
