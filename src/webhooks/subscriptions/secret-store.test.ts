import { describe, expect, it } from 'vitest';
import type { Db } from '../../platform/database/database.ts';
import { noon } from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { rotateSecret } from './secret-store.ts';
import { insertSubscription } from './store.ts';

/** Stores a subscription with its first secret; returns its id. */
async function insert(db: Db): Promise<string> {
  const seal = (id: string): string => `sealed for ${id}`;
  const url = new URL('https://shop.example/');
  const wanted = { keyId: 'key_a', url, events: [], description: null };
  return (await insertSubscription(db, { ...wanted, at: noon, seal }))?.id ?? '';
}

/** Gives a subscription a new secret at a time of the day; older secrets sign until another time. */
async function rotate(db: Db, id: string, sealed: string, at: string, until: string) {
  const overlapEndsAt = `2026-11-20T${until}Z`;
  const by = { at: `2026-11-20T${at}Z` };
  await rotateSecret(db, id, { by, seal: () => sealed, overlapEndsAt });
}

describe('rotateSecret (contract C27)', () => {
  it('deletes secrets that have ended, and no others', async () => {
    const db = await openTemporaryDatabase();
    const id = await insert(db);
    await rotate(db, id, 'second', '13:00:00.000', '14:00:00.000');
    await rotate(db, id, 'third', '14:00:00.000', '14:00:00.001');

    const rows = await db
      .selectFrom('webhook_secrets')
      .select('sealed')
      .orderBy('sealed')
      .execute();

    expect(rows.map(({ sealed }) => sealed)).toEqual(['second', 'third']);
  });
});
