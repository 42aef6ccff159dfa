import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openFirstDatabase } from '../../../../test/support/first-database.ts';
import { explainAccess } from '../../../../test/support/query-plan.ts';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../../test/support/temporary-database.ts';
import type { Db } from '../database.ts';
import { migrate } from '../migrations.ts';

const created = '2026-11-01T00:00:00.000Z';
const expires = '2026-12-01T00:00:00.000Z';
const revoked = '2026-11-10T00:00:00.000Z';

/** Opens a database of version 0.1 with three keys: one that works, one that expires, one that was revoked. */
async function openWithKeys(url?: string): Promise<Db> {
  const db = await openFirstDatabase(url);
  await sql`insert into api_keys (id, name, secret_hash, created_at, expires_at, revoked_at) values
    ('key_a', 'shop', 'hash-a', ${created}, null, null),
    ('key_b', 'trial', 'hash-b', ${created}, ${expires}, null),
    ('key_c', 'shop', 'hash-c', ${created}, null, ${revoked})`.execute(db);
  return db;
}

describe('0002-key-limits-and-use', () => {
  it('keeps names, expiry and revocation, and gives every key the default limits', async () => {
    const db = await openWithKeys();

    await migrate(db);

    const scopes = 'read checks webhooks';
    const plain = {
      rate_limit: 'default',
      quota: 'default',
      scopes,
      requester: null,
      created_at: created,
    };
    expect(await db.selectFrom('api_keys').selectAll().orderBy('id').execute()).toEqual([
      { id: 'key_a', name: 'shop', ...plain, expires_at: null, revoked_at: null },
      { id: 'key_b', name: 'trial', ...plain, expires_at: expires, revoked_at: null },
      { id: 'key_c', name: 'shop', ...plain, expires_at: null, revoked_at: revoked },
    ]);
  });

  it('makes the hash of each key its only secret, without an end', async () => {
    const db = await openWithKeys();

    await migrate(db);

    const plain = { created_at: created, ends_at: null, last_used_at: null };
    expect(await db.selectFrom('key_secrets').selectAll().orderBy('key_id').execute()).toEqual([
      { secret_hash: 'hash-a', key_id: 'key_a', ...plain },
      { secret_hash: 'hash-b', key_id: 'key_b', ...plain },
      { secret_hash: 'hash-c', key_id: 'key_c', ...plain },
    ]);
  });

  it('still refuses a second key of the same id and a second secret of the same hash', async () => {
    const db = await openWithKeys();

    await migrate(db);

    const row = sql`'key_a', 'shop', 'none', 'none', ${created}`;
    await expect(
      sql`insert into api_keys (id, name, rate_limit, quota, created_at) values (${row})`.execute(
        db,
      ),
    ).rejects.toThrow(/unique constraint.*api_keys/i);
    await expect(
      sql`insert into key_secrets (secret_hash, key_id, created_at)
        values ('hash-a', 'key_b', ${created})`.execute(db),
    ).rejects.toThrow(/unique constraint.*key_secrets/i);
  });

  it('leaves the keys as they were if it fails halfway', async () => {
    const db = await openWithKeys();
    await sql`create table key_use (in_the_way text)`.execute(db);

    await expect(migrate(db)).rejects.toThrow('the migration failed; nothing was changed');

    const { rows } = await sql`select id, secret_hash from api_keys order by id`.execute(db);
    expect(rows).toEqual([
      { id: 'key_a', secret_hash: 'hash-a' },
      { id: 'key_b', secret_hash: 'hash-b' },
      { id: 'key_c', secret_hash: 'hash-c' },
    ]);
  });

  it('keeps every key once if two processes open the database at the same time', async () => {
    const url = temporaryDatabaseUrl({ isEmpty: true });
    await openWithKeys(url);

    const [db] = await Promise.all([openTemporaryDatabase(url), openTemporaryDatabase(url)]);

    const keys = await db.selectFrom('api_keys').select('id').orderBy('id').execute();
    expect(keys.map(({ id }) => id)).toEqual(['key_a', 'key_b', 'key_c']);
    const secrets = await db.selectFrom('key_secrets').select('key_id').orderBy('key_id').execute();
    expect(secrets).toHaveLength(3);
  });

  it.each([
    ['the secrets of a key', `key_secrets where key_id = '1' order by created_at`],
    ['a key by its secret', `key_secrets where secret_hash = '1'`],
    ['the use of a key on some days', `key_use where key_id = '1' and use_date > '2'`],
    ['counts of use that are too old', `key_use where use_date < '1' limit 250`],
  ])('finds %s without reading the whole table', async (_, from) => {
    const db = await openTemporaryDatabase();

    expect(await explainAccess(db, from)).toBe('by index');
  });
});
