import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { writeAudit } from '../platform/database/audit.ts';
import type { Db } from '../platform/database/database.ts';
import { bumpRevision } from '../platform/database/revisions.ts';
import type { Tables } from '../platform/database/tables.ts';
import { sha256 } from '../platform/digest.ts';
import { formatApiKey } from './api-key.ts';

/** What is kept of a key: everything but the key. */
export type KeyRecord = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** The first instant at which it no longer works; null for never. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
};

/** Creates a key. `key` is the only time that it is ever seen: what is stored is its SHA-256. */
export async function createKey(
  db: Db,
  wanted: { readonly name: string; readonly expiresAt: string | null; readonly at: string },
): Promise<KeyRecord & { readonly key: string }> {
  const { name, expiresAt, at } = wanted;
  const key = formatApiKey(randomBytes(32));
  const id = `key_${randomBytes(8).toString('hex')}`;
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('api_keys')
      .values({
        id,
        name,
        secret_hash: sha256(key),
        created_at: at,
        expires_at: expiresAt,
        revoked_at: null,
      })
      .execute();
    await writeAudit(tx, { at, action: 'keys.create', subject: id, detail: { name, expiresAt } });
    await bumpRevision(tx, 'keys');
  });
  return { id, name, createdAt: at, expiresAt, revokedAt: null, key };
}

/** Ends a key for good; false when there is no such key. Revoking twice keeps the first instant. */
export async function revokeKey(db: Db, id: string, at: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const known = await tx
      .selectFrom('api_keys')
      .select('revoked_at')
      .where('id', '=', id)
      .executeTakeFirst();
    if (known === undefined) return false;
    if (known.revoked_at !== null) return true;

    await tx.updateTable('api_keys').set({ revoked_at: at }).where('id', '=', id).execute();
    await writeAudit(tx, { at, action: 'keys.revoke', subject: id, detail: {} });
    await bumpRevision(tx, 'keys');
    return true;
  });
}

/** All keys, the oldest first. */
export async function listKeys(db: Db): Promise<KeyRecord[]> {
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toRecord);
}

/** The record of a key by the SHA-256 of the key; undefined for a stranger's. */
export async function findKey(db: Db, secretHash: string): Promise<KeyRecord | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst();
  return row === undefined ? undefined : toRecord(row);
}

function toRecord(row: Selectable<Tables['api_keys']>): KeyRecord {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}
