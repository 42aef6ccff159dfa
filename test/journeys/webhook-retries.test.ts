import { describe, expect, it } from 'vitest';
import { today, WebhookService } from './support/webhook-service.ts';

const hourSeconds = 3_600;
/** Contract C29, without the first step, which is 0. */
const steps = [
  5,
  300,
  1_800,
  2 * hourSeconds,
  5 * hourSeconds,
  10 * hourSeconds,
  14 * hourSeconds,
  20 * hourSeconds,
  24 * hourSeconds,
];

describe('retries (contract C29)', () => {
  it('come after 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h, each ±20 %, and then no more', async () => {
    const world = await WebhookService.start({ answer: { status: 500 } });
    await world.publish(today);

    const waits: number[] = [];
    for (const [made] of steps.entries()) {
      const { nextAttemptAt } = await world.attempted(made + 1);
      waits.push((Date.parse(nextAttemptAt ?? '') - Date.parse(world.now)) / 1_000);
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

  it('reach a receiver that was down for a day, also over a restart', async () => {
    const world = await WebhookService.start({ answer: { reset: true } });
    await world.publish(today);
    for (let made = 1; made <= 6; made += 1) {
      const { nextAttemptAt } = await world.attempted(made);
      if (made === 3) await world.restart();
      world.moveTo(nextAttemptAt ?? '');
    }
    const { nextAttemptAt, eventId } = await world.attempted(7);
    world.moveTo('2025-08-02T06:59:00Z');
    world.receiver.apply({ answer: {} });

    await world.restart();
    world.moveTo(nextAttemptAt ?? '');
    const delivery = await world.attempted(8);

    expect(delivery.status).toBe('succeeded');
    expect(delivery.attempts.slice(0, 7).map(({ error }) => error)).toEqual(
      Array(7).fill('connection broken'),
    );
    expect(world.ids).toEqual([eventId]);
    expect(world.receiver.received.at(-1)).toMatchObject({ verified: true, seenBefore: true });
  });
});

describe('Retry-After (contract C29)', () => {
  it.each([
    { retryAfter: '9', what: 'longer than the step', least: 9, most: 9 },
    { retryAfter: '86400', what: 'longer than twice the step', least: 10, most: 10 },
    { retryAfter: '1', what: 'shorter than the step', least: 4, most: 6 },
    { retryAfter: 'soon', what: 'no time at all', least: 4, most: 6 },
    { retryAfter: 'Fri, 01 Aug 2025 07:00:08 GMT', what: 'a date', least: 8, most: 8 },
  ])(
    'of a 429 with $what gives a wait of $least to $most s',
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
