import { describe, expect, it } from 'vitest';
import { ScopeMissingError, verifyWebhook } from '../../client/src/index.ts';
import { addCaller } from '../api/support/caller.ts';
import { shareService } from '../support/start-service.ts';
import { clientOf, errorOf } from './support/client-of.ts';
import { startWithReceiver } from './support/own-receiver.ts';

const url = 'https://198.100.0.1/vat';
const service = shareService();

/** The webhooks of a new key. */
async function newWebhooks() {
  const { key } = await addCaller(service(), { rateLimit: 'none', quota: 'none' });
  return clientOf(service(), { key }).webhooks;
}

describe('subscriptions (contract C27)', () => {
  it('are created with a secret, changed, read and removed', async () => {
    const webhooks = await newWebhooks();

    const { secret, ...created } = await webhooks.create({ url, description: 'shop' });
    expect(secret).toMatch(/^whsec_/);
    expect(created).toMatchObject({ url, events: ['rates.changed'], status: 'enabled' });
    expect(await webhooks.list()).toEqual([created]);

    const { id, description } = created;
    const changed = await webhooks.update(id, { status: 'disabled' });
    expect(changed).toMatchObject({ id, description, disabledReason: 'requested' });
    expect(await webhooks.get(id)).toEqual(changed);

    expect(await webhooks.remove(id)).toBeUndefined();
    expect(await webhooks.list()).toEqual([]);
    expect(await errorOf(webhooks.get(id))).toMatchObject({ name: 'NotFoundError' });
  });

  it('are created with headers and a secret of the caller, and changed to other headers', async () => {
    const webhooks = await newWebhooks();
    const own = `whsec_${'c2VjcmV0'.repeat(4)}`;

    const headers = { Authorization: 'Bearer open sesame' };
    const { id, secret, ...created } = await webhooks.create({ url, headers, secret: own });
    const changed = await webhooks.update(id, { headers: { 'x-gateway': '1' } });

    expect([secret, created.headers, changed.headers]).toEqual([
      own,
      ['Authorization'],
      ['x-gateway'],
    ]);
    expect((await webhooks.update(id, { headers: null })).headers).toEqual([]);
  });

  it.each([
    [undefined, 24],
    [{ overlapHours: 0 }, 0],
    [{ overlapHours: 168 }, 168],
  ])('get a new secret with the overlap %o', async (overlap, hours) => {
    const webhooks = await newWebhooks();
    const { id, secret } = await webhooks.create({ url });

    const rotated = await webhooks.rotateSecret(id, overlap);

    const endsMs = Date.parse('2026-11-20T16:00:00Z') + hours * 3_600_000;
    expect(rotated).toMatchObject({ id, overlapEndsAt: new Date(endsMs).toISOString() });
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
  });

  it.each(['', '../usage', 'a/test', '?'])(
    'are not queried with the malformed id %j',
    async (id) => {
      const webhooks = await newWebhooks();

      for (const call of [
        webhooks.get(id),
        webhooks.remove(id),
        webhooks.update(id, {}),
        webhooks.test(id),
        webhooks.deliveries(id),
        webhooks.replayDelivery('sub_1', id),
      ]) {
        expect(await errorOf(call)).toMatchObject({
          name: 'InvalidArgumentError',
          field: 'id',
        });
      }
    },
  );
});

describe('deliveries (contract C27)', () => {
  it('are listed with their attempts, page by page, and sent again', async () => {
    const { service, url, came } = await startWithReceiver();
    const { webhooks } = clientOf(service);
    const { id } = await webhooks.create({ url });

    const sent = [await webhooks.test(id), await webhooks.test(id)];
    await expect.poll(() => came.length).toBe(2);
    await expect
      .poll(async () => (await webhooks.deliveries(id, { status: 'succeeded' })).deliveries.length)
      .toBe(2);
    const first = await webhooks.deliveries(id, { limit: 1 });
    const second = await webhooks.deliveries(id, { limit: 1, cursor: first.nextCursor ?? '' });
    const failed = await webhooks.deliveries(id, { status: 'failed' });
    const delivery = await webhooks.replayDelivery(id, sent[0]?.id ?? '');
    await expect.poll(() => came.length).toBe(3);

    expect(sent).toMatchObject([{ type: 'webhook.test' }, { type: 'webhook.test' }]);
    expect([...first.deliveries, ...second.deliveries].map((one) => one.id).toSorted()).toEqual(
      sent.map((one) => one.id).toSorted(),
    );
    expect(failed).toEqual({ deliveries: [], nextCursor: null });
    expect(second.nextCursor).toBeNull();
    expect(first.deliveries[0]?.attempts).toMatchObject([
      { statusCode: 204, error: null, answer: null, location: null },
    ]);
    expect(typeof first.deliveries[0]?.attempts[0]?.durationMs).toBe('number');
    expect(delivery).toMatchObject({ id: sent[0]?.id, status: 'pending' });
  });
});

describe('ScopeMissingError (contract C3)', () => {
  it('names the scope that the key lacks', async () => {
    const { key } = await addCaller(service(), { scopes: ['read'] });

    const error = await errorOf(clientOf(service(), { key }).webhooks.list());

    expect(error).toBeInstanceOf(ScopeMissingError);
    expect(error).toMatchObject({
      status: 403,
      code: 'scope missing: webhooks',
      scope: 'webhooks',
    });
  });
});

describe('vat.checked (rule K14)', () => {
  it('is verified, and has the check that has ended, with its counts as numbers', async () => {
    const { service, url, came } = await startWithReceiver();
    const { webhooks, checks } = clientOf(service);
    const { secret } = await webhooks.create({ url, events: ['vat.checked'] });

    const check = await checks.create({ countryCode: 'AT', vatNumber: 'U99999901' });
    await expect.poll(() => came.length).toBe(1);

    const [{ body, headers } = { body: Buffer.of(), headers: {} }] = came;
    const now = service.core.clock.now();
    const event = await verifyWebhook(body, headers, secret, { now });
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'vat.checked',
      timestamp: check.answeredAt,
      check,
    });
    expect(event.type === 'vat.checked' && event.check.attempts).toBe(1);
  });
});
