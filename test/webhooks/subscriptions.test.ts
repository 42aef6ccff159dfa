import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../src/platform/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { shareWebhooks, startWebhooks } from './support/start-webhooks.ts';
import {
  addSubscriber,
  type CreatedSubscription,
  type PrintedSubscription,
} from './support/subscriber.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const url = 'https://198.100.0.1/hook';
const createdAt = '2026-11-20T16:00:00.000Z';

describe('POST /webhooks (contract C27)', () => {
  const service = shareWebhooks();

  it('answers 201 with the subscription, its Location and its secret', async () => {
    const subscriber = await addSubscriber(service());

    const answer = await subscriber.send('POST', '/webhooks', { url });

    const created = JSON.parse(answer.text) as CreatedSubscription;
    expect(answer.status).toBe(201);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      location: `/webhooks/${created.id}`,
    });
    expect(created).toEqual({
      id: expect.stringMatching(/^sub_[0-9a-f]{16}$/),
      url,
      events: ['rates.changed'],
      description: null,
      headers: [],
      status: 'enabled',
      disabledReason: null,
      createdAt,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
  });

  it('makes exactly 10 for 20 simultaneous requests', async () => {
    const subscriber = await addSubscriber(service());

    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => subscriber.send('POST', '/webhooks', { url })),
    );

    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([...Array(10).fill(201), ...Array(10).fill(409)]);
    expect(await listOf(subscriber)).toHaveLength(10);
  });
});

describe('GET /webhooks (contract C27)', () => {
  it('answers the subscriptions of the key, oldest first, without secrets', async () => {
    const own = await startWebhooks();
    const subscriber = await addSubscriber(own);
    const made: CreatedSubscription[] = [];
    for (const minute of ['20', '10', '30']) {
      setNow(own.scenario, `2026-11-20T16:${minute}:00Z`);
      made.push(await subscriber.subscribe(minute));
    }

    const listed = await listOf(subscriber);

    const shown = made.map(({ secret: _secret, ...rest }) => rest);
    expect(listed).toEqual([shown[1], shown[0], shown[2]]);
  });
});

describe('PATCH /webhooks/{id} (contract C27)', () => {
  const service = shareWebhooks();

  it.each<[what: string, change: object, shown: object]>([
    ['the url', { url: 'https://198.100.0.2' }, { url: 'https://198.100.0.2/' }],
    ['the events', { events: ['rates.changed', 'rates.changed'] }, { events: ['rates.changed'] }],
    ['the description', { description: 'new' }, { description: 'new' }],
    ['the description to none', { description: null }, { description: null }],
    ['the status', { status: 'disabled' }, { status: 'disabled', disabledReason: 'requested' }],
    [
      'several fields',
      { url: 'https://198.100.0.3/x', description: '', status: 'disabled' },
      {
        url: 'https://198.100.0.3/x',
        description: '',
        status: 'disabled',
        disabledReason: 'requested',
      },
    ],
  ])('changes %s, and nothing else', async (_what, change, shown) => {
    const subscriber = await addSubscriber(service());
    const created = await subscriber.subscribe('changed', { description: 'old' });
    const { secret: _secret, ...before } = created;

    const answer = await subscriber.send('PATCH', `/webhooks/${created.id}`, change);

    const after = { ...before, ...shown };
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(JSON.parse(answer.text)).toEqual(after);
    expect(await subscriber.done('GET', `/webhooks/${created.id}`)).toEqual(after);
  });

  it('changes nothing if one of the fields cannot be written', async () => {
    const { db } = service().core;
    const subscriber = await addSubscriber(service());
    const { secret: _secret, ...before } = await subscriber.subscribe('whole');
    await refuseUrl(db, 'https://198.100.0.9/');

    const change = { url: 'https://198.100.0.9/', status: 'disabled' };
    const answer = await subscriber.send('PATCH', `/webhooks/${before.id}`, change);

    expect(answer.status).toBe(500);
    expect(await subscriber.done('GET', `/webhooks/${before.id}`)).toEqual(before);
  });

  it('delivers to the new url, signed with the same secret', async () => {
    const own = await startWebhooks();
    own.startDelivery();
    const subscriber = await addSubscriber(own);
    const { id, secret } = await subscriber.subscribe('before');
    const after = own.sandbox.receivers.named('after');
    after.apply({ secrets: [secret] });
    await subscriber.done('PATCH', `/webhooks/${id}`, { url: own.sandbox.receiverUrl('after') });

    await subscriber.done('POST', `/webhooks/${id}/test`);
    await eventually(() => after.received.length === 1);

    expect(after.received[0]?.verified).toBe(true);
    expect(own.sandbox.receivers.named('before').received).toEqual([]);
  });
});

async function listOf(
  subscriber: Awaited<ReturnType<typeof addSubscriber>>,
): Promise<readonly PrintedSubscription[]> {
  type List = { readonly webhooks: readonly PrintedSubscription[] };
  return (await subscriber.done<List>('GET', '/webhooks')).webhooks;
}

/** Lets the database refuse a URL. */
async function refuseUrl(db: Db, url: string): Promise<void> {
  const table = sql.table('webhook_subscriptions');
  const onSqlite = sql`create trigger refused before update of url on ${table} when new.url = ${sql.lit(url)}
    begin select raise(abort, 'refused'); end`;
  const onPostgresql = sql`alter table ${table} add constraint refused check (url <> ${sql.lit(url)})`;
  await (isPostgresql ? onPostgresql : onSqlite).execute(db);
}
