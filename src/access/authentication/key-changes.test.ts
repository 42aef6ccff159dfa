import { describe, expect, it } from 'vitest';
import { auditOf, dumpKeys, keysRevisionOf, openTwice } from '../../../test/support/stored-keys.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { sha256 } from '../../platform/digest.ts';
import { hasKeyForm } from './api-key.ts';
import { changeKey, createKey, revokeKey } from './key-changes.ts';
import { findKey, findKeyById } from './key-store.ts';

const at = '2026-11-20T07:00:00.000Z';
const later = '2026-11-20T08:00:00.000Z';
const latest = '2026-11-20T09:00:00.000Z';
const wanted = { name: 'shop', at };

describe('createKey (contract C25)', () => {
  it('creates a key and stores everything but its secret', async () => {
    const db = await openTemporaryDatabase();

    const { key, ...record } = await createKey(db, {
      ...wanted,
      rateLimit: 25,
      quota: 'none',
      expiresAt: later,
    });

    expect(hasKeyForm(key)).toBe(true);
    expect(record).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{16}$/),
      name: 'shop',
      rateLimit: 25,
      quota: 'none',
      scopes: ['read', 'checks', 'webhooks'],
      requester: null,
      createdAt: at,
      expiresAt: later,
      revokedAt: null,
    });
    expect(await findKeyById(db, record.id)).toEqual(record);
    expect(await dumpKeys(db)).toContain(sha256(key));
    expect(await dumpKeys(db)).not.toContain(key.slice(4, 20));
  });

  it('gives the default limits and no end by default', async () => {
    const db = await openTemporaryDatabase();

    const { key: _, ...record } = await createKey(db, wanted);

    const plain = { rateLimit: 'default', quota: 'default', expiresAt: null };
    expect(record).toMatchObject(plain);
    expect(await findKeyById(db, record.id)).toMatchObject(plain);
  });

  it('makes a different key each time', async () => {
    const db = await openTemporaryDatabase();

    const [one, other] = [await createKey(db, wanted), await createKey(db, wanted)];

    expect(one.key).not.toBe(other.key);
    expect(one.id).not.toBe(other.id);
  });

  it('is audited without the secret, and raises the revision for every process', async () => {
    const db = await openTemporaryDatabase();

    const own = { quota: 5_000, scopes: ['read'], expiresAt: latest } as const;
    const { id } = await createKey(db, { ...wanted, ...own });

    const detail = { name: 'shop', rateLimit: 'default', ...own };
    expect(await auditOf(db)).toEqual([{ at, action: 'keys.create', subject: id, detail }]);
    expect(await keysRevisionOf(db)).toBe(1);
  });
});

describe('changeKey (contract C25, C26)', () => {
  it.each([
    ['the name', { name: 'webshop' }],
    ['the rate limit', { rateLimit: 25 }],
    ['the quota', { quota: 'none' }],
    ['the scopes', { scopes: ['webhooks'] }],
    ['when it expires', { expiresAt: latest }],
    ['that it never expires', { expiresAt: null }],
    ['everything', { name: 'x', rateLimit: 'none', quota: 7, expiresAt: latest }],
  ] as const)('changes %s and leaves the rest as it was', async (_, change) => {
    const db = await openTemporaryDatabase();
    const { key, ...before } = await createKey(db, { ...wanted, quota: 9, expiresAt: later });
    const { key: _other, ...other } = await createKey(db, { ...wanted, at: latest });

    const changed = await changeKey(db, before.id, { ...change, at: later });

    const after = { ...before, ...change };
    expect(changed).toEqual({ kind: 'changed', record: after });
    expect((await findKey(db, sha256(key)))?.record).toEqual(after);
    expect(await findKeyById(db, other.id)).toEqual(other);
  });

  it('is audited with old and new values of the changed fields, and raises the revision for every process', async () => {
    const db = await openTemporaryDatabase();
    const { id } = await createKey(db, wanted);

    await changeKey(db, id, { quota: 5_000, at: later });

    const detail = { before: { quota: 'default' }, after: { quota: 5_000 } };
    expect((await auditOf(db)).slice(1)).toEqual([
      { at: later, action: 'keys.change', subject: id, detail },
    ]);
    expect(await keysRevisionOf(db)).toBe(2);
  });

  it('gives an expired key more time', async () => {
    const db = await openTemporaryDatabase();
    const { id } = await createKey(db, { ...wanted, expiresAt: later });

    const changed = await changeKey(db, id, { expiresAt: null, at: latest });

    expect(changed).toMatchObject({ kind: 'changed', record: { expiresAt: null } });
  });

  it('leaves a revoked key unchanged, and reports when it was revoked', async () => {
    const db = await openTemporaryDatabase();
    const { id } = await createKey(db, wanted);
    await revokeKey(db, id, { at: later });
    const before = await dumpKeys(db);

    const changed = await changeKey(db, id, { name: 'webshop', at: latest });

    expect(changed).toEqual({ kind: 'ended', why: 'revoked', at: later });
    expect(await dumpKeys(db)).toBe(before);
  });

  it('reports that there is no such key', async () => {
    const db = await openTemporaryDatabase();
    await createKey(db, wanted);
    const before = await dumpKeys(db);

    expect(await changeKey(db, 'key_x', { name: 'webshop', at })).toEqual({ kind: 'unknown' });

    expect(await dumpKeys(db)).toBe(before);
  });

  it('keeps the changes of two processes at the same time', async () => {
    const [db, other] = await openTwice();
    const { id } = await createKey(db, wanted);

    await Promise.all([
      changeKey(db, id, { rateLimit: 25, at: later }),
      changeKey(other, id, { quota: 5_000, at: latest }),
    ]);

    expect(await findKeyById(db, id)).toMatchObject({ rateLimit: 25, quota: 5_000 });
  });
});

describe('revokeKey (contract C25)', () => {
  it('leaves other keys unchanged', async () => {
    const db = await openTemporaryDatabase();
    const [one, other] = [await createKey(db, wanted), await createKey(db, wanted)];

    expect(await revokeKey(db, one.id, { at: later })).toBe(true);

    expect((await findKeyById(db, one.id))?.revokedAt).toBe(later);
    expect((await findKeyById(db, other.id))?.revokedAt).toBeNull();
  });

  it('is audited, and raises the revision for every process', async () => {
    const db = await openTemporaryDatabase();
    const { id } = await createKey(db, wanted);

    await revokeKey(db, id, { at: later });

    expect((await auditOf(db)).slice(1)).toEqual([
      { at: later, action: 'keys.revoke', subject: id, detail: {} },
    ]);
    expect(await keysRevisionOf(db)).toBe(2);
  });

  it('keeps the first instant if it is repeated, and adds no audit entry', async () => {
    const db = await openTemporaryDatabase();
    const { id } = await createKey(db, wanted);
    await revokeKey(db, id, { at: later });
    const before = await dumpKeys(db);

    expect(await revokeKey(db, id, { at: latest })).toBe(true);

    expect(await dumpKeys(db)).toBe(before);
  });

  it('reports that there is no such key', async () => {
    const db = await openTemporaryDatabase();
    await createKey(db, wanted);
    const before = await dumpKeys(db);

    expect(await revokeKey(db, 'key_unknown', { at: later })).toBe(false);

    expect(await dumpKeys(db)).toBe(before);
  });

  it('is recorded once if two processes revoke the key at the same time', async () => {
    const [db, other] = await openTwice();
    const { id } = await createKey(db, wanted);

    await Promise.all([revokeKey(db, id, { at: later }), revokeKey(other, id, { at: latest })]);

    expect(await auditOf(db)).toHaveLength(2);
    expect(await keysRevisionOf(db)).toBe(2);
  });
});
