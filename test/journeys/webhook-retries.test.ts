import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../src/access/authentication/key-changes.ts';
import { eventually } from '../support/eventually.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { today, tomorrow, WebhookService } from './support/webhook-service.ts';

const hourSeconds = 3_600;
/** Contract C29, without the first step, which is 0. */
const steps = [5, 300, 1_800, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourSeconds)];

describe('retries (contract C29)', () => {
  it('come after 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h, each ±20 %, and then no more', async () => {
    const world = await WebhookService.start({ answer: { status: 500 } });
    await world.publish(today);

    const waits: number[] = [];
    for (const [made] of steps.entries()) {
      const { nextAttemptAt } = await world.attempted(made + 1);
      waits.push((Date.parse(nextAttemptAt ?? '') - Date.parse(world.now)) / 1_000);
      if (made === 3) await world.restart();
      world.moveTo(nextAttemptAt ?? '');
    }
    const last = await world.attempted(steps.length + 1);

    const shares = waits.map((seconds, at) => seconds / (steps[at] ?? 0));
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.8);
    expect(Math.max(...shares)).toBeLessThanOrEqual(1.2);
    expect(new Set(shares).size).toBe(shares.length);
    expect(last).toMatchObject({ status: 'failed', nextAttemptAt: null });
    expect(last.attempts.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(500));
    expect(world.receiver.received.every(({ verified }) => verified === true)).toBe(true);
    expect(new Set(world.receiver.received.map(({ bytes }) => bytes.toString())).size).toBe(1);
    expect(world.ids).toEqual([last.eventId]);
  });

  it.each([
    { retryAfter: '9', least: 9, most: 9 },
    { retryAfter: 'soon', least: 4, most: 6 },
  ])(
    'come after the Retry-After of a 429, if it is a time: $retryAfter',
    async ({ retryAfter, least, most }) => {
      const world = await WebhookService.start({ answer: { status: 429, retryAfter } });

      await world.publish(today);
      const { nextAttemptAt } = await world.attempted(1);

      const seconds = (Date.parse(nextAttemptAt ?? '') - Date.parse(world.now)) / 1_000;
      expect(seconds).toBeGreaterThanOrEqual(least);
      expect(seconds).toBeLessThanOrEqual(most);
    },
  );
});

describe('a subscription is disabled with a reason (contract C27, C29)', () => {
  it('by a 410, and nothing more is sent', async () => {
    const world = await WebhookService.start({ answer: { status: 410 } });
    await world.publish(today);
    const gone = await world.attempted(1);

    await changeSweden(world, tomorrow, '24');
    await world.looked();

    expect(gone).toMatchObject({ status: 'failed', nextAttemptAt: null });
    expect(await readStatus(world)).toEqual({ status: 'disabled', disabled_reason: 'gone' });
    expect(world.receivedDates).toEqual([today]);
  });

  it('by two exhausted events and five days without success', async () => {
    const config = { webhookRetrySchedule: [0, 5] };
    const world = await WebhookService.start({ config, answer: { status: 500 } });
    for (const [date, rate] of [[today, '24'] as const, [tomorrow, '23'] as const]) {
      await changeSweden(world, date, rate);
      world.moveTo((await world.attempted(1)).nextAttemptAt ?? '');
      await world.attempted(2);
    }

    world.moveTo('2025-08-05T14:04:00Z');
    await world.restartAndMaintain();
    expect(await readStatus(world)).toMatchObject({ status: 'enabled' });
    world.moveTo('2025-08-05T14:05:00Z');
    await world.restart();

    await eventually(async () => (await readStatus(world)).disabled_reason === 'failing');
  });

  it('by the end of its key: it gets neither pending deliveries nor new events', async () => {
    const world = await WebhookService.start({ answer: { status: 500 } });
    await world.publish(today);
    await world.attempted(1);
    const { db } = world.service.core;
    const { id } = await db.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
    await revokeKey(db, id, { at: world.now });
    // A process disables subscriptions of ended keys at its start, and then every minute.
    await world.restart();
    await eventually(async () => (await readStatus(world)).disabled_reason === 'key_ended');

    await changeSweden(world, tomorrow, '24');
    await world.looked();

    expect(world.receivedDates).toEqual([today]);
  });

  it('by its caller, and gets its pending deliveries after it is enabled again', async () => {
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

/** Reads the database, because the API refuses a key that has ended. */
async function readStatus({ service }: WebhookService) {
  return service.core.db
    .selectFrom('webhook_subscriptions')
    .select(['status', 'disabled_reason'])
    .executeTakeFirstOrThrow();
}

/** Publishes a day on which Sweden moves its rate. */
async function changeSweden(world: WebhookService, date: string, rate: string): Promise<void> {
  changeRate(world.service.scenario, 'SE', 'standard', [rate], date);
  await world.publish(date);
}
