import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { namesOf, openFlusher } from '../../../test/support/open-flusher.ts';
import { breakTable, storedUse } from '../../../test/support/stored-keys.ts';
import { isPostgresql, temporaryDatabaseUrl } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import { sha256 } from '../../platform/digest.ts';
import { addDays, isoDate } from '../../platform/time.ts';
import { createKey } from '../authentication/key-changes.ts';
import { listKeys } from '../authentication/key-store.ts';

const at = '2026-11-20T12:00:00.000Z';
const later = '2026-11-20T12:01:00.000Z';
const intervalMs = 1_000;

/** Inserts use that is too old to be kept. */
async function addOldUse(db: Db, days: number): Promise<void> {
  const dates = Array.from({ length: days }, (_, n) => addDays(isoDate('2020-01-01'), n));
  await db
    .insertInto('key_use')
    .values(dates.map((use_date) => ({ key_id: 'key_old', use_date, requests: 1 })))
    .execute();
}

/** The distinct values that other work of the event loop reads while some work runs. */
async function seenDuring(work: Promise<void>, look: () => Promise<number>): Promise<number[]> {
  const seen = new Set<number>();
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  while (!state.isDone) {
    await turn();
    seen.add(await look());
  }
  await done;
  return [...seen.add(await look())];
}

describe('UsageFlusher.start (contract C26)', () => {
  it('adds use that an earlier version left in its journal, before anything is charged', async () => {
    const { start, otherDb, usedInMonth } = await openFlusher();
    const uses = '[["key_a","2026-11-20",7]]';
    await otherDb.insertInto('key_use_journal').values({ id: '1', uses }).execute();

    await start();

    expect(await storedUse(otherDb)).toEqual(['key_a 2026-11-20 7']);
    expect(await usedInMonth('key_a')).toBe(7);
  });

  it('does not start if the journal cannot be added', async () => {
    const { start, otherDb } = await openFlusher();
    const uses = '[["key_a","2026-11-20",7]]';
    await otherDb.insertInto('key_use_journal').values({ id: '1', uses }).execute();
    await breakTable(otherDb, 'insert on key_use');

    await expect(start()).rejects.toThrow('disk full');

    expect(vi.getTimerCount()).toBe(0);
  });

  it('writes use a second after the write before', async () => {
    const { start, otherDb, charge, advance } = await openFlusher();
    await start();
    await charge('key_a', 'key_a', 'key_b');
    await advance(intervalMs - 1);
    expect(await storedUse(otherDb)).toEqual([]);

    await advance(1);

    expect(await storedUse(otherDb)).toEqual(['key_a 2026-11-20 2', 'key_b 2026-11-20 1']);
  });

  it('writes each request once', async () => {
    const { start, otherDb, charge, advance } = await openFlusher();
    await start();
    await charge('key_a', 'key_b');
    await advance(intervalMs);
    await advance(intervalMs);
    await charge('key_a', 'key_a');
    await advance(intervalMs);
    await advance(intervalMs);

    expect(await storedUse(otherDb)).toEqual(['key_a 2026-11-20 3', 'key_b 2026-11-20 1']);
  });

  it('writes requests to the day on which they were charged', async () => {
    const { start, otherDb, charge, clock, advance } = await openFlusher();
    await start();
    clock.set('2026-11-30T23:59:59.999Z');
    await charge('key_a', 'key_a', 'key_b');
    clock.set('2026-12-01T00:00:00.000Z');
    await charge('key_a');

    await advance(intervalMs);

    expect(await storedUse(otherDb)).toEqual([
      'key_a 2026-11-30 2',
      'key_a 2026-12-01 1',
      'key_b 2026-11-30 1',
    ]);
  });

  it('removes old use once a day', async () => {
    const { start, otherDb, clock, advance } = await openFlusher();
    await addOldUse(otherDb, 3);
    await start();
    expect(await storedUse(otherDb)).toEqual([]);
    await addOldUse(otherDb, 1);

    clock.set('2026-11-20T23:59:59.999Z');
    await advance(intervalMs);
    expect(await storedUse(otherDb)).toHaveLength(1);
    clock.set('2026-11-21T00:00:00.000Z');
    await advance(intervalMs);

    expect(await storedUse(otherDb)).toEqual([]);
  });

  it('removes all old use, and answers requests after each 250 rows', async () => {
    const { start, otherDb } = await openFlusher();
    await addOldUse(otherDb, 600);

    const seen = await seenDuring(start(), async () => (await storedUse(otherDb)).length);

    expect(seen).toEqual(expect.arrayContaining([350, 100, 0]));
  });

  it('notes when secrets were last used', async () => {
    const { start, otherDb, use, clock, advance } = await openFlusher();
    const { key } = await createKey(otherDb, { name: 'shop', at });
    await start();
    use(sha256(key));
    await advance(intervalMs);
    expect(await listKeys(otherDb)).toMatchObject([{ secrets: [{ lastUsedAt: at }] }]);
    clock.set(later);
    await advance(intervalMs);
    expect(await listKeys(otherDb)).toMatchObject([{ secrets: [{ lastUsedAt: at }] }]);

    use(sha256(key));
    await advance(intervalMs);

    expect(await listKeys(otherDb)).toMatchObject([{ secrets: [{ lastUsedAt: later }] }]);
  });

  // A read of PostgreSQL may take longer than the portions; the code is the same.
  it.skipIf(isPostgresql)(
    'notes last uses in portions of 250, and answers requests after each',
    async () => {
      const { start, otherDb, use, advance } = await openFlusher();
      await start();
      for (const name of namesOf(600)) {
        use(sha256((await createKey(otherDb, { name, at })).key));
      }
      const countUsed = async (): Promise<number> =>
        (await listKeys(otherDb)).filter(({ secrets }) => secrets[0]?.lastUsedAt === at).length;

      const seen = await seenDuring(advance(intervalMs), countUsed);

      const portions = [250, 500, 600];
      expect(seen.filter((count) => count !== 0 && !portions.includes(count))).toEqual([]);
      // On a busy machine a read may miss one of them.
      expect(portions.filter((count) => seen.includes(count)).length).toBeGreaterThanOrEqual(2);
    },
  );
});

describe('UsageFlusher.stop (contract C26)', () => {
  it('writes the rest, and nothing after that', async () => {
    const { flusher, start, otherDb, charge, use, lines } = await openFlusher();
    const { id, key } = await createKey(otherDb, { name: 'shop', at });
    await start();
    await charge(id, id);
    use(sha256(key));

    await flusher.stop();

    expect(await storedUse(otherDb)).toEqual([`${id} 2026-11-20 2`]);
    expect(await listKeys(otherDb)).toMatchObject([{ secrets: [{ lastUsedAt: at }] }]);
    expect(vi.getTimerCount()).toBe(0);
    expect(lines).toEqual([]);
  });

  it('writes use that was charged during the write under way', async () => {
    const { flusher, start, otherDb, charge } = await openFlusher();
    const names = namesOf(600);
    await start();
    await charge(...names);
    vi.advanceTimersByTime(intervalMs);
    await turn();
    await charge(...names);

    await flusher.stop();

    expect(await storedUse(otherDb)).toEqual(names.map((name) => `${name} 2026-11-20 2`));
  });

  it('adds to the use that another process writes at the same time', async () => {
    const url = temporaryDatabaseUrl();
    const [one, other] = [await openFlusher({ url }), await openFlusher({ url })];
    await one.charge('key_a', 'key_a');
    await other.charge('key_a');

    await Promise.all([one.flusher.stop(), other.flusher.stop()]);

    expect(await storedUse(one.otherDb)).toEqual(['key_a 2026-11-20 3']);
  });
});
