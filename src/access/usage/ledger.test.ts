import { describe, expect, it } from 'vitest';
import {
  dailyUse as use,
  limitedKey as keyOf,
  openLimiter,
} from '../../../test/support/open-limiter.ts';

describe('UseBook.takeUnwritten', () => {
  it('gives what was charged since the last time, one row for a key', async () => {
    const { charge, uses } = openLimiter();
    await charge(keyOf(), 3);
    await charge(keyOf({ id: 'key_2' }));
    await charge(keyOf(), 2);

    expect(uses.takeUnwritten()).toEqual([use('2026-11-20', 5), use('2026-11-20', 1, 'key_2')]);
    expect(uses.takeUnwritten()).toEqual([]);
    await charge(keyOf());
    expect(uses.takeUnwritten()).toEqual([use('2026-11-20', 1)]);
  });

  it('gives nothing of a day whose use is written', async () => {
    const { clock, charge, write, uses } = openLimiter();
    await charge(keyOf());
    write();

    clock.advance(86_400_000);
    await charge(keyOf());

    expect(uses.takeUnwritten()).toEqual([use('2026-11-21', 1)]);
  });

  it('takes nothing away from what counts', async () => {
    const { charge, write, usedInMonth } = openLimiter();
    const key = keyOf({ quota: 3 });
    await charge(key, 2);

    write();

    expect(await usedInMonth(key)).toBe(2);
    expect(await charge(key, 2)).toEqual(['ok', 'quotaExceeded']);
  });
});

describe('UseBook.giveBack', () => {
  it('has what could not be written given again, with what came meanwhile', async () => {
    const { charge, uses } = openLimiter();
    await charge(keyOf(), 3);
    const taken = uses.takeUnwritten();
    await charge(keyOf(), 2);

    uses.giveBack(taken);

    const requests = uses.takeUnwritten().reduce((sum, row) => sum + row.requests, 0);
    expect(requests).toBe(5);
    expect(uses.takeUnwritten()).toEqual([]);
  });

  it('takes back the use of more keys than a call has room for arguments', () => {
    const { uses } = openLimiter();
    const taken = Array.from({ length: 200_000 }, (_, at) => use('2026-11-20', 1, `key_${at}`));

    uses.giveBack(taken);

    expect(uses.takeUnwritten()).toHaveLength(200_000);
  });

  it('does not pile up what one key is charged while the database is away', async () => {
    const { charge, uses } = openLimiter();

    for (let time = 0; time < 100; time += 1) {
      await charge(keyOf());
      uses.giveBack(uses.takeUnwritten());
    }

    expect(uses.takeUnwritten()).toEqual([use('2026-11-20', 100)]);
  });
});

describe('Limiter without its database (contract C26)', () => {
  it('answers, and counts from nothing', async () => {
    const { book, database, charge } = openLimiter();
    book.push(use('2026-11-19', 3));
    database.isAway = true;

    expect(await charge(keyOf({ quota: 3 }), 4)).toEqual(['ok', 'ok', 'ok', 'quotaExceeded']);
  });

  it('asks the database once for a month that it could not read', async () => {
    const { reads, database, charge, usedInMonth } = openLimiter();
    database.isAway = true;

    await charge(keyOf());
    await charge(keyOf());
    await usedInMonth(keyOf());

    expect(reads).toHaveLength(1);
  });

  it('writes what it charged once the database is back', async () => {
    const { database, charge, write, book } = openLimiter();
    database.isAway = true;
    await charge(keyOf(), 3);

    write();

    expect(book).toEqual([use('2026-11-20', 3)]);
  });
});

describe('UseBook.readMissed', () => {
  it('reads nothing when nothing was missed', async () => {
    const { reads, charge, uses } = openLimiter();
    await charge(keyOf());

    await uses.readMissed();

    expect(reads).toHaveLength(1);
  });

  it('puts every month right that could not be read', async () => {
    const { book, database, charge, usedInMonth, uses } = openLimiter();
    const other = keyOf({ id: 'key_2' });
    book.push(use('2026-11-19', 30), use('2026-11-19', 7, 'key_2'));
    database.isAway = true;
    await charge(keyOf(), 2);
    await charge(other);

    database.isAway = false;
    await uses.readMissed();

    expect(await usedInMonth(keyOf())).toBe(32);
    expect(await usedInMonth(other)).toBe(8);
  });

  it('fails while the database is away, and loses nothing by it', async () => {
    const { book, database, charge, usedInMonth, uses } = openLimiter();
    book.push(use('2026-11-19', 30));
    database.isAway = true;
    await charge(keyOf(), 2);

    await expect(uses.readMissed()).rejects.toThrow('the database is away');

    expect(await usedInMonth(keyOf())).toBe(2);
    database.isAway = false;
    await uses.readMissed();
    expect(await usedInMonth(keyOf())).toBe(32);
  });

  it('reads a month once when it could be read', async () => {
    const { reads, database, charge, uses } = openLimiter();
    database.isAway = true;
    await charge(keyOf());
    database.isAway = false;

    await uses.readMissed();
    await uses.readMissed();

    expect(reads).toHaveLength(2);
  });

  it('counts what is charged while it reads', async () => {
    const { book, database, charge, usedInMonth, uses } = openLimiter();
    book.push(use('2026-11-19', 30));
    database.isAway = true;
    await charge(keyOf(), 2);
    const gate = Promise.withResolvers<void>();
    Object.assign(database, { isAway: false, ready: gate.promise });

    const reading = uses.readMissed();
    await charge(keyOf(), 3);
    gate.resolve();
    await reading;

    expect(await usedInMonth(keyOf())).toBe(35);
  });

  it('counts what is written as written, and what is not as not', async () => {
    const { book, database, charge, write, usedInMonth, uses } = openLimiter();
    book.push(use('2026-11-19', 30));
    database.isAway = true;
    await charge(keyOf(), 2);
    write();
    await charge(keyOf(), 4);
    uses.giveBack(uses.takeUnwritten());
    await charge(keyOf(), 8);

    database.isAway = false;
    await uses.readMissed();

    expect(await usedInMonth(keyOf())).toBe(44);
  });

  it.each([
    ['the first day', '2026-11-01', 1],
    ['the last day', '2026-11-30', 1],
    ['the day before the month', '2026-10-31', 0],
    ['the day after the month', '2026-12-01', 0],
  ])('counts what waits to be written of %s: %s', async (_, useDate, counted) => {
    const { database, charge, usedInMonth, uses } = openLimiter();
    database.isAway = true;
    await charge(keyOf(), 2);
    uses.giveBack([use(useDate, 1), use('2026-11-20', 500, 'key_2')]);

    database.isAway = false;
    await uses.readMissed();

    expect(await usedInMonth(keyOf())).toBe(2 + counted);
  });

  it('counts what was charged on several days of the month', async () => {
    const { clock, database, charge, usedInMonth, uses } = openLimiter();
    database.isAway = true;
    await charge(keyOf(), 2);
    clock.advance(86_400_000);
    await charge(keyOf(), 3);

    database.isAway = false;
    await uses.readMissed();

    expect(await usedInMonth(keyOf())).toBe(5);
  });
});

describe('Limiter.charge with use that waits to be written', () => {
  it('counts it when it first reads the month', async () => {
    const { book, usedInMonth, uses } = openLimiter();
    book.push(use('2026-11-19', 30));

    uses.giveBack([use('2026-11-20', 4), use('2026-10-31', 100)]);

    expect(await usedInMonth(keyOf())).toBe(34);
  });
});

describe('UseBook.forgetIdle', () => {
  it('lets go of nobody as long as there is room', async () => {
    const { clock, reads, charge, write, uses } = openLimiter();
    await charge(keyOf());
    write();
    clock.advance(86_400_000);

    uses.forgetIdle();
    await charge(keyOf());

    expect(reads).toHaveLength(1);
  });

  it('lets go of idle keys beyond 200,000, of none that was busy in the last minute', async () => {
    const { clock, uses, write, charge, listForgotten, usedInMonth } = await openCrowdedLimiter();
    await charge(keyOf({ id: 'key_0' }));
    write();

    clock.advance(59_999);
    uses.forgetIdle();

    expect(await listForgotten()).toEqual(['key_1', 'key_2']);
    // What they were charged is read again.
    expect(await usedInMonth(keyOf({ id: 'key_1' }))).toBe(1);
  });

  it('lets go of no key that was charged and is not written', async () => {
    const { clock, uses, charge, listForgotten } = await openCrowdedLimiter();
    await charge(keyOf({ id: 'key_0' }));

    clock.advance(60_000);
    uses.forgetIdle();

    expect(await listForgotten()).toEqual(['key_1', 'key_2']);
  });
});

/** One with 200,002 keys, charged an hour ago and written. */
async function openCrowdedLimiter() {
  const opened = openLimiter();
  const ids = Array.from({ length: 200_002 }, (_, at) => `key_${at}`);
  await Promise.all(ids.map(async (id) => opened.limiter.charge(keyOf({ id }))));
  opened.write();
  opened.clock.advance(3_600_000);
  opened.reads.length = 0;
  /** Those of the first keys that have to be read again. */
  const listForgotten = async (): Promise<string[]> => {
    for (const id of ids.slice(0, 5)) await opened.usedInMonth(keyOf({ id }));
    return opened.reads.map((read) => read.split(' ')[0] ?? '');
  };
  return { ...opened, listForgotten };
}
