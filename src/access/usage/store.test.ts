import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { namesOf } from '../../../test/support/open-flusher.ts';
import { breakTable, openTwice, storedUse } from '../../../test/support/stored-keys.ts';
import { isPostgresql, openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import { sha256 } from '../../platform/digest.ts';
import { isoDate } from '../../platform/time.ts';
import { createKey, rotateKey } from '../authentication/key-changes.ts';
import { listKeys } from '../authentication/key-store.ts';
import {
  listDailyUse,
  noteLastUses,
  pruneUse,
  readMonthUse,
  readMonthUses,
  writeUse,
} from './store.ts';

/** `key_a 2026-11-20 3` */
const read = (line: string) => {
  const [keyId = '', useDate = '', requests] = line.split(' ');
  return { keyId, useDate: isoDate(useDate), requests: Number(requests) };
};

async function add(db: Db, ...lines: readonly string[]): Promise<void> {
  await writeUse(db, lines.map(read));
}

/** The number of turns of the event loop that a piece of work takes. */
async function countTurns(work: Promise<void>): Promise<number> {
  const state = { isDone: false, turns: 0 };
  const done = work.finally(() => (state.isDone = true));
  while (!state.isDone) {
    await turn();
    state.turns += 1;
  }
  await done;
  return state.turns;
}

describe('writeUse (contract C26)', () => {
  it('adds to the use of a key and day', async () => {
    const db = await openTemporaryDatabase();
    await add(db, 'key_a 2026-11-20 3', 'key_b 2026-11-20 1');

    await add(db, 'key_a 2026-11-21 5', 'key_c 2026-11-20 6', 'key_a 2026-11-20 4');

    expect(await storedUse(db)).toEqual([
      'key_a 2026-11-20 7',
      'key_a 2026-11-21 5',
      'key_b 2026-11-20 1',
      'key_c 2026-11-20 6',
    ]);
  });

  it('adds the use of several processes that write at the same time', async () => {
    const [db, other] = await openTwice();
    const lines = namesOf(300).map((name) => `${name} 2026-11-20 1`);

    await Promise.all([
      add(db, ...lines),
      add(other, ...lines.toReversed()),
      add(db, ...lines),
      add(other, ...lines.toReversed()),
    ]);

    expect(await storedUse(db)).toEqual(namesOf(300).map((name) => `${name} 2026-11-20 4`));
  });

  it('writes all rows or none', async () => {
    const db = await openTemporaryDatabase();
    const lines = namesOf(600).map((name) => `${name} 2026-11-20 1`);
    const repair = await breakTable(db, "insert on key_use when new.key_id = 'key_300'");
    await expect(add(db, ...lines)).rejects.toThrow('disk full');
    expect(await storedUse(db)).toEqual([]);

    await repair();
    await add(db, ...lines);

    expect(await storedUse(db)).toEqual(lines);
  });

  // With PostgreSQL the process waits for another one, and answers requests all the time.
  it.skipIf(isPostgresql)('answers requests after each 250 keys: SQLite', async () => {
    const db = await openTemporaryDatabase();
    const lines = namesOf(1_001).map((name) => `${name} 2026-11-20 1`);

    // Four turns are between five portions; the last one is the one in which it ends.
    expect(await countTurns(add(db, ...lines))).toBe(5);
  });
});

describe('readMonthUse (contract C26)', () => {
  it.each([
    ['an ordinary month', '2026-11-15', ['10-31', '11-01', '11-30', '12-01']],
    ['its first day', '2026-11-01', ['10-31', '11-01', '11-30', '12-01']],
    ['its last day', '2026-11-30', ['10-31', '11-01', '11-30', '12-01']],
    ['a February', '2026-02-28', ['01-31', '02-01', '02-28', '03-01']],
  ])('counts the days of the month and no others: %s', async (_, date, [before, a, b, after]) => {
    const db = await openTemporaryDatabase();
    await add(
      db,
      `k 2026-${before} 1`,
      `k 2026-${a} 10`,
      `k 2026-${b} 100`,
      `k 2026-${after} 1000`,
    );
    await add(db, `k 2025-${a} 10000`, `other 2026-${a} 100000`);

    expect(await readMonthUse(db, 'k', isoDate(date))).toBe(110);
  });

  it.each([
    ['December', '2026-12-31', 110],
    ['January', '2027-01-01', 1_000],
  ])('counts to the end of the year: %s', async (_, date, use) => {
    const db = await openTemporaryDatabase();
    await add(db, 'k 2026-11-30 1', 'k 2026-12-01 10', 'k 2026-12-31 100', 'k 2027-01-01 1000');

    expect(await readMonthUse(db, 'k', isoDate(date))).toBe(use);
  });

  it('is 0 for a key without charges', async () => {
    const db = await openTemporaryDatabase();
    await add(db, 'k 2026-11-20 1');

    expect(await readMonthUse(db, 'k', isoDate('2026-12-20'))).toBe(0);
    expect(await readMonthUse(db, 'other', isoDate('2026-11-20'))).toBe(0);
  });
});

describe('readMonthUses', () => {
  it('reads the month of every key that was charged in it', async () => {
    const db = await openTemporaryDatabase();
    await add(db, 'key_a 2026-11-20 1', 'key_a 2026-11-21 10', 'key_b 2026-11-01 5');
    await add(db, 'key_a 2026-10-31 100', 'key_c 2026-12-01 7');

    const uses = await readMonthUses(db, isoDate('2026-11-20'));

    expect(Object.fromEntries(uses)).toEqual({ key_a: 11, key_b: 5 });
  });
});

describe('listDailyUse', () => {
  it("gives a key's days of a span, both ends included, the newest first", async () => {
    const db = await openTemporaryDatabase();
    await add(db, 'k 2026-11-18 1', 'k 2026-11-19 2', 'k 2026-11-21 3', 'k 2026-11-22 4');
    await add(db, 'k 2026-11-23 5', 'other 2026-11-20 6');

    const days = await listDailyUse(db, 'k', {
      from: isoDate('2026-11-19'),
      to: isoDate('2026-11-22'),
    });

    expect(days).toEqual(['k 2026-11-22 4', 'k 2026-11-21 3', 'k 2026-11-19 2'].map(read));
  });

  it.each([
    ['a day', '2026-11-20', '2026-11-20', 1],
    ['400 days', '2025-10-17', '2026-11-20', 2],
    ['more days than are kept', '2020-01-01', '2026-11-20', 2],
    ['no days', '2026-11-21', '2026-11-20', 0],
  ])('reads a span of %s', async (_, from, to, count) => {
    const db = await openTemporaryDatabase();
    await add(db, 'k 2025-10-16 1', 'k 2025-10-17 1', 'k 2026-11-20 1');

    const days = await listDailyUse(db, 'k', { from: isoDate(from), to: isoDate(to) });

    expect(days).toHaveLength(count);
  });
});

describe('noteLastUses', () => {
  const [early, late] = ['2026-11-20T08:00:00.000Z', '2026-11-20T09:00:00.000Z'];

  it.each([
    ['notes the first', [early], early],
    ['notes a later one', [early, late], late],
    ['does not go back to an earlier one', [late, early], late],
  ])('%s', async (_, uses, expected) => {
    const db = await openTemporaryDatabase();
    const { key } = await createKey(db, { name: 'shop', at: early });

    for (const at of uses) await noteLastUses(db, [sha256(key)], at);

    expect(await listKeys(db)).toMatchObject([{ secrets: [{ lastUsedAt: expected }] }]);
  });

  it('writes it for the used secrets only', async () => {
    const db = await openTemporaryDatabase();
    const { id, key: first } = await createKey(db, { name: 'shop', at: early });
    await rotateKey(db, id, { at: late, overlapEndsAt: late });
    const { key: second } = await createKey(db, { name: 'another', at: late });

    await noteLastUses(db, [sha256(first), sha256(second), 'unknown'], late);

    const secrets = [
      { createdAt: late, lastUsedAt: null },
      { createdAt: early, lastUsedAt: late },
    ];
    expect(await listKeys(db)).toMatchObject([{ secrets }, { secrets: [{ lastUsedAt: late }] }]);
  });
});

describe('pruneUse', () => {
  const today = isoDate('2026-11-20');

  it('keeps 400 days, today included', async () => {
    const db = await openTemporaryDatabase();
    const kept = ['k 2025-10-17 1', 'k 2025-10-18 1', 'k 2026-11-20 1', 'k 2026-11-21 1'];
    await add(db, 'k 2019-01-01 1', 'k 2025-10-15 1', 'k 2025-10-16 1', ...kept);

    expect(await pruneUse(db, today)).toBe(3);

    expect(await storedUse(db)).toEqual(kept);
  });

  it('removes at most 250 rows at a time, and returns how many', async () => {
    const db = await openTemporaryDatabase();
    await add(
      db,
      ...namesOf(150).flatMap((name) => [`${name} 2020-01-01 1`, `${name} 2020-01-02 1`]),
    );

    const removed = [await pruneUse(db, today)];
    const left = [(await storedUse(db)).length];
    removed.push(await pruneUse(db, today), await pruneUse(db, today));
    left.push((await storedUse(db)).length);

    expect(removed).toEqual([250, 50, 0]);
    expect(left).toEqual([50, 0]);
  });
});
