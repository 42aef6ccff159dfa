import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openFlusher } from '../../../test/support/open-flusher.ts';
import { breakTable, storedUse } from '../../../test/support/stored-keys.ts';
import { sha256 } from '../../platform/digest.ts';
import { createKey } from '../authentication/key-changes.ts';
import { listKeys } from '../authentication/key-store.ts';

const at = '2026-11-20T12:00:00.000Z';
const intervalMs = 1_000;
const failed = {
  level: 'error',
  msg: 'cannot write the requests charged to keys; they stay in memory and are written later',
  err: { message: 'disk full' },
};

describe('UsageFlusher while the database fails (contract C26)', () => {
  it('keeps use that it cannot write, and writes it once after the outage', async () => {
    const { start, otherDb, charge, usedInMonth, advance } = await openFlusher();
    await start();
    const repair = await breakTable(otherDb, 'insert on key_use');
    await charge('key_a', 'key_a', 'key_b');
    await advance(intervalMs);
    await charge('key_a');
    await advance(intervalMs);
    expect(await usedInMonth('key_a')).toBe(3);

    await repair();
    await advance(intervalMs);
    await advance(intervalMs);

    expect(await storedUse(otherDb)).toEqual(['key_a 2026-11-20 3', 'key_b 2026-11-20 1']);
    expect(await usedInMonth('key_a')).toBe(3);
  });

  it('adds to the written use once that can be read again', async () => {
    const { start, clock, otherDb, charge, usedInMonth, advance } = await openFlusher();
    await start();
    const row = { key_id: 'key_a', use_date: '2026-11-02', requests: 100 };
    await otherDb.insertInto('key_use').values(row).execute();
    await sql`alter table key_use rename to key_use_away`.execute(otherDb);
    await charge('key_a', 'key_a');
    await advance(intervalMs);
    expect(await usedInMonth('key_a')).toBe(2);

    await sql`alter table key_use_away rename to key_use`.execute(otherDb);
    clock.advance(2_000);
    expect(await usedInMonth('key_a')).toBe(102);
    await advance(intervalMs);

    expect(await storedUse(otherDb)).toEqual(['key_a 2026-11-02 100', 'key_a 2026-11-20 2']);
  });

  it('logs an outage once, and the next one again', async () => {
    const { start, otherDb, charge, lines, advance } = await openFlusher();
    await start();
    const repair = await breakTable(otherDb, 'insert on key_use');
    await charge('key_a');
    await advance(intervalMs);
    await advance(intervalMs);
    expect(lines).toMatchObject([failed]);
    await repair();
    await advance(intervalMs);

    await breakTable(otherDb, 'insert on key_use');
    await charge('key_a');
    await advance(intervalMs);
    await advance(intervalMs);

    expect(lines).toMatchObject([failed, failed]);
  });

  it('stops even if it cannot write, and reports the lost use', async () => {
    const { flusher, start, otherDb, charge, lines } = await openFlusher();
    await start();
    await breakTable(otherDb, 'insert on key_use');
    await charge('key_a', 'key_a', 'key_b');

    await flusher.stop();

    expect(lines).toMatchObject([
      failed,
      {
        msg: 'lost requests charged to keys: they could not be written before the stop',
        keys: 2,
        requests: 3,
      },
    ]);
  });

  it('writes the original instant of a last use after an outage', async () => {
    const { start, otherDb, clock, use, advance } = await openFlusher();
    await start();
    const { key } = await createKey(otherDb, { name: 'shop', at });
    const repair = await breakTable(otherDb, 'update on key_secrets');
    use(sha256(key));
    clock.advance(3_600_000);
    await advance(intervalMs);

    await repair();
    await advance(intervalMs);

    expect(await listKeys(otherDb)).toMatchObject([{ secrets: [{ lastUsedAt: at }] }]);
  });
});
