import type { DataSetKind } from './data-set-kinds.ts';
import { describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db, Tx } from '../database/database.ts';
import { stableId } from '../values/digest.ts';
import { decideHeld, holdSnapshot, listHeld, settleHeld } from './held-store.ts';

type Wanted = { kind?: DataSetKind; version?: string; content?: string; at?: string };

const first = '2026-11-20T07:00:00.000Z';
const later = '2026-11-20T08:00:00.000Z';

function idOf({ kind = 'rates', version = '2026-11-20', content = 'a' }: Wanted = {}): string {
  return stableId('held', kind, version, content);
}

const inTransaction = async <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().execute(work);

async function hold(db: Db, wanted: Wanted = {}) {
  const { kind = 'rates', version = '2026-11-20', content = 'a', at = first } = wanted;
  const held = {
    kind,
    version,
    reasons: ['HU: no', 'RO: no'],
    candidate: content,
    inputDigest: 'input',
    heldAt: at,
  };
  return inTransaction(db, async (tx) => holdSnapshot(tx, held));
}

async function decide(db: Db, state: 'approved' | 'rejected', wanted: Wanted = {}) {
  return inTransaction(db, async (tx) => decideHeld(tx, { id: idOf(wanted), state, at: later }));
}

async function settle(db: Db, wanted: Wanted = {}): Promise<void> {
  const { kind = 'rates', version = '2026-11-20' } = wanted;
  await inTransaction(db, async (tx) => settleHeld(tx, { kind, version, at: later }));
}

async function stateOf(db: Db, wanted: Wanted = {}) {
  const rows = db.selectFrom('held_snapshots').select(['state', 'decided_at', 'held_at']);
  return rows.where('id', '=', idOf(wanted)).executeTakeFirst();
}

describe('holdSnapshot (contract C15)', () => {
  it('replaces other content of the same version, and no other version', async () => {
    const db = await openTemporaryDatabase();
    await hold(db);
    await hold(db, { version: '2026-11-19' });
    await hold(db, { kind: 'fx' });

    expect(await hold(db, { content: 'b', at: later })).toMatchObject({ kind: 'held' });

    expect(await stateOf(db)).toEqual({ state: 'replaced', decided_at: later, held_at: first });
    expect((await listHeld(db)).map(({ id }) => id)).toEqual([
      idOf({ version: '2026-11-19' }),
      idOf({ kind: 'fx' }),
      idOf({ content: 'b' }),
    ]);
  });

  it('does not hold content again that an operator has rejected', async () => {
    const db = await openTemporaryDatabase();
    await hold(db);
    await decide(db, 'rejected');

    expect(await hold(db)).toEqual({ kind: 'rejected', id: idOf() });
    expect(await hold(db)).toEqual({ kind: 'rejected', id: idOf() });

    expect(await listHeld(db)).toEqual([]);
  });

  it('holds content again that was replaced before', async () => {
    const db = await openTemporaryDatabase();
    await hold(db);
    await hold(db, { content: 'b' });

    expect(await hold(db, { at: later })).toEqual({ kind: 'held', id: idOf() });

    expect(await stateOf(db)).toEqual({ state: 'held', decided_at: null, held_at: later });
    expect(await stateOf(db, { content: 'b' })).toMatchObject({ state: 'replaced' });
  });
});

describe('decideHeld', () => {
  it.each(['approved', 'rejected'] as const)(
    'records that a snapshot was %s, with an audit',
    async (state) => {
      const db = await openTemporaryDatabase();
      await hold(db);

      expect(await decide(db, state)).toBe(true);

      expect(await stateOf(db)).toEqual({ state, decided_at: later, held_at: first });
      expect(await db.selectFrom('audit').selectAll().execute()).toEqual([
        {
          id: expect.stringMatching(/^aud_/),
          at: later,
          action: `snapshots.${state}`,
          subject: idOf(),
          detail: '{}',
          actor: null,
          reason: null,
        },
      ]);
    },
  );

  it.each<[string, (db: Db) => Promise<unknown>]>([
    ['an unknown id', async () => undefined],
    ['what was approved', async (db) => hold(db).then(async () => decide(db, 'approved'))],
    ['what was rejected', async (db) => hold(db).then(async () => decide(db, 'rejected'))],
    ['what was replaced', async (db) => hold(db).then(async () => settle(db))],
  ])('refuses %s, without an audit', async (_, prepare) => {
    const db = await openTemporaryDatabase();
    await prepare(db);
    const audited = async () => (await db.selectFrom('audit').selectAll().execute()).length;
    const before = await audited();

    expect(await decide(db, 'rejected')).toBe(false);

    expect(await audited()).toBe(before);
  });
});

describe('settleHeld', () => {
  it('marks a held snapshot as replaced if its version is now published', async () => {
    const db = await openTemporaryDatabase();
    await hold(db);
    await hold(db, { version: '2026-11-21' });

    await settle(db);

    expect(await stateOf(db)).toMatchObject({ state: 'replaced', decided_at: later });
    expect(await stateOf(db, { version: '2026-11-21' })).toMatchObject({ state: 'held' });
  });
});

describe('listHeld and findHeld', () => {
  it('list undecided snapshots, the oldest version first, of one data set or of both', async () => {
    const db = await openTemporaryDatabase();
    await hold(db, { version: '2026-11-21' });
    await hold(db, { version: '2026-11-20' });
    await hold(db, { version: '2026-11-20', kind: 'fx' });

    const shown = async (kind?: DataSetKind) =>
      (await listHeld(db, kind)).map((held) => `${held.kind} ${held.version}`);

    expect(await shown()).toEqual(['fx 2026-11-20', 'rates 2026-11-20', 'rates 2026-11-21']);
    expect(await shown('fx')).toEqual(['fx 2026-11-20']);
  });
});
