import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { TestService } from '../support/start-service.ts';
import { shareWebhooks, startWebhooks } from './support/start-webhooks.ts';
import { addSubscriber, type CreatedSubscription, type Subscriber } from './support/subscriber.ts';
import { setNow } from '../support/sandbox/scripts.ts';

type Rotated = { readonly id: string; readonly secret: string; readonly overlapEndsAt: string };

describe('POST /webhooks/{id}/rotate-secret (contract C27)', () => {
  const service = shareWebhooks();

  it('answers 200 with another secret, which no other answer shows', async () => {
    const subscriber = await addSubscriber(service());
    const { id, secret } = await subscriber.subscribe('rotated');

    const answer = await subscriber.send('POST', `/webhooks/${id}/rotate-secret`);

    const rotated = JSON.parse(answer.text) as Rotated;
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(rotated).toEqual({
      id,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      overlapEndsAt: '2026-11-21T16:00:00.000Z',
    });
    expect(rotated.secret).not.toBe(secret);
    expect((await subscriber.get(`/webhooks/${id}`)).text).not.toContain('whsec_');
  });
});

describe('the secrets of a subscription (contract C27, C28)', () => {
  it.each(['the old', 'the new'])(
    'both sign until the overlap ends: %s alone verifies',
    async (which) => {
      const { subscription, rotate, isVerifiedBy } = await startSubscribed();

      const { secret: next } = await rotate({ overlapHours: 1 }, '2026-11-20T16:00:01Z');
      const known = { 'the old': subscription.secret, 'the new': next }[which] ?? '';

      expect(await isVerifiedBy(known, '2026-11-20T16:00:02Z')).toBe(true);
      expect(await isVerifiedBy(known, '2026-11-20T17:00:00.999Z')).toBe(true);
    },
  );

  it('end with the overlap: after it only the new one signs', async () => {
    const { subscription, rotate, isVerifiedBy } = await startSubscribed();

    const { secret: next } = await rotate({ overlapHours: 1 }, '2026-11-20T16:00:01Z');

    expect(await isVerifiedBy(subscription.secret, '2026-11-20T17:00:01Z')).toBe(false);
    expect(await isVerifiedBy(next, '2026-11-20T17:00:02Z')).toBe(true);
  });

  it('do not sign longer because a later rotation has a longer overlap', async () => {
    const { subscription, rotate, isVerifiedBy } = await startSubscribed();

    const { secret: second } = await rotate({ overlapHours: 1 }, '2026-11-20T16:00:01Z');
    await rotate({ overlapHours: 100 }, '2026-11-20T16:00:02Z');

    expect(await isVerifiedBy(subscription.secret, '2026-11-20T17:00:01Z')).toBe(false);
    expect(await isVerifiedBy(second, '2026-11-20T17:00:01Z')).toBe(true);
  });

  it('all end immediately with a later rotation without an overlap', async () => {
    const { subscription, rotate, isVerifiedBy } = await startSubscribed();

    const { secret: second } = await rotate({ overlapHours: 100 }, '2026-11-20T16:00:01Z');
    const { secret: third } = await rotate({ overlapHours: 0 }, '2026-11-20T16:00:02Z');

    const known = [subscription.secret, second, third];
    const verdicts = [];
    for (const one of known) verdicts.push(await isVerifiedBy(one, '2026-11-20T16:00:03Z'));
    expect(verdicts).toEqual([false, false, true]);
  });
});

/** A subscription, and a receiver that verifies a test event with a given secret. */
async function startSubscribed(): Promise<{
  readonly service: TestService;
  readonly subscriber: Subscriber;
  readonly subscription: CreatedSubscription;
  readonly rotate: (body: object, moment: string) => Promise<Rotated>;
  readonly isVerifiedBy: (secret: string, moment: string) => Promise<boolean | null | undefined>;
}> {
  const service = await startWebhooks();
  service.startDelivery();
  const subscriber = await addSubscriber(service);
  const subscription = await subscriber.subscribe('receiver');
  const receiver = service.sandbox.receivers.named('receiver');
  const path = `/webhooks/${subscription.id}`;
  return {
    service,
    subscriber,
    subscription,
    rotate: async (body, moment) => {
      setNow(service.scenario, moment);
      return subscriber.done<Rotated>('POST', `${path}/rotate-secret`, body);
    },
    isVerifiedBy: async (secret, moment) => {
      setNow(service.scenario, moment);
      receiver.apply({ secrets: [secret], answer: { status: 204 } });
      const before = receiver.received.length;
      await subscriber.done('POST', `${path}/test`);
      await eventually(() => receiver.received.length > before);
      return receiver.received.at(-1)?.verified;
    },
  };
}
