import { describe, expect, it } from 'vitest';
import { auditOf, dumpKeys, keysRevisionOf, openTwice } from '../../../test/support/stored-keys.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import { sha256 } from '../../platform/digest.ts';
import { hasKeyForm } from './api-key.ts';
import { createKey, revokeKey, rotateKey } from './key-changes.ts';
import { findKey, listKeys } from './key-store.ts';

const at = '2026-11-20T07:00:00.000Z';
const later = '2026-11-20T08:00:00.000Z';
const latest = '2026-11-20T09:00:00.000Z';
const wanted = { name: 'shop', at };

/** When each secret of the only key ends, the newest first. */
async function endsOf(db: Db): Promise<readonly (string | null)[] | undefined> {
  return (await listKeys(db))[0]?.secrets.map(({ endsAt }) => endsAt);
}

describe('rotateKey (contract C25)', () => {
  it('gives a new secret, and keeps the earlier one until the overlap ends', async () => {
    const db = await openTemporaryDatabase();
    const { key: first, ...record } = await createKey(db, {
      ...wanted,
      quota: 5,
      expiresAt: latest,
    });

    const rotated = await rotateKey(db, record.id, { at: later, overlapEndsAt: latest });

    expect(rotated).toEqual({ kind: 'rotated', key: expect.any(String), record });
    const key = 'key' in rotated ? rotated.key : '';
    expect(hasKeyForm(key)).toBe(true);
    expect(key).not.toBe(first);
    expect(await findKey(db, sha256(key))).toEqual({
      record,
      secret: { createdAt: later, endsAt: null, lastUsedAt: null },
    });
    expect((await findKey(db, sha256(first)))?.secret.endsAt).toBe(latest);
    expect(await dumpKeys(db)).not.toContain(key.slice(4, 20));
  });

  it('ends the earlier secret immediately without an overlap', async () => {
    const db = await openTemporaryDatabase();
    const { id } = await createKey(db, wanted);

    await rotateKey(db, id, { at: later, overlapEndsAt: later });

    expect(await endsOf(db)).toEqual([null, later]);
  });

  it.each([
    ['keeps an end that comes before the overlap ends', later, latest, [null, latest, later]],
    ['brings forward an end that comes after it', latest, later, [null, later, later]],
  ])('%s', async (_, firstEnd, secondEnd, ends) => {
    const db = await openTemporaryDatabase();
    const { id } = await createKey(db, wanted);
    await rotateKey(db, id, { at: '2026-11-20T07:10:00.000Z', overlapEndsAt: firstEnd });

    await rotateKey(db, id, { at: '2026-11-20T07:20:00.000Z', overlapEndsAt: secondEnd });

    expect(await endsOf(db)).toEqual(ends);
  });

  it('ends no secret of another key', async () => {
    const db = await openTemporaryDatabase();
    const { key } = await createKey(db, { name: 'another', at });
    const { id } = await createKey(db, wanted);

    await rotateKey(db, id, { at: later, overlapEndsAt: later });

    expect((await findKey(db, sha256(key)))?.secret.endsAt).toBeNull();
  });

  it('is audited without the key, and raises the revision for every process', async () => {
    const db = await openTemporaryDatabase();
    const { id } = await createKey(db, wanted);

    await rotateKey(db, id, { at: later, overlapEndsAt: latest });

    const detail = { overlapEndsAt: latest };
    expect((await auditOf(db)).slice(1)).toEqual([
      { at: later, action: 'keys.rotate', subject: id, detail },
    ]);
    expect(await keysRevisionOf(db)).toBe(2);
  });

  it.each([
    ['an expired key', later, { kind: 'ended', why: 'expired', at: later }],
    ['a key that expires at this instant', latest, { kind: 'ended', why: 'expired', at: latest }],
  ])('leaves %s unchanged, and reports when it ended', async (_, expiresAt, ended) => {
    const db = await openTemporaryDatabase();
    const { id } = await createKey(db, { ...wanted, expiresAt });
    const before = await dumpKeys(db);

    expect(await rotateKey(db, id, { at: latest, overlapEndsAt: latest })).toEqual(ended);

    expect(await dumpKeys(db)).toBe(before);
  });

  it('leaves a revoked key unchanged, also if it has expired since', async () => {
    const db = await openTemporaryDatabase();
    const { id } = await createKey(db, { ...wanted, expiresAt: latest });
    await revokeKey(db, id, { at: later });
    const before = await dumpKeys(db);

    const rotated = await rotateKey(db, id, { at: latest, overlapEndsAt: latest });

    expect(rotated).toEqual({ kind: 'ended', why: 'revoked', at: later });
    expect(await dumpKeys(db)).toBe(before);
  });

  it('reports that there is no such key', async () => {
    const db = await openTemporaryDatabase();
    await createKey(db, wanted);
    const before = await dumpKeys(db);

    expect(await rotateKey(db, 'key_x', { at, overlapEndsAt: at })).toEqual({ kind: 'unknown' });

    expect(await dumpKeys(db)).toBe(before);
  });

  it('leaves one secret without an end when two processes rotate at the same time', async () => {
    const [db, other] = await openTwice();
    const { id } = await createKey(db, wanted);
    const rotate = async (by: Db) => rotateKey(by, id, { at: later, overlapEndsAt: latest });

    await Promise.all([rotate(db), rotate(other), rotate(db), rotate(other)]);

    expect((await endsOf(db))?.toSorted()).toEqual([latest, latest, latest, latest, null]);
  });
});
