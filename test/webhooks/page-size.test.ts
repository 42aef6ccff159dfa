import { describe, expect, it } from 'vitest';
import { attemptsKeptMax } from '../../src/webhooks/delivery/delivery-results.ts';
import { deliveryIdOf } from '../../src/events/outbox.ts';
import { shareWebhooks } from './support/start-webhooks.ts';
import { addSubscriber } from './support/subscriber.ts';

describe('GET /webhooks/{id}/deliveries (contract C27)', () => {
  const service = shareWebhooks();

  it('keeps a page below 512 KB', async () => {
    const subscriber = await addSubscriber(service());
    const { id } = await subscriber.subscribe('filled');
    const { db } = service().core;
    const at = '2026-11-20T15:30:00.000Z';
    const numbers = Array.from({ length: 200 }, (_, n) => n + 10_000);
    const ids = numbers.map((n) => `evt_${n}0123456789abcdef012`);
    const event = { type: 'webhook.test', snapshot_date: null, created_at: at };
    await db
      .insertInto('events')
      .values(ids.map((one) => ({ id: one, ...event })))
      .execute();
    const own = { subscription_id: id, created_at: at, attempts_made: 10, due_at: at };
    const rows = ids.map((event_id) => {
      return { id: deliveryIdOf(event_id, id), event_id, status: 'succeeded' as const, ...own };
    });
    await db.insertInto('webhook_deliveries').values(rows).execute();
    // The longest error, in as many attempts as are kept.
    const error = 'certificate or TLS not accepted';
    const attempt = { at, status_code: null, duration_ms: 15_000, error };
    const attempts = rows.flatMap((row) =>
      Array.from({ length: attemptsKeptMax }, (_, n) => {
        return { id: `att_${row.id}_${n}`, delivery_id: row.id, ...attempt };
      }),
    );
    await db.insertInto('webhook_attempts').values(attempts).execute();

    const pages: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { text } = await subscriber.get(`/webhooks/${id}/deliveries?limit=200${next}`);
      pages.push(text);
      cursor = (JSON.parse(text) as { readonly nextCursor: string | null }).nextCursor;
    }

    expect(pages.join('').split('"at":')).toHaveLength(4_001);
    expect(pages.filter((text) => Buffer.byteLength(text) >= 512 * 1_024)).toEqual([]);
  });
});
