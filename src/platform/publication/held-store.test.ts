import type { DataSetKind } from './data-set-kinds.ts';
import { describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db, Tx } from '../database/database.ts';
import { stableId } from '../values/digest.ts';
import { decideHeld, holdSnapshot, listHeld } from './held-store.ts';

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
});
