import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { noon, storeSubscription } from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../database/database.ts';
import { sampleEncrypted } from './encrypted-columns.ts';
import { seal } from './secret-box.ts';

const old = Buffer.alloc(32, 1);

/** A database with a text in every column of encrypted texts. */
async function openStored(): Promise<Db> {
  const db = await openTemporaryDatabase();
  await storeSubscription(db, { id: 'sub_a' });
  const sealed = seal(old, 'secret', 'sub_a');
  const secret = { id: 'whs_1', subscription_id: 'sub_a', sealed, created_at: noon, ends_at: null };
  await db.insertInto('webhook_secrets').values(secret).execute();
  const key = { id: 'key', public_key: '{}', created_at: noon, ended_at: null };
  await db
    .insertInto('evidence_keys')
    .values({ ...key, sealed: seal(old, 'private key', 'key') })
    .execute();
  const headers = { subscription_id: 'sub_a', url: 'https://a.example/', names: '["x-gateway"]' };
  await db
    .insertInto('webhook_headers')
    .values({
      ...headers,
      sealed: seal(old, '[["x-gateway","secret"]]', 'sub_a'),
      created_at: noon,
    })
    .execute();
  return db;
}

describe('the columns that are encrypted with SECRET_KEY', () => {
  it('are all columns that hold encrypted text', async () => {
    const db = await openStored();

    const tables = await db.introspection.getTables();
    const encrypted: string[] = [];
    for (const { name, columns } of tables) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
        db,
      );
      for (const column of columns) {
        const isEncrypted = rows.some((row) => /^v1\.[\w-]{40}/.test(String(row[column.name])));
        if (isEncrypted) encrypted.push(`${name}.${column.name}`);
      }
    }

    const known = ['evidence_keys.sealed', 'webhook_headers.sealed', 'webhook_secrets.sealed'];
    expect([...new Set(encrypted)].toSorted()).toEqual(known);
    expect(await sampleEncrypted(db)).toHaveLength(known.length);
  });
});
