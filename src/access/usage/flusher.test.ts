import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { namesOf, openFlusher } from '../../../test/support/open-flusher.ts';
import { breakTable, openTwice, storedUse } from '../../../test/support/stored-keys.ts';
import type { Db } from '../../platform/database/database.ts';
import { sha256 } from '../../platform/values/digest.ts';
import { createKey } from '../authentication/key-changes.ts';
import { listKeys } from '../authentication/key-store.ts';
import { addEarlierJournal } from './flusher.ts';

const at = '2026-11-20T12:00:00.000Z';
const later = '2026-11-20T12:01:00.000Z';
const intervalMs = 1_000;
const failed = {
  level: 'error',
  msg: 'cannot write the requests charged to keys; they stay in memory and are written later',
  err: { message: 'disk full' },
};

async function lastUseIn(db: Db): Promise<unknown> {
  return (await listKeys(db))[0]?.secrets[0]?.lastUsedAt;
}

describe('UsageFlusher (contract C26)', () => {
  it('adds the journal of an earlier version, once, before anything is charged', async () => {
    const { start, otherDb, usedInMonth } = await openFlusher();
    const uses = '[["key_a","2026-11-20",4],["key_a","2026-11-21",5],["key_b","2026-11-20",3]]';
    const more = '[["key_a","2026-11-20",10]]';
    const rows = [uses, more].map((text, n) => ({ id: `${n}`, uses: text }));
    await otherDb.insertInto('key_use_journal').values(rows).execute();

    await start();
    await addEarlierJournal(otherDb);

    expect(await storedUse(otherDb)).toEqual([
      'key_a 2026-11-20 14',
      'key_a 2026-11-21 5',
      'key_b 2026-11-20 3',
    ]);
    expect(await usedInMonth('key_a')).toBe(19);
  });

  it('adds the journal once if two processes start at the same time', async () => {
    const [db, other] = await openTwice();
    const uses = '[["key_a","2026-11-20",4]]';
    await db.insertInto('key_use_journal').values({ id: '1', uses }).execute();

    await Promise.all([addEarlierJournal(db), addEarlierJournal(other)]);

    expect(await storedUse(db)).toEqual(['key_a 2026-11-20 4']);
  });

  it('writes use a second after the write before, and when secrets were last used', async () => {
    const { start, otherDb, charge, use, clock, advance } = await openFlusher();
    const { key } = await createKey(otherDb, { name: 'shop', at });
    await start();
    await charge('key_a', 'key_a', 'key_b');
    use(sha256(key));
    await advance(intervalMs - 1);
    expect(await storedUse(otherDb)).toEqual([]);
    await advance(1);
    expect(await lastUseIn(otherDb)).toBe(at);

    clock.set(later);
    await advance(intervalMs);
    expect(await lastUseIn(otherDb)).toBe(at);
    use(sha256(key));
    await advance(intervalMs);

    expect(await lastUseIn(otherDb)).toBe(later);
    expect(await storedUse(otherDb)).toEqual(['key_a 2026-11-20 2', 'key_b 2026-11-20 1']);
  });

  it('writes the rest at its stop, with what is charged during the write under way', async () => {
    const { flusher, start, otherDb, charge, use, lines } = await openFlusher();
    const { key } = await createKey(otherDb, { name: 'shop', at });
    const names = namesOf(600);
    await start();
    await charge(...names);
    vi.advanceTimersByTime(intervalMs);
    await turn();
    await charge(...names);
    use(sha256(key));

    await flusher.stop();

    expect(await storedUse(otherDb)).toEqual(names.map((name) => `${name} 2026-11-20 2`));
    expect(await lastUseIn(otherDb)).toBe(at);
    expect([vi.getTimerCount(), lines]).toEqual([0, []]);
  });
});

describe('UsageFlusher while the database fails (contract C26)', () => {
  it('keeps use that it cannot write, writes it once after the outage, and logs each outage once', async () => {
    const { start, otherDb, charge, usedInMonth, lines, advance } = await openFlusher();
    await start();

    for (let outage = 0; outage < 2; outage += 1) {
      const repair = await breakTable(otherDb, 'insert on key_use');
      await charge('key_a', 'key_a', 'key_b');
      await advance(intervalMs);
      await charge('key_a');
      await advance(intervalMs);
      await repair();
      await advance(intervalMs);
      await advance(intervalMs);
    }

    expect(await storedUse(otherDb)).toEqual(['key_a 2026-11-20 6', 'key_b 2026-11-20 2']);
    expect(await usedInMonth('key_a')).toBe(6);
    expect(lines).toMatchObject([failed, failed]);
  });

  it('stops even if it cannot write, and reports the lost use', async () => {
    const { flusher, start, otherDb, charge, lines } = await openFlusher();
    await start();
    await breakTable(otherDb, 'insert on key_use');
    await charge('key_a', 'key_a', 'key_b');

    await flusher.stop();

    const msg = 'lost requests charged to keys: they could not be written before the stop';
    expect(lines).toMatchObject([failed, { msg, keys: 2, requests: 3 }]);
  });
});
