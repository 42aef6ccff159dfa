import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openFirstDatabase } from '../../../test/support/first-database.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { migrate } from '../../platform/database/migrations.ts';
import { sha256 } from '../../platform/digest.ts';
import { createKey, revokeKey, rotateKey } from './key-changes.ts';
import { findKey, findKeyById, listKeys } from './key-store.ts';
import { noteLastUses } from '../usage/store.ts';

const at = '2026-11-20T07:00:00.000Z';
const later = '2026-11-20T08:00:00.000Z';
const latest = '2026-11-20T09:00:00.000Z';
const wanted = { name: 'shop', at };
const unused = { endsAt: null, lastUsedAt: null };

describe('findKey (contract C25)', () => {
  it('finds a key by the hash of its secret, also when it was revoked', async () => {
    const db = await openTemporaryDatabase();
    await createKey(db, { name: 'another', at });
    const { key, ...record } = await createKey(db, { ...wanted, expiresAt: latest });
    await createKey(db, { name: 'third', at });
    const secret = { createdAt: at, ...unused };
    expect(await findKey(db, sha256(key))).toEqual({ record, secret });

    await revokeKey(db, record.id, { at: later });

    const revoked = { ...record, revokedAt: later };
    expect(await findKey(db, sha256(key))).toEqual({ record: revoked, secret });
  });

  it.each([
    ['of its own', 25, 1_000_000_000],
    ['that are none', 'none', 'none'],
    ['that are the default', 'default', 'default'],
    ['of which one is none', 1, 'none'],
  ] as const)('returns limits %s unchanged', async (_, rateLimit, quota) => {
    const db = await openTemporaryDatabase();
    const { key } = await createKey(db, { ...wanted, rateLimit, quota });

    const found = await findKey(db, sha256(key));

    expect(found?.record).toMatchObject({ rateLimit, quota });
  });

  it('finds a rotated key by each of its secrets, and reports which one it was', async () => {
    const db = await openTemporaryDatabase();
    const { key: first, ...record } = await createKey(db, wanted);
    const rotated = await rotateKey(db, record.id, { at: later, overlapEndsAt: latest });
    const second = rotated.kind === 'rotated' ? rotated.key : '';
    await noteLastUses(db, [sha256(first)], latest);

    expect(await findKey(db, sha256(first))).toEqual({
      record,
      secret: { createdAt: at, endsAt: latest, lastUsedAt: latest },
    });
    expect(await findKey(db, sha256(second))).toEqual({
      record,
      secret: { createdAt: later, ...unused },
    });
  });

  it('finds no key for an unknown secret', async () => {
    const db = await openTemporaryDatabase();
    const { key } = await createKey(db, wanted);

    expect(await findKey(db, sha256(`${key}x`))).toBeUndefined();
    expect(await findKey(db, key)).toBeUndefined();
  });

  it('finds a key that was made before keys had limits and scopes, with the default limits and every scope', async () => {
    const db = await openFirstDatabase();
    await sql`insert into api_keys (id, name, secret_hash, created_at, expires_at, revoked_at)
      values ('key_old', 'shop', 'hash', ${at}, ${later}, ${latest})`.execute(db);

    await migrate(db);

    expect(await findKey(db, 'hash')).toEqual({
      record: {
        id: 'key_old',
        name: 'shop',
        rateLimit: 'default',
        quota: 'default',
        scopes: ['read', 'checks', 'webhooks'],
        requester: null,
        createdAt: at,
        expiresAt: later,
        revokedAt: latest,
      },
      secret: { createdAt: at, ...unused },
    });
  });

  it('throws if a stored limit is malformed, instead of admitting everything', async () => {
    const db = await openTemporaryDatabase();
    const { key } = await createKey(db, wanted);
    await db.updateTable('api_keys').set({ rate_limit: '1e3' }).execute();

    await expect(findKey(db, sha256(key))).rejects.toThrow(
      'database: 1e3 is stored as a limit of a key',
    );
  });
});

describe('findKeyById', () => {
  it('finds no other key', async () => {
    const db = await openTemporaryDatabase();
    await createKey(db, { ...wanted, name: 'another' });
    const { key: _, ...record } = await createKey(db, wanted);

    expect(await findKeyById(db, record.id)).toEqual(record);
    expect(await findKeyById(db, 'key_unknown')).toBeUndefined();
  });
});

describe('listKeys', () => {
  it('is empty without keys', async () => {
    const db = await openTemporaryDatabase();

    expect(await listKeys(db)).toEqual([]);
  });

  it('gives the oldest first, also if they were created last', async () => {
    const db = await openTemporaryDatabase();
    await createKey(db, { name: 'third', at: latest });
    await createKey(db, { name: 'first', at });
    await createKey(db, { name: 'second', at: later });

    const names = (await listKeys(db)).map(({ name }) => name);

    expect(names).toEqual(['first', 'second', 'third']);
  });

  it('gives keys of the same instant in the order of their ids', async () => {
    const db = await openTemporaryDatabase();
    const limits = { rate_limit: 'none', quota: 'none' };
    const row = { name: 'shop', ...limits, scopes: 'read', created_at: at };
    const ids = ['key_c', 'key_a', 'key_b'];
    await db
      .insertInto('api_keys')
      .values(ids.map((id) => ({ ...row, id, expires_at: null, revoked_at: null })))
      .execute();

    expect((await listKeys(db)).map(({ id }) => id)).toEqual(['key_a', 'key_b', 'key_c']);
  });

  it('gives each key its own secrets, the newest first', async () => {
    const db = await openTemporaryDatabase();
    const { key, ...rotated } = await createKey(db, { ...wanted, rateLimit: 25, quota: 'none' });
    const { key: _, ...other } = await createKey(db, { name: 'another', at: later });
    await rotateKey(db, rotated.id, { at: later, overlapEndsAt: later });
    await rotateKey(db, rotated.id, { at: latest, overlapEndsAt: latest });
    await noteLastUses(db, [sha256(key)], later);

    expect(await listKeys(db)).toEqual([
      {
        ...rotated,
        secrets: [
          { createdAt: latest, ...unused },
          { createdAt: later, endsAt: latest, lastUsedAt: null },
          { createdAt: at, endsAt: later, lastUsedAt: later },
        ],
      },
      { ...other, secrets: [{ createdAt: later, ...unused }] },
    ]);
  });
});
