import { describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../test/support/temporary-database.ts';
import type { Db } from '../platform/database/database.ts';
import { sha256 } from '../platform/digest.ts';
import { hasKeyForm } from './api-key.ts';
import { createKey, findKey, listKeys, revokeKey } from './store.ts';

const at = '2026-11-20T07:00:00.000Z';
const later = '2026-11-20T08:00:00.000Z';
const wanted = { name: 'shop', expiresAt: null, at };

const auditOf = async (db: Db) => db.selectFrom('audit').selectAll().orderBy('at').execute();
const revisionOf = async (db: Db): Promise<number> =>
  (await db.selectFrom('revisions').selectAll().execute())[0]?.revision ?? 0;

describe('createKey (contract C25)', () => {
  it('makes a key and keeps everything but the key', async () => {
    const db = await openTemporaryDatabase();

    const { key, ...record } = await createKey(db, { ...wanted, expiresAt: later });

    expect(hasKeyForm(key)).toBe(true);
    expect(record).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{16}$/),
      name: 'shop',
      createdAt: at,
      expiresAt: later,
      revokedAt: null,
    });
    expect(await listKeys(db)).toEqual([record]);
    const stored = JSON.stringify(await db.selectFrom('api_keys').selectAll().execute());
    expect(stored).toContain(sha256(key));
    expect(stored).not.toContain(key.slice(4, 20));
  });

  it('makes another one each time', async () => {
    const db = await openTemporaryDatabase();

    const [one, other] = [await createKey(db, wanted), await createKey(db, wanted)];

    expect(one.key).not.toBe(other.key);
    expect(one.id).not.toBe(other.id);
  });

  it('is audited without the key, and told to every process', async () => {
    const db = await openTemporaryDatabase();

    const { id, key } = await createKey(db, wanted);

    const audit = await auditOf(db);
    expect(audit).toMatchObject([{ at, action: 'keys.create', subject: id }]);
    expect(JSON.parse(audit[0]?.detail ?? '')).toEqual({ name: 'shop', expiresAt: null });
    expect(JSON.stringify(audit)).not.toContain(key.slice(4, 20));
    expect(await revisionOf(db)).toBe(1);
  });
});

describe('findKey', () => {
  it('finds a key by its hash, also when it was revoked', async () => {
    const db = await openTemporaryDatabase();
    const { key, ...record } = await createKey(db, wanted);
    expect(await findKey(db, sha256(key))).toEqual(record);

    await revokeKey(db, record.id, later);

    expect(await findKey(db, sha256(key))).toEqual({ ...record, revokedAt: later });
  });

  it('knows no stranger', async () => {
    const db = await openTemporaryDatabase();
    const { key } = await createKey(db, wanted);

    expect(await findKey(db, sha256(`${key}x`))).toBeUndefined();
    expect(await findKey(db, key)).toBeUndefined();
  });
});

describe('revokeKey', () => {
  it('ends one key and no other, audited, and told to every process', async () => {
    const db = await openTemporaryDatabase();
    const [one, other] = [await createKey(db, wanted), await createKey(db, wanted)];

    expect(await revokeKey(db, one.id, later)).toBe(true);

    const ends = Object.fromEntries((await listKeys(db)).map((key) => [key.id, key.revokedAt]));
    expect(ends).toEqual({ [one.id]: later, [other.id]: null });
    expect((await auditOf(db)).at(-1)).toMatchObject({
      at: later,
      action: 'keys.revoke',
      subject: one.id,
    });
    expect(await revisionOf(db)).toBe(3);
  });

  it('keeps the first instant when it is done twice', async () => {
    const db = await openTemporaryDatabase();
    const { id } = await createKey(db, wanted);
    await revokeKey(db, id, later);

    expect(await revokeKey(db, id, '2027-01-01T00:00:00.000Z')).toBe(true);

    expect(await listKeys(db)).toMatchObject([{ revokedAt: later }]);
    expect(await auditOf(db)).toHaveLength(2);
  });

  it('says when there is no such key', async () => {
    const db = await openTemporaryDatabase();

    expect(await revokeKey(db, 'key_unknown', later)).toBe(false);

    expect(await auditOf(db)).toEqual([]);
    expect(await revisionOf(db)).toBe(0);
  });
});

describe('listKeys', () => {
  it('gives the oldest first', async () => {
    const db = await openTemporaryDatabase();
    await createKey(db, { ...wanted, name: 'second', at: later });
    await createKey(db, { ...wanted, name: 'first' });

    expect((await listKeys(db)).map(({ name }) => name)).toEqual(['first', 'second']);
  });
});
