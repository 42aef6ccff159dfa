import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { setMemberState, setNow } from '../support/sandbox/scripts.ts';
import type { TestService } from '../support/start-service.ts';
import { austrian, getCheck, postCheck } from '../vat-check/support/stored-checks-api.ts';
import { shareWebhooks, startWebhooks } from './support/start-webhooks.ts';
import { addSubscriber, deliveriesOf } from './support/subscriber.ts';

const events = ['vat.checked'];

function receivedBy(service: TestService, receiver: string) {
  return service.sandbox.receivers.named(receiver).received;
}

/** Ids of the checks whose ends a receiver has got. */
function checksReceived(service: TestService, receiver: string): string[] {
  return receivedBy(service, receiver).map(
    ({ body }) => (body as { readonly check: { readonly id: string } }).check.id,
  );
}

describe('vat.checked (rule K14)', () => {
  const service = shareWebhooks();
  beforeAll(() => service().startDelivery());

  it('has the check as its key reads it, signed, and the same bytes in a replay', async () => {
    const caller = await addSubscriber(service());
    const subscription = await caller.subscribe('ends', { events });

    const { check } = await postCheck(caller);
    await eventually(() => receivedBy(service(), 'ends').length === 1);

    const [first] = receivedBy(service(), 'ends');
    expect(first).toMatchObject({ verified: true });
    expect(first?.body).toEqual({
      type: 'vat.checked',
      timestamp: check.answeredAt,
      check: await getCheck(caller, check.id),
    });
    await eventually(
      async () => (await deliveriesOf(caller, subscription)).deliveries[0]?.status === 'succeeded',
    );
    const { deliveries } = await deliveriesOf(caller, subscription);
    const path = `/webhooks/${subscription.id}/deliveries/${deliveries[0]?.id}/replay`;
    await caller.done('POST', path);
    await eventually(() => receivedBy(service(), 'ends').length === 2);
    const [one, other] = receivedBy(service(), 'ends');
    expect(other?.bytes.equals(one!.bytes)).toBe(true);
    expect(other?.id).toBe(one?.id);
  });

  it('reaches neither another key nor a subscription that names no events', async () => {
    const caller = await addSubscriber(service());
    const other = await addSubscriber(service());
    await caller.subscribe('own', { events });
    await caller.subscribe('by-default');
    await other.subscribe('foreign', { events });

    const { check } = await postCheck(caller);
    await eventually(() => receivedBy(service(), 'own').length === 1);
    const { check: ofOther } = await postCheck(other);
    await eventually(() => receivedBy(service(), 'foreign').length === 1);

    expect(checksReceived(service(), 'own')).toEqual([check.id]);
    expect(checksReceived(service(), 'foreign')).toEqual([ofOther.id]);
    expect(receivedBy(service(), 'by-default')).toEqual([]);
  });

  it('is sent once for a check that an outage delayed, when it is answered', async () => {
    const own = await startWebhooks();
    own.startDelivery();
    own.startJobs();
    const caller = await addSubscriber(own);
    await caller.subscribe('delayed', { events });
    setMemberState(own.scenario, 'AT', 'down');
    const { check } = await postCheck(caller);
    expect(check.status).toBe('pending');
    setMemberState(own.scenario, 'AT', 'up');

    own.scenario.apply({ now: Date.parse(check.nextAttemptAt ?? '') + 60_000 });
    await eventually(() => receivedBy(own, 'delayed').length === 1);

    expect(receivedBy(own, 'delayed')[0]?.body).toMatchObject({
      check: { id: check.id, status: 'answered', valid: true, attempts: 2 },
    });
  });

  it('is sent for rows of a batch that reuse an answer, and not for those that are rejected', async () => {
    const own = await startWebhooks();
    own.startDelivery();
    const caller = await addSubscriber(own);
    const { check: earlier } = await postCheck(caller);
    await caller.subscribe('batch', { events });
    const later = '2026-11-21T16:00:00.000Z';
    setNow(own.scenario, later);
    const checks = [
      ...Array.from({ length: 3 }, () => ({ countryCode: 'AT', vatNumber: '?' })),
      { ...austrian, maxAgeSeconds: 7_776_000 },
      { ...austrian, maxAgeSeconds: 7_776_000 },
    ];

    await caller.done('POST', '/vatchecks/batch', { checks });
    await eventually(() => receivedBy(own, 'batch').length === 2);

    const bodies = receivedBy(own, 'batch').map(({ body }) => body);
    const { answeredAt } = earlier;
    const check = expect.objectContaining({ status: 'answered', answeredAt });
    expect(bodies).toEqual([1, 2].map(() => ({ type: 'vat.checked', timestamp: later, check })));
    // One event for each, and one for the earlier check.
    expect(await own.core.db.selectFrom('events').select('id').execute()).toHaveLength(3);
    const deliveries = own.core.db.selectFrom('webhook_deliveries').select('id');
    expect(await deliveries.execute()).toHaveLength(2);
  });

  it('is deleted with its check, and a delivery that has not succeeded is not made any more (rule K18)', async () => {
    const caller = await addSubscriber(service());
    service()
      .sandbox.receivers.named('failing')
      .apply({ answer: { status: 500 } });
    const subscription = await caller.subscribe('failing', { events });
    const { check } = await postCheck(caller, austrian);
    await eventually(() => receivedBy(service(), 'failing').length === 1);
    const { db } = service().core;

    await caller.done('DELETE', `/vatchecks/${check.id}`);

    expect((await deliveriesOf(caller, subscription)).deliveries).toEqual([]);
    const kept = db.selectFrom('events').select('id').where('subject', '=', check.id);
    expect(await kept.execute()).toEqual([]);
  });
});
