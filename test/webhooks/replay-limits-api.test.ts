import { describe, expect, it } from 'vitest';
import { attemptsKeptMax } from '../../src/webhooks/delivery/delivery-results.ts';
import type { PrintedDelivery } from '../../src/webhooks/delivery/delivery.ts';
import { deliveryIdOf } from '../../src/events/outbox.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareWebhooks } from './support/start-webhooks.ts';
import { addSubscriber, deliveriesOf } from './support/subscriber.ts';

describe('limits of tests and replays (contract C27)', () => {
  const service = shareWebhooks();

  it('allow one replay of a delivery a minute: the next is 429 RATE_LIMITED', async () => {
    const subscriber = await addSubscriber(service());
    const { id } = await subscriber.subscribe('often');
    const delivery = await subscriber.done<PrintedDelivery>('POST', `/webhooks/${id}/test`);
    const path = `/webhooks/${id}/deliveries/${delivery.id}/replay`;

    const answers = [await subscriber.send('POST', path), await subscriber.send('POST', path)];

    expect(answers[0]?.status).toBe(202);
    expect(formOf(answers[1]!)).toEqual(errorForm(429, 'RATE_LIMITED'));
    expect(answers[1]?.headers).toMatchObject({
      'retry-after': '60',
      'ratelimit-policy': '"replays-of-delivery";q=1;w=60',
      ratelimit: '"replays-of-delivery";r=0;t=60',
    });
  });

  it('allow 1,000 deliveries of a key an hour: more are 429 RATE_LIMITED, and nothing is sent', async () => {
    const subscriber = await addSubscriber(service());
    const { id } = await subscriber.subscribe('much');
    const delivery = await subscriber.done<PrintedDelivery>('POST', `/webhooks/${id}/test`);
    const { db } = service().core;
    const own = { key_id: subscriber.id, at: '2026-11-20T15:30:00.000Z' };
    await db
      .insertInto('webhook_replays')
      .values({ id: `rpl_${id}`, ...own, deliveries: 999 })
      .execute();

    const answers = [
      await subscriber.send('POST', `/webhooks/${id}/test`),
      await subscriber.send('POST', `/webhooks/${id}/deliveries/${delivery.id}/replay`),
      await subscriber.send('POST', `/webhooks/${id}/replay`, { since: '2026-01-01' }),
    ];

    expect(answers.slice(0, 2).map(formOf)).toEqual(Array(2).fill(errorForm(429, 'RATE_LIMITED')));
    expect(answers[0]?.headers).toMatchObject({
      'retry-after': '1800',
      'ratelimit-policy': '"replays";q=1000;w=3600',
      ratelimit: '"replays";r=0;t=1800',
    });
    expect(JSON.parse(answers[2]?.text ?? '')).toMatchObject({ events: 0 });
    expect((await deliveriesOf(subscriber, { id })).deliveries).toEqual([delivery]);
  });

  it('answer 400 to one request for more events than an hour allows', async () => {
    const subscriber = await addSubscriber(service());
    const { id } = await subscriber.subscribe('everything');
    const { db } = service().core;
    const rows = Array.from({ length: 1_001 }, (_, n) => ({
      id: `evt_${n}`,
      type: 'rates.changed',
      snapshot_date: `day ${n}`,
      created_at: '2030-01-01T00:00:00.000Z',
    }));
    await db.insertInto('events').values(rows).execute();

    const answer = await subscriber.send('POST', `/webhooks/${id}/replay`, { since: '2029-01-01' });

    const expected = 'a moment with at most 1000 events since then';
    expect(formOf(answer)).toEqual(errorForm(400, `invalid 'since' — expected ${expected}`));
  });

  it('keep a page of deliveries below 512 KB', async () => {
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
