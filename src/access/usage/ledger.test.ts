import { describe, expect, it } from 'vitest';
import { dailyUse as use } from '../../../test/support/open-counter.ts';
import { isoDate } from '../../platform/time/time.ts';
import { Ledger } from './ledger.ts';
import type { DailyUse } from './store.ts';

const today = isoDate('2026-11-20');

/** A ledger, and a database whose writes and reads a test can hold up or let fail. */
function openLedger() {
  const rows: DailyUse[] = [];
  const database = { isAway: false, reading: Promise.resolve(), writing: Promise.resolve() };
  let reads = 0;
  const ledger = new Ledger(async (keyId) => {
    reads += 1;
    if (database.isAway) throw new Error('the database is away');
    const sum = rows.reduce((total, row) => total + (row.keyId === keyId ? row.requests : 0), 0);
    await database.reading;
    return sum;
  });
  const flush = async (): Promise<void> =>
    ledger.flush(async (uses) => {
      await database.writing;
      if (database.isAway) throw new Error('the database is away');
      rows.push(...uses);
    });
  return { ledger, rows, database, flush, countReads: () => reads };
}

describe('Ledger.readMonth', () => {
  it.each([
    ['the first day', '2026-11-01', 1],
    ['the last day', '2026-11-30', 1],
    ['the day before the month', '2026-10-31', 0],
    ['the day after the month', '2026-12-01', 0],
  ])('counts unwritten use of %s: %s', async (_, date, counted) => {
    const { ledger } = openLedger();
    ledger.add(use('2026-11-20', 2));
    ledger.add(use(date, 1));
    ledger.add(use('2026-11-20', 500, 'key_2'));

    expect(await ledger.readMonth('key_1', today)).toBe(2 + counted);
  });

  it('counts use once that is written while it reads', async () => {
    const { ledger, database, flush, countReads } = openLedger();
    ledger.add(use('2026-11-20', 5));
    const read = Promise.withResolvers<void>();
    database.reading = read.promise;

    const reading = ledger.readMonth('key_1', today);
    await Promise.resolve();
    await flush();
    read.resolve();

    expect(await reading).toBe(5);
    expect(countReads()).toBe(2);
  });

  it('waits for the write under way, which may or may not be in the database', async () => {
    const { ledger, database, flush } = openLedger();
    ledger.add(use('2026-11-20', 5));
    const write = Promise.withResolvers<void>();
    database.writing = write.promise;
    const flushing = flush();

    const reading = ledger.readMonth('key_1', today);
    ledger.add(use('2026-11-20', 2));
    write.resolve();
    await flushing;

    expect(await reading).toBe(7);
  });
});
