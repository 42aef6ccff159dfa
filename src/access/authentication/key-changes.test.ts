import { describe, expect, it } from 'vitest';
import { auditOf, dumpKeys, keysRevisionOf, openTwice } from '../../../test/support/stored-keys.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import { sha256 } from '../../platform/values/digest.ts';
import { changeKey, createKey, revokeKey, rotateKey } from './key-changes.ts';
import { findKey, findKeyById, listKeys } from './key-store.ts';

const at = '2026-11-20T07:00:00.000Z';
const later = '2026-11-20T08:00:00.000Z';
const latest = '2026-11-20T09:00:00.000Z';
const wanted = { name: 'shop', at };

/** When each secret of the only key ends, the newest first. */
async function endsOf(db: Db): Promise<readonly (string | null)[] | undefined> {
  return (await listKeys(db))[0]?.secrets.map(({ endsAt }) => endsAt);
}

describe('changes of keys (contract C25)', () => {
  it('are audited without secrets, and raise the revision for every process', async () => {
    const db = await openTemporaryDatabase();
    const own = { quota: 5_000, scopes: ['read'], expiresAt: '2026-12-01T00:00:00.000Z' } as const;

    const { id, key } = await createKey(db, { ...wanted, ...own });
    await changeKey(db, id, { quota: 7, at: later });
    await rotateKey(db, id, { at: later, overlapEndsAt: latest });
    await revokeKey(db, id, { at: latest });
    await revokeKey(db, id, { at: latest });

    const subject = id;
    const detail = { name: 'shop', rateLimit: 'default', ...own };
    const change = { before: { quota: 5_000 }, after: { quota: 7 } };
    expect(await auditOf(db)).toEqual([
      { at, action: 'keys.create', subject, detail },
      { at: later, action: 'keys.change', subject, detail: change },
      { at: later, action: 'keys.rotate', subject, detail: { overlapEndsAt: latest } },
      { at: latest, action: 'keys.revoke', subject, detail: {} },
    ]);
    expect(await keysRevisionOf(db)).toBe(4);
    expect(await dumpKeys(db)).toContain(sha256(key));
    expect(await dumpKeys(db)).not.toContain(key.slice(4, 20));
  });

  it('touch no other key, and none if the id is unknown', async () => {
    const db = await openTemporaryDatabase();
    const { id } = await createKey(db, wanted);
    const { key: _, ...other } = await createKey(db, { ...wanted, name: 'another' });

    const unknown = [
      await changeKey(db, 'key_x', { name: 'x', at }),
      await rotateKey(db, 'key_x', { at, overlapEndsAt: at }),
      await revokeKey(db, 'key_x', { at }),
    ];
    await changeKey(db, id, { name: 'webshop', rateLimit: 'none', expiresAt: latest, at: later });
    await rotateKey(db, id, { at: later, overlapEndsAt: later });
    await revokeKey(db, id, { at: latest });

    expect(unknown).toEqual([{ kind: 'unknown' }, { kind: 'unknown' }, false]);
    expect(await findKeyById(db, other.id)).toEqual(other);
    const listed = (await listKeys(db)).find((one) => one.id === other.id);
    expect(listed?.secrets).toMatchObject([{ endsAt: null }]);
  });

  it('of two processes at the same time are all made, and a revocation once', async () => {
    const [db, other] = await openTwice();
    const { id } = await createKey(db, wanted);
    const rotate = async (by: Db) => rotateKey(by, id, { at: later, overlapEndsAt: latest });

    await Promise.all([
      changeKey(db, id, { rateLimit: 25, at: later }),
      changeKey(other, id, { quota: 5_000, at: later }),
      ...[db, other, db, other].map(rotate),
    ]);
    await Promise.all([revokeKey(db, id, { at: later }), revokeKey(other, id, { at: latest })]);

    expect(await findKeyById(db, id)).toMatchObject({ rateLimit: 25, quota: 5_000 });
    expect((await endsOf(db))?.toSorted()).toEqual([latest, latest, latest, latest, null]);
    // One entry for each change, and one for the revocation.
    expect(await auditOf(db)).toHaveLength(1 + 2 + 4 + 1);
  });
});

it('a key with a malformed limit is an error, instead of a key without limits', async () => {
  const db = await openTemporaryDatabase();
  const { key } = await createKey(db, wanted);
  await db.updateTable('api_keys').set({ rate_limit: '1e3' }).execute();

  await expect(findKey(db, sha256(key))).rejects.toThrow(
    'database: 1e3 is stored as a limit of a key',
  );
});
