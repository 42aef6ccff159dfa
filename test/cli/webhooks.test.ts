import { describe, expect, it } from 'vitest';
import type { PrintedDelivery } from '../../src/webhooks/delivery/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { runForJson, runCommand } from '../support/run-cli.ts';
import { startWebhooks } from '../webhooks/support/start-webhooks.ts';
import { addSubscriber, deliveriesOf } from '../webhooks/support/subscriber.ts';
import { settingsBeside } from './support/key-commands.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const createdAt = '2026-11-20T16:00:00.000Z';

describe('webhooks list (operator.md)', () => {
  it('lists the subscriptions of all keys, oldest first, or of one key', async () => {
    const service = await startWebhooks();
    const [one, other] = [await addSubscriber(service), await addSubscriber(service)];
    const headers = { 'X-Gateway': 'open sesame' };
    const oldest = await one.subscribe('oldest', { headers });
    setNow(service.scenario, '2026-11-20T16:01:00Z');
    const newest = await other.subscribe('newest');
    await other.done('PATCH', `/webhooks/${newest.id}`, { status: 'disabled' });
    const env = settingsBeside(service);

    const all = await runCommand(['webhooks', 'list'], env);
    const ofOne = await runForJson(['webhooks', 'list', '--key', one.id], env);

    expect(toCells(all.stdout)).toEqual([
      'id|key|status|reason|url|events|created',
      `${oldest.id}|${one.id}|enabled|-|${oldest.url}|rates.changed|${createdAt}`,
      `${newest.id}|${other.id}|disabled|requested|${newest.url}|rates.changed|2026-11-20T16:01:00.000Z`,
    ]);
    const { secret: _secret, ...shown } = oldest;
    expect(ofOne).toEqual([{ ...shown, headers: ['X-Gateway'], keyId: one.id }]);
  });
});

describe('webhooks deliveries (operator.md)', () => {
  it('lists the newest first, with the result of the last attempt', async () => {
    const service = await startWebhooks({ config: { webhookRetrySchedule: [0, 0] } });
    service.startDelivery();
    const subscriber = await addSubscriber(service);
    const { id } = await subscriber.subscribe('moody');
    const receiver = service.sandbox.receivers.named('moody');
    const test = async (minute: string, status: string): Promise<PrintedDelivery> => {
      setNow(service.scenario, `2026-11-20T16:${minute}:00Z`);
      await subscriber.done('POST', `/webhooks/${id}/test`);
      const newest = async () => (await deliveriesOf(subscriber, { id })).deliveries[0];
      await eventually(async () => (await newest())?.status === status);
      return (await newest()) as PrintedDelivery;
    };
    const succeeded = await test('01', 'succeeded');
    const body = `no\u001b[31m room${'!'.repeat(99)}`;
    receiver.apply({ answer: { status: 500, body } });
    const failed = await test('02', 'failed');
    receiver.apply({ answer: { redirectTo: 'http://[::1]/' } });
    const moved = await test('03', 'failed');
    receiver.apply({ answer: { reset: true } });
    const broken = await test('04', 'failed');
    const env = settingsBeside(service);

    const table = await runCommand(['webhooks', 'deliveries', id], env);
    const document = await runForJson(['webhooks', 'deliveries', id, '--limit', '2'], env);

    const rowOf = (one: PrintedDelivery): string =>
      `${one.id}|${one.eventId}|webhook.test|${one.status}`;
    expect(toCells(table.stdout)).toEqual([
      'id|event|type|status|attempts|last answer|text|next attempt',
      `${rowOf(broken)}|2|connection broken|-|-`,
      `${rowOf(moved)}|2|302|to http://[::1]/|-`,
      `${rowOf(failed)}|2|500|no [31m room${'!'.repeat(67)}…|-`,
      `${rowOf(succeeded)}|1|204|-|-`,
    ]);
    expect(document).toEqual([broken, moved]);
  });
});

describe('webhooks disable and enable (operator.md)', () => {
  it('stop and resume the deliveries of a running service', async () => {
    const service = await startWebhooks();
    // The command uses the clock of the machine, so the service needs the same time.
    setNow(service.scenario, new Date().toISOString());
    const subscriber = await addSubscriber(service);
    const { id } = await subscriber.subscribe('waiting');
    const env = settingsBeside(service);
    await subscriber.done('POST', `/webhooks/${id}/test`);

    const disabled = await runCommand(['webhooks', 'disable', id], env);
    const whileDisabled = await subscriber.done('GET', `/webhooks/${id}`);
    service.startDelivery();
    const enabled = await runForJson(['webhooks', 'enable', id], env);
    setNow(service.scenario, new Date().toISOString());
    const { received } = service.sandbox.receivers.named('waiting');
    await eventually(() => received.length === 1);

    expect(disabled).toEqual({ code: 0, stdout: `${id} is disabled\n`, stderr: '' });
    expect(whileDisabled).toMatchObject({ status: 'disabled', disabledReason: 'operator' });
    expect(enabled).toEqual({ id, status: 'enabled' });
    expect(await subscriber.done('GET', `/webhooks/${id}`)).toMatchObject({
      status: 'enabled',
      disabledReason: null,
    });
  });
});

function toCells(stdout: string): readonly string[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/).join('|'));
}
