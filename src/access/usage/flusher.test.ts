import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { namesOf, openFlusher } from '../../../test/support/open-flusher.ts';
import { storedUse } from '../../../test/support/stored-keys.ts';
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

describe('UsageFlusher.start (contract C26)', () => {
  it('adds use that an earlier version left in its journal, before anything is charged', async () => {
    const { start, otherDb, usedInMonth } = await openFlusher();
    const uses = '[["key_a","2026-11-20",7]]';
    await otherDb.insertInto('key_use_journal').values({ id: '1', uses }).execute();

    await start();

    expect(await storedUse(otherDb)).toEqual(['key_a 2026-11-20 7']);
    expect(await usedInMonth('key_a')).toBe(7);
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
});
