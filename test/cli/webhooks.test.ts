import { describe, expect, it } from 'vitest';
import type { PrintedDelivery } from '../../src/webhooks/delivery/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { runForJson, runCommand } from '../support/run-cli.ts';
import { startWebhooks } from '../webhooks/support/start-webhooks.ts';
import { addSubscriber, deliveriesOf } from '../webhooks/support/subscriber.ts';
import { openKeyDatabase, settingsBeside } from './support/key-commands.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const createdAt = '2026-11-20T16:00:00.000Z';

describe('webhooks list (operator.md)', () => {
  it('says how callers subscribe if there is no subscription', async () => {
    const { env } = await openKeyDatabase();

    const table = await runCommand(['webhooks', 'list'], env);
    const document = await runForJson(['webhooks', 'list'], env);

    const sentence = 'There are no subscriptions; callers make them with POST /webhooks.\n';
    expect(table).toEqual({ code: 0, stdout: sentence, stderr: '' });
    expect(document).toEqual([]);
  });

  it('lists the subscriptions of all keys, oldest first, or of one key', async () => {
    const service = await startWebhooks();
    const [one, other] = [await addSubscriber(service), await addSubscriber(service)];
    const oldest = await one.subscribe('oldest');
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
    expect(ofOne).toEqual([{ ...shown, keyId: one.id }]);
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
    receiver.apply({ answer: { status: 500 } });
    const failed = await test('02', 'failed');
    receiver.apply({ answer: { reset: true } });
    const broken = await test('03', 'failed');
    const env = settingsBeside(service);

    const table = await runCommand(['webhooks', 'deliveries', id], env);
    const document = await runForJson(['webhooks', 'deliveries', id, '--limit', '2'], env);

    const rowOf = (one: PrintedDelivery): string =>
      `${one.id}|${one.eventId}|webhook.test|${one.status}`;
    expect(toCells(table.stdout)).toEqual([
      'id|event|type|status|attempts|last answer|next attempt',
      `${rowOf(broken)}|2|connection broken|-`,
      `${rowOf(failed)}|2|500|-`,
      `${rowOf(succeeded)}|1|204|-`,
    ]);
    expect(document).toEqual([broken, failed]);
  });

  it('lists pending deliveries, 20 by default', async () => {
    const service = await startWebhooks();
    const subscriber = await addSubscriber(service);
    const { id } = await subscriber.subscribe('waiting');
    for (let made = 0; made < 21; made += 1) await subscriber.done('POST', `/webhooks/${id}/test`);

    const { stdout } = await runCommand(['webhooks', 'deliveries', id], settingsBeside(service));

    const [, ...rows] = toCells(stdout);
    expect(rows).toHaveLength(20);
    expect(rows[0]).toMatch(new RegExp(`\\|webhook\\.test\\|pending\\|0\\|-\\|${createdAt}$`));
  });

  it('prints a sentence if there are no deliveries', async () => {
    const service = await startWebhooks();
    const { id } = await (await addSubscriber(service)).subscribe('quiet');

    const { stdout } = await runCommand(['webhooks', 'deliveries', id], settingsBeside(service));

    expect(stdout).toBe(`Nothing was delivered to ${id} yet.\n`);
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

  it('keep the reason of a subscription that is already disabled', async () => {
    const service = await startWebhooks();
    const subscriber = await addSubscriber(service);
    const { id } = await subscriber.subscribe('disabled');
    await subscriber.done('PATCH', `/webhooks/${id}`, { status: 'disabled' });

    const { code } = await runCommand(['webhooks', 'disable', id], settingsBeside(service));

    expect(code).toBe(0);
    expect(await subscriber.done('GET', `/webhooks/${id}`)).toMatchObject({
      disabledReason: 'requested',
    });
  });
});

describe('an unknown subscription (operator.md)', () => {
  it.each(['deliveries', 'enable', 'disable'])(
    'ends webhooks %s with exit code 1 and a sentence',
    async (command) => {
      const { env } = await openKeyDatabase();

      const ended = await runCommand(['webhooks', command, 'sub_0'], env);

      const stderr = 'there is no subscription sub_0; "webhooks list" lists them\n';
      expect(ended).toEqual({ code: 1, stdout: '', stderr });
    },
  );
});

describe('wrong usage of webhooks (operator.md)', () => {
  const limit = 'expected a number from 1 to 9999';

  it.each([
    ['an unknown command', ['remove', 'sub_0'], 'unknown command'],
    ['deliveries, no id', ['deliveries'], "missing required argument 'id'"],
    ['enable, no id', ['enable'], "missing required argument 'id'"],
    ['disable, two ids', ['disable', 'sub_0', 'sub_1'], 'too many arguments'],
    ['list, an id', ['list', 'sub_0'], 'too many arguments'],
    ['list, no key', ['list', '--key'], 'argument missing'],
    ['no number', ['deliveries', 'sub_0', '--limit', 'all'], `--limit is all, ${limit}`],
    ['none', ['deliveries', 'sub_0', '--limit', '0'], `--limit is 0, ${limit}`],
    ['too many', ['deliveries', 'sub_0', '--limit', '10000'], `--limit is 10000, ${limit}`],
  ])('ends with exit code 2 and says why: %s', async (_what, args, tells) => {
    const { env } = await openKeyDatabase();

    const { code, stdout, stderr } = await runCommand(['webhooks', ...args], env);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(tells);
  });
});

function toCells(stdout: string): readonly string[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/).join('|'));
}
