import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SettableClock } from '../../../../test/support/settable-clock.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import { createLog } from '../../../platform/log/log.ts';
import { FaultNotes, writeFaultAt } from './fault-notes.ts';
import { patienceMs } from '../../../../test/support/eventually.ts';

const noon = '2026-11-20T12:00:00.000Z';

async function open() {
  const db = await openTemporaryDatabase();
  const clock = new SettableClock(noon);
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  const notes = new FaultNotes({ db, clock, log });
  onTestFinished(async () => notes.stop());
  const faults = async () => {
    const rows = await db.selectFrom('vat_registries').selectAll().execute();
    return Object.fromEntries(rows.map((row) => [row.registry_code, row.faulted_at]));
  };
  return { db, clock, notes, faults, lines };
}

describe('faults that /vatcheck has seen (rule K9)', () => {
  it('are written immediately, and those of the next seconds at the end', async () => {
    const { clock, notes, faults } = await open();
    notes.note('DE');
    await vi.waitFor(async () => expect(await faults()).toEqual({ DE: noon }), patienceMs);

    clock.advance(1_000);
    for (let n = 0; n < 100; n += 1) notes.note('DE');
    notes.note('FR');
    await vi.waitFor(
      async () => expect(await faults()).toEqual({ DE: noon, FR: '2026-11-20T12:00:01.000Z' }),
      patienceMs,
    );
    await notes.stop();

    expect((await faults())['DE']).toBe('2026-11-20T12:00:01.000Z');
  });

  it('never replace a later fault', async () => {
    const { db, clock, faults } = await open();
    await writeFaultAt(db, 'DE', clock.now());
    await writeFaultAt(db, 'DE', clock.now() - 1);

    expect(await faults()).toEqual({ DE: noon });
  });

  it('are written later if the database was away', async () => {
    const { db, notes, faults, lines } = await open();
    const away = sql`alter table vat_registries rename to away`;
    const back = sql`alter table away rename to vat_registries`;
    await away.execute(db);
    notes.note('DE');
    await vi.waitFor(() => expect(lines).toHaveLength(1), patienceMs);

    await back.execute(db);
    await notes.stop();

    expect(await faults()).toEqual({ DE: noon });
  });
});
