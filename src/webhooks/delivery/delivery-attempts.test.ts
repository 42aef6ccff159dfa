import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { unusedAddress } from '../../../test/support/loopback-server.ts';
import { openAttempts, secretKey, secretOf } from '../../../test/support/open-attempts.ts';
import { noon } from '../../../test/support/stored-webhooks.ts';
import { seal } from '../../platform/encryption/secret-box.ts';

const retryAt = (dueAt: string) => ({ kind: 'retry', dueAt });
const inFive = retryAt('2026-11-20T12:00:05.000Z');

describe('DeliveryAttempts.begin: the verdict (contract C29)', () => {
  it.each([
    ['succeeds', 200, 0, { kind: 'succeeded' }],
    ['succeeds', 299, 2, { kind: 'succeeded' }],
    ['is retried', 300, 0, inFive],
    ['is retried', 302, 0, inFive],
    ['is retried', 409, 0, inFive],
    ['is retried', 411, 0, inFive],
    ['is retried after a longer step', 500, 1, retryAt('2026-11-20T12:05:00.000Z')],
    ['is exhausted', 500, 2, { kind: 'exhausted' }],
    ['is gone', 410, 0, { kind: 'gone' }],
    ['is gone', 410, 2, { kind: 'gone' }],
  ])('%s at %i after %i attempts', async (_, status, attemptsMade, verdict) => {
    const { receiver, claimed, run } = await openAttempts();
    receiver.status = status;

    const [result] = await run(claimed({ attemptsMade }));

    expect(result?.verdict).toEqual(verdict);
    expect(result?.attempt).toMatchObject({ at: noon, statusCode: status, error: undefined });
  });

  it.each([
    ['moves the next attempt randomly', 0, {}, '2026-11-20T12:00:04.000Z'],
    ['honours a Retry-After', 0.5, { 'retry-after': '8' }, '2026-11-20T12:00:08.000Z'],
  ])('%s', async (_, random, headers, dueAt) => {
    const { receiver, claimed, run } = await openAttempts({ random });
    receiver.status = 503;
    receiver.headers = headers;

    const [result] = await run(claimed());

    expect(result?.verdict).toEqual(retryAt(dueAt));
  });
});

describe('DeliveryAttempts.begin: the signatures (contract C27, C28)', () => {
  it('signs with the four newest of more secrets, the newest first', async () => {
    const { receiver, claimed, rotate, run } = await openAttempts();
    for (const n of [2, 3, 4, 5]) await rotate(n, n);

    await run(claimed());

    const [body = ''] = receiver.bodies;
    const sign = (n: number) => new Webhook(secretOf(n)).sign('evt_1', new Date(noon), body);
    expect(receiver.signatures).toEqual([[5, 4, 3, 2].map(sign).join(' ')]);
  });

  it('sends nothing if the secret cannot be decrypted, and delivers to other subscriptions', async () => {
    const { receiver, subscribe, claimed, lines, run } = await openAttempts();
    const unreadable = await subscribe(Buffer.alloc(32, 8));

    const [first, second] = await run(claimed({ subscriptionId: unreadable }), claimed());

    const error = 'signing secret not readable';
    const attempt = { at: noon, statusCode: undefined, durationMs: 0, error };
    expect(first).toMatchObject({ verdict: inFive, attempt });
    expect(second).toMatchObject({ verdict: { kind: 'succeeded' } });
    expect(receiver.bodies).toHaveLength(1);
    const line = { level: 'error', msg: error, subscriptionId: unreadable };
    expect(lines).toContainEqual(expect.objectContaining(line));
  });
});

describe('DeliveryAttempts.begin: the headers of a subscription (contract C27, C33)', () => {
  it.each([
    ['encrypted with another key', Buffer.alloc(32, 8), '[["x-gateway","canary"]]'],
    ['no headers', secretKey, 'canary'],
  ])('sends nothing if they are %s, and logs it without them', async (_, key, text) => {
    const { receiver, subscriptionId, claimed, lines, run } = await openAttempts();
    const sealedHeaders = seal(key, text, subscriptionId);

    const [result] = await run(claimed({ sealedHeaders }));

    const attempt = { statusCode: undefined, error: 'headers not readable' };
    expect(result).toMatchObject({ verdict: inFive, attempt });
    expect(receiver.bodies).toEqual([]);
    const line = { level: 'error', msg: 'headers not readable', subscriptionId };
    expect(lines).toContainEqual(expect.objectContaining(line));
    expect(JSON.stringify(lines)).not.toContain('canary');
  });
});

describe('DeliveryAttempts.begin: log and metrics', () => {
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
