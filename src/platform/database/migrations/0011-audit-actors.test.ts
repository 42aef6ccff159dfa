import type { Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import { listAudit, writeAudit } from '../audit.ts';
import { addAuditActors } from './0011-audit-actors.ts';

describe('0011-audit-actors', () => {
  it('leaves earlier rows without actor and reason, and later ones have both', async () => {
    const db = await openTemporaryDatabase();
    await db.schema.alterTable('audit').dropColumn('actor').execute();
    await db.schema.alterTable('audit').dropColumn('reason').execute();
    const earlier = { at: '2026-11-19T07:00:00.000Z', action: 'keys.revoke', subject: 'key_a' };
    await db
      .insertInto('audit')
      .values({ id: 'aud_1', ...earlier, detail: '{}' })
      .execute();

    await addAuditActors(db as unknown as Kysely<unknown>);

    const later = { ...earlier, at: '2026-11-20T07:00:00.000Z', detail: {} };
    const by = { actor: 'ann@web-1', reason: 'left the company' };
    await db.transaction().execute(async (tx) => writeAudit(tx, { ...later, by }));
    expect(await listAudit(db, 5)).toEqual([
      { ...later, ...by },
      { ...earlier, detail: {}, actor: null, reason: null },
    ]);
  });
});
