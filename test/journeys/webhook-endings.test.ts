import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../src/access/authentication/key-changes.ts';
import { eventually } from '../support/eventually.ts';
import { today, tomorrow, WebhookService } from './support/webhook-service.ts';
import { changeRate } from '../support/sandbox/scripts.ts';

const dayAfter = '2025-08-03';
/** Two attempts, so that an event is exhausted soon. */
const config = { webhookRetrySchedule: [0, 5] };

describe('410 (contract C29)', () => {
  it('disables the subscription with a reason, and nothing more is sent', async () => {
    const world = await WebhookService.start({ answer: { status: 410 } });
    await world.publish(today);
    const gone = await world.attempted(1);

    await changeSweden(world, tomorrow, '24');
    await world.looked();

    expect(gone).toMatchObject({ status: 'failed', nextAttemptAt: null });
    expect(await world.subscription()).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
    });
    expect(world.receivedDates).toEqual([today]);
  });
});

describe('two exhausted events and five days without success (contract C29)', () => {
  it('disable the subscription with a reason', async () => {
    const world = await startExhausted({ events: 2 });

    world.moveTo('2025-08-05T14:05:00Z');
    await world.restart();

    await eventually(async () => (await world.subscription()).status === 'disabled');
    expect((await world.subscription()).disabledReason).toBe('failing');
  });

  it.each([
    { what: 'one event', events: 1, moment: '2025-08-06T07:00:00Z' },
    { what: 'five days but a minute', events: 2, moment: '2025-08-05T14:04:00Z' },
  ])('do not disable it with $what', async ({ events, moment }) => {
    const world = await startExhausted({ events });

    world.moveTo(moment);
    await world.restartAndMaintain();

    expect((await world.subscription()).status).toBe('enabled');
  });

  it('are counted again from 0 after each success', async () => {
    const world = await startExhausted({ events: 1 });
    world.receiver.apply({ answer: {} });
    await changeSweden(world, dayAfter, '23');
    await world.attempted(1);
    world.receiver.apply({ answer: { status: 500 } });
    await exhaust(world, '2025-08-04', '22');

    world.moveTo('2025-08-10T07:00:00Z');
    await world.restartAndMaintain();

    expect((await world.subscription()).status).toBe('enabled');
  });

  it('count their five days from the last success', async () => {
    const world = await startExhausted({ events: 1 });
    world.receiver.apply({ answer: {} });
    await changeSweden(world, dayAfter, '23');
    await world.attempted(1);
    world.receiver.apply({ answer: { status: 500 } });
    for (const [date, rate] of [
      ['2025-08-04', '22'],
      ['2025-08-05', '21'],
    ] as const) {
      await exhaust(world, date, rate);
    }

    world.moveTo('2025-08-07T07:00:00Z');
    await world.restartAndMaintain();

    expect((await world.subscription()).status).toBe('enabled');
  });
});

describe('a disabled subscription (contract C27, C29)', () => {
  it('gets its pending deliveries after it is enabled again', async () => {
    const world = await WebhookService.start({ answer: { status: 500, times: 1 } });
    await world.publish(today);
    await world.attempted(1);
    await world.caller.disable(world.id);
    world.moveTo('2025-08-01T12:00:00Z');
    await world.looked();
    const whileDisabled = world.receiver.received.length;

    await world.caller.enable(world.id);
    const delivery = await world.attempted(2);

    expect(whileDisabled).toBe(1);
    expect(delivery).toMatchObject({ status: 'succeeded', attempts: [{}, { statusCode: 204 }] });
  });
});

describe('a secret that is rotated while deliveries fail (contract C27)', () => {
  it('loses no delivery, and the receiver may use the new secret at any time of the overlap', async () => {
    const world = await WebhookService.start({ answer: { status: 503, times: 1 } });
    await world.publish(today);
    const { nextAttemptAt } = await world.attempted(1);

    const { secret } = await world.caller.post<{ readonly secret: string }>(
      `/${world.id}/rotate-secret`,
      {},
      200,
    );
    world.moveTo(nextAttemptAt ?? '');
    const byOld = await world.attempted(2);
    world.receiver.apply({ secrets: [secret] });
    await changeSweden(world, tomorrow, '24');
    const byNew = await world.attempted(1);
    await changeSweden(world, dayAfter, '23');
    const afterOverlap = await world.attempted(1);

    expect([byOld, byNew, afterOverlap].map(({ status }) => status)).toEqual(
      Array(3).fill('succeeded'),
    );
    expect(world.receivedDates).toEqual([today, today, tomorrow, dayAfter]);
    expect(world.receiver.received.every(({ verified }) => verified === true)).toBe(true);
  });

  it('signs only with the new secret after the overlap', async () => {
    const world = await WebhookService.start();
    await world.caller.post(`/${world.id}/rotate-secret`, { overlapHours: 1 }, 200);

    await world.publish(today);
    const { attempts } = await world.attempted(1);

    expect(attempts).toMatchObject([{ statusCode: 401 }]);
    expect(world.receiver.received).toMatchObject([{ verified: false }]);
  });
});

describe('a key that is revoked (contract C29)', () => {
  it('gets nothing more, neither pending deliveries nor new events', async () => {
    const world = await WebhookService.start({ answer: { status: 500 } });
    await world.publish(today);
    await world.attempted(1);
    const { db } = world.service.core;
    const { id } = await db.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
    await revokeKey(db, id, { at: world.now });
    // A process disables subscriptions of ended keys at its start, and then every minute.
    await world.restart();
    await eventually(async () => (await readStatus(world)).status === 'disabled');

    await changeSweden(world, tomorrow, '24');
    await world.looked();

    expect((await readStatus(world)).disabled_reason).toBe('key_ended');
    expect(world.receivedDates).toEqual([today]);
  });
});

/** Reads the database, because the API refuses a key that has ended. */
async function readStatus({
  service,
}: WebhookService): Promise<{ readonly status: string; readonly disabled_reason: string | null }> {
  return service.core.db
    .selectFrom('webhook_subscriptions')
    .select(['status', 'disabled_reason'])
    .executeTakeFirstOrThrow();
}

/** Subscribed at 14:05 UTC of 31 July; no attempt succeeds, and `events` events are exhausted. */
async function startExhausted({ events }: { readonly events: number }): Promise<WebhookService> {
  const world = await WebhookService.start({ config, answer: { status: 500 } });
  const changes = [
    [today, '24'],
    [tomorrow, '23'],
  ] as const;
  for (const [date, rate] of changes.slice(0, events)) await exhaust(world, date, rate);
  return world;
}

/** Publishes a day whose event is exhausted. */
async function exhaust(world: WebhookService, date: string, rate: string): Promise<void> {
  await changeSweden(world, date, rate);
  const { nextAttemptAt } = await world.attempted(1);
  world.moveTo(nextAttemptAt ?? '');
  await world.attempted(2);
}

/** Publishes a day on which Sweden moves its rate. */
async function changeSweden(world: WebhookService, date: string, rate: string): Promise<void> {
  changeRate(world.service.scenario, 'SE', 'standard', [rate], date);
  await world.publish(date);
}
