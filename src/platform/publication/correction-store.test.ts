import { describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../database/database.ts';
import { type Correction, listCorrections, syncCorrections } from './correction-store.ts';

const first = '2025-10-24T14:00:00.000Z';
const later = '2025-10-27T15:01:00.000Z';
const nok: Correction = {
  kind: 'fx',
  version: '2025-10-23',
  field: 'NOK',
  stored: '11.8529',
  upstream: '11.5829',
};
const usd: Correction = { ...nok, field: 'USD', stored: '1.16', upstream: '1.17' };

async function sync(
  db: Db,
  found: readonly Correction[],
  scope: { at?: string; versions?: readonly string[]; kind?: Correction['kind'] } = {},
) {
  const { at = first, versions = ['2025-10-23'], kind = 'fx' } = scope;
  return db.transaction().execute(async (tx) => syncCorrections(tx, { kind, versions, at }, found));
}

async function states(db: Db): Promise<Record<string, unknown>> {
  const rows = await db.selectFrom('corrections').selectAll().execute();
  return Object.fromEntries(rows.map((row) => [`${row.field} ${row.upstream}`, row.state]));
}

const fields = (corrections: readonly Correction[]): string[] =>
  corrections.map(({ field }) => field);

describe('syncCorrections (contract C12, C20)', () => {
  it('opens a correction for each new difference, and returns it', async () => {
    const db = await openTemporaryDatabase();

    const opened = await sync(db, [usd, nok]);

    expect(fields(opened)).toEqual(['USD', 'NOK']);
    expect(await listCorrections(db)).toEqual([
      { ...nok, id: expect.stringMatching(/^cor_/), seenAt: first },
      { ...usd, id: expect.stringMatching(/^cor_/), seenAt: first },
    ]);
  });

  it('replaces a correction by one to another value', async () => {
    const db = await openTemporaryDatabase();
    await sync(db, [nok]);

    const opened = await sync(db, [{ ...nok, upstream: '11.6' }], { at: later });

    expect(opened).toMatchObject([{ upstream: '11.6', seenAt: later }]);
    expect(await states(db)).toEqual({ 'NOK 11.5829': 'withdrawn', 'NOK 11.6': 'open' });
  });

  it('keeps corrections of versions that were not read, and those of the other data set', async () => {
    const db = await openTemporaryDatabase();
    await sync(db, [nok]);
    const rates = { kind: 'rates', field: 'HU standard' } as const;
    await sync(db, [{ ...nok, ...rates }], { kind: 'rates' });

    await sync(db, [], { versions: ['2025-10-24'] });
    await sync(db, [], { versions: [] });

    expect(fields(await listCorrections(db))).toEqual(['HU standard', 'NOK']);
    expect(fields(await listCorrections(db, 'fx'))).toEqual(['NOK']);
    expect(fields(await listCorrections(db, 'rates'))).toEqual(['HU standard']);
  });
});
