import type { Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openFirstDatabase } from '../../../../test/support/first-database.ts';
import { createWebhooks } from './0003-webhooks.ts';
import { limitReplays } from './0008-replay-limits.ts';

describe('0008-replay-limits', () => {
  it('keeps the 20 newest attempts of each delivery', async () => {
    const db = await openFirstDatabase();
    await createWebhooks(db as unknown as Kysely<unknown>);
    const attempts = ['dlv_a', 'dlv_b'].flatMap((delivery_id) =>
      Array.from({ length: delivery_id === 'dlv_a' ? 23 : 20 }, (_, n) => ({
        id: `att_${delivery_id}_${n}`,
        delivery_id,
        at: `2026-11-20T12:00:${String(n).padStart(2, '0')}.000Z`,
        status_code: 500,
        duration_ms: 7,
        error: null,
      })),
    );
    await db.insertInto('webhook_attempts').values(attempts).execute();

    await limitReplays(db as unknown as Kysely<unknown>);

    const kept = await db.selectFrom('webhook_attempts').select('id').execute();
    const expected = attempts.filter(({ at }, n) => n >= 23 || at >= '2026-11-20T12:00:03.000Z');
    expect(kept.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
  });
});
