import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { unusedAddress } from '../../../test/support/loopback-server.ts';
import { openAttempts, secretOf } from '../../../test/support/open-attempts.ts';
import { noon } from '../../../test/support/stored-webhooks.ts';
import { removeSubscription } from '../subscriptions/store.ts';

/** Signatures of a body at noon with these secrets. */
function signaturesOf(secrets: readonly number[], body: string): string {
  return secrets.map((n) => new Webhook(secretOf(n)).sign('evt_1', new Date(noon), body)).join(' ');
}

describe('DeliveryAttempts.begin: the verdict (contract C29)', () => {
  const retryAt = (dueAt: string) => ({ kind: 'retry', dueAt });
  const inFive = retryAt('2026-11-20T12:00:05.000Z');

  it.each([
    ['succeeds at 200', 200, 0, { kind: 'succeeded' }],
    ['succeeds at 299', 299, 2, { kind: 'succeeded' }],
    ['is retried after a 300', 300, 0, inFive],
    ['is retried after a redirect', 302, 0, inFive],
    ['is retried after a 409', 409, 0, inFive],
    ['is retried after a 411', 411, 0, inFive],
    ['is retried after a 500', 500, 0, inFive],
    [
      'is retried after a longer step after two failures',
      500,
      1,
      retryAt('2026-11-20T12:05:00.000Z'),
    ],
    ['is exhausted after the last step', 500, 2, { kind: 'exhausted' }],
    ['is gone at 410', 410, 0, { kind: 'gone' }],
    ['is gone at 410, also at the last step', 410, 2, { kind: 'gone' }],
  ])('%s', async (_, status, attemptsMade, verdict) => {
    const { receiver, claimed, run } = await openAttempts();
    receiver.status = status;

    const [result] = await run(claimed({ attemptsMade }));

    expect(result?.verdict).toEqual(verdict);
    expect(result?.attempt).toMatchObject({ at: noon, statusCode: status, error: undefined });
  });

  it('is retried if there was no answer', async () => {
    const { claimed, run } = await openAttempts();
    const delivery = claimed({ url: await unusedAddress() });

    const [result] = await run(delivery);

    expect(result).toMatchObject({
      delivery,
      verdict: inFive,
      attempt: { statusCode: undefined, error: 'connection refused' },
    });
  });

  it.each([
    ['moves the next attempt randomly', 0, {}, '2026-11-20T12:00:04.000Z'],
    ['honours a Retry-After', 0.5, { 'retry-after': '8' }, '2026-11-20T12:00:08.000Z'],
    [
      'honours a Retry-After up to twice the step',
      0.5,
      { 'retry-after': '3600' },
      '2026-11-20T12:00:10.000Z',
    ],
  ])('%s', async (_, random, headers, dueAt) => {
    const { receiver, claimed, run } = await openAttempts({ random });
    receiver.status = 503;
    receiver.headers = headers;

    const [result] = await run(claimed());

    expect(result?.verdict).toEqual(retryAt(dueAt));
  });
});

describe('DeliveryAttempts.begin: the signatures (contract C27, C28)', () => {
  it('signs with both secrets during the overlap of a rotation, the newer first', async () => {
    const { receiver, claimed, rotate, run } = await openAttempts();
    await run(claimed());
    await rotate(2, 10);

    await run(claimed());

    const [body = ''] = receiver.bodies;
    expect(receiver.signatures).toEqual([signaturesOf([1], body), signaturesOf([2, 1], body)]);
  });

  it('signs with the four newest of more secrets', async () => {
    const { receiver, claimed, rotate, run } = await openAttempts();
    for (const n of [2, 3, 4, 5]) await rotate(n, n);

    await run(claimed());

    const [body = ''] = receiver.bodies;
    expect(receiver.signatures).toEqual([signaturesOf([5, 4, 3, 2], body)]);
  });

  it('does not sign with a secret that has ended', async () => {
    const { clock, receiver, claimed, rotate, run } = await openAttempts();
    await rotate(2, 10);
    clock.set('2026-11-20T12:30:00.000Z');

    await run(claimed());

    expect(receiver.signatures).toEqual([expect.stringMatching(/^v1,[^ ]+$/)]);
  });

  it('sends nothing if the secret cannot be decrypted, and delivers to other subscriptions', async () => {
    const { receiver, subscribe, claimed, lines, run } = await openAttempts();
    const unreadable = await subscribe(Buffer.alloc(32, 8));

    const [first, second] = await run(claimed({ subscriptionId: unreadable }), claimed());

    expect(first).toMatchObject({
      verdict: { kind: 'retry', dueAt: '2026-11-20T12:00:05.000Z' },
      attempt: {
        at: noon,
        statusCode: undefined,
        durationMs: 0,
        error: 'signing secret not readable',
      },
    });
    expect(second).toMatchObject({ verdict: { kind: 'succeeded' } });
    expect(receiver.bodies).toHaveLength(1);
    const line = { level: 'error', msg: 'signing secret not readable', subscriptionId: unreadable };
    expect(lines).toContainEqual(expect.objectContaining(line));
  });

  it('sends nothing if the subscription was removed meanwhile', async () => {
    const { db, receiver, subscriptionId, claimed, run } = await openAttempts();
    await removeSubscription(db, subscriptionId, { at: noon });

    await run(claimed());

    expect(receiver.bodies).toEqual([]);
  });
});

describe('DeliveryAttempts.begin: log and metrics', () => {
  it.each([
    ['succeeded', 204, 0, 'debug', 'webhook delivered'],
    ['retry', 500, 0, 'info', 'webhook attempt failed'],
    ['exhausted', 500, 2, 'warn', 'webhook given up'],
    ['gone', 410, 0, 'warn', 'webhook given up'],
  ])(
    'counts and logs an attempt with the outcome %s',
    async (outcome, status, attemptsMade, level, msg) => {
      const { receiver, subscriptionId, metrics, lines, claimed, run } = await openAttempts();
      receiver.status = status;

      const [result] = await run(claimed({ attemptsMade }));

      const counted = (await metrics.webhookAttempts.get()).values;
      expect(counted).toEqual([{ labels: { outcome }, value: 1 }]);
      const sum = (await metrics.webhookSeconds.get()).values.at(-2);
      expect(sum?.value).toBe((result?.attempt.durationMs ?? -1) / 1_000);
      const ids = { deliveryId: 'dlv_1', subscriptionId, eventId: 'evt_1' };
      const how = { statusCode: status, durationMs: expect.any(Number), error: null };
      expect(lines).toEqual([{ level, time: expect.any(String), msg, ...ids, ...how }]);
    },
  );

  it('never logs a secret, a body or a URL', async () => {
    const { receiver, changes, subscribe, lines, claimed, run } = await openAttempts();
    changes.answer = { json: '["canary-body"]', count: 1 };
    receiver.status = 500;
    const unreadable = await subscribe(Buffer.alloc(32, 8));
    const url = await unusedAddress();

    await run(claimed(), claimed({ subscriptionId: unreadable }), claimed({ url }));

    const logged = JSON.stringify(lines);
    expect(lines).toHaveLength(4);
    expect(logged).not.toMatch(/whsec_|canary-body|v1,|v1\.|127\.0\.0\.1/);
    expect(logged).not.toContain(secretOf(1).slice(6, 40));
  });
});
