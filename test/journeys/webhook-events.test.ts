import { describe, expect, it } from 'vitest';
import { databaseSettings } from '../support/temporary-database.ts';
import { liveDay, ratesMoment } from './support/days.ts';
import { eventually } from '../support/eventually.ts';
import { runVatfxForJson } from './support/run-vatfx.ts';
import { today, tomorrow, WebhookService } from './support/webhook-service.ts';
import { changeRate } from '../support/sandbox/scripts.ts';

describe('rates.changed (interface 6)', () => {
  it('is sent once, with the rows of its day, if there are changes', async () => {
    const world = await WebhookService.start();

    await world.publish(today);
    await eventually(() => world.receivedDates.length > 0);
    await world.looked();

    const { text } = await world.service.get(`/changes/${today}`);
    expect(world.receiver.received).toMatchObject([
      { verified: true, body: { type: 'rates.changed', snapshotDate: today, count: 3 } },
    ]);
    const body = world.receiver.received[0]?.bytes.toString() ?? '';
    expect(body).toContain(`"changes":${rowsOf(text)},`);
  });

  it('is not sent for a day without changes, nor for a repeated run', async () => {
    const world = await WebhookService.start();
    await world.publish(today);
    // Time moves only after the result is written; otherwise the claim would end, and the delivery be made again.
    await world.attempted(1);

    await world.service.liveAt(`${today}T08:00:00Z`);
    await liveDay(world.service, tomorrow);
    await world.looked();

    expect((await world.service.get('/rates')).text).toContain(`"version":"${tomorrow}"`);
    expect(world.receivedDates).toEqual([today]);
  });

  it('has the changes of categories beside it, for subscriptions that name that event (rule G9)', async () => {
    const world = await WebhookService.start();
    const url = world.service.sandbox.receiverUrl('goods');
    const wanted = { url, events: ['categories.changed'] };
    const { secret } = await world.caller.post<{ readonly secret: string }>('', wanted, 201);
    const goods = world.service.sandbox.receivers.named('goods');
    goods.apply({ secrets: [secret] });

    await world.publish(today);
    await eventually(() => goods.received.length > 0 && world.receiver.received.length > 0);
    // A delivery whose end is not stored before time moves is sent again.
    await world.looked();
    await world.publish(tomorrow);
    await world.looked();

    const { text } = await world.service.get(`/rates/${today}/categories/changes`);
    expect(goods.received).toMatchObject([
      { verified: true, body: { type: 'categories.changed', snapshotDate: today } },
    ]);
    const body = goods.received[0]?.bytes.toString() ?? '';
    expect(body.slice(body.indexOf('"changes":'))).toBe(text.slice(text.indexOf('"changes":')));
    expect(world.receiver.received).toMatchObject([{ body: { type: 'rates.changed' } }]);
  });

  it('is not sent for a held snapshot, and is sent after another process has approved it', async () => {
    const world = await WebhookService.start();
    const { scenario, config } = world.service;
    changeRate(scenario, 'HU', 'standard', ['35'], today);
    await world.publish(today);
    await world.looked();
    const whileHeld = world.receivedDates;
    const { held } = await findRates(world);

    const env = databaseSettings(config.databaseUrl);
    await runVatfxForJson(['snapshots', 'approve', held[0]?.id ?? ''], env);
    // The approval has the machine's time, which is later than the scripted time.
    world.moveTo(new Date(Date.now() + 60_000).toISOString());
    await eventually(() => world.receivedDates.length > 0);

    expect(whileHeld).toEqual([]);
    expect(world.receivedDates).toEqual([today]);
    expect(world.receiver.received).toMatchObject([{ verified: true, body: { count: 4 } }]);
  });

  it('is sent for each missed day after a restart', async () => {
    const world = await WebhookService.start();
    changeRate(world.service.scenario, 'SE', 'standard', ['24'], tomorrow);
    await world.service.stop();

    await world.service.start();
    world.service.startDelivery();
    await world.service.liveAt(ratesMoment('2025-08-03'));
    await eventually(() => world.receivedDates.length === 2);

    expect(new Set(world.receivedDates)).toEqual(new Set([today, tomorrow]));
    expect(world.receiver.received.every(({ verified }) => verified === true)).toBe(true);
  });
});

/** The text of `changes` in an answer of `/changes/<date>`. */
function rowsOf(text: string): string {
  const at = text.indexOf('"changes":[') + '"changes":'.length;
  return text.slice(at, text.lastIndexOf(']') + 1);
}

async function findRates(
  world: WebhookService,
): Promise<{ readonly held: readonly { readonly id: string }[] }> {
  const { text } = await world.service.sendToOps('/status');
  type Status = {
    readonly dataSets: { readonly rates: { readonly held: [{ readonly id: string }] } };
  };
  return (JSON.parse(text) as Status).dataSets.rates;
}
