import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { runCommand } from '../support/run-cli.ts';
import { readStoredBytes } from '../support/stored-bytes.ts';
import { settingsBeside } from '../cli/support/key-commands.ts';
import { startWebhooks } from './support/start-webhooks.ts';
import { addSubscriber, deliveriesOf } from './support/subscriber.ts';

describe('a signing secret, made or brought along, and the values of headers (contract C27, C33)', () => {
  it('are in no answer but the one that made the secret, and in no log line, metric, status, file or command', async () => {
    const service = await startWebhooks({ config: { webhookRetrySchedule: [0, 0] } });
    service.startDelivery();
    const subscriber = await addSubscriber(service);
    const own = `whsec_${Buffer.from('a secret of the caller, its own').toString('base64')}`;
    const value = 'Bearer open-sesame-of-the-gateway';
    const fields = { secret: own, headers: { authorization: value } };
    const { id, secret: first } = await subscriber.subscribe('receiver', fields);
    const path = `/webhooks/${id}`;
    const { receivers } = service.sandbox;
    // A receiver that repeats what it got, once.
    const repeated = { status: 401, body: `${value} ${own}`, times: 1 };
    receivers.named('receiver').apply({ answer: repeated });
    const { secret: second } = await subscriber.done<{ secret: string }>(
      'POST',
      `${path}/rotate-secret`,
    );
    await subscriber.done('POST', `${path}/test`);
    await eventually(async () => {
      const { deliveries } = await deliveriesOf(subscriber, { id });
      return deliveries[0]?.status === 'succeeded';
    });

    const env = settingsBeside(service);
    const printed = [
      await runCommand(['webhooks', 'list', '--json'], env),
      await runCommand(['webhooks', 'deliveries', id, '--json'], env),
      await runCommand(['audit', '--json'], env),
    ];
    const url = 'https://198.100.0.1/';
    const refused = [
      await subscriber.send('POST', '/webhooks', { url, headers: { host: value } }),
      await subscriber.send('POST', '/webhooks', { url, secret: `${own}=` }),
      await subscriber.send('PATCH', path, { headers: { 'x-gateway': `${value}\n` } }),
      await subscriber.send('PATCH', path, fields),
    ];
    const answers = [
      await subscriber.send('GET', '/webhooks'),
      await subscriber.send('GET', path),
      await subscriber.send('PATCH', path, { description: 'x' }),
      await subscriber.send('GET', `${path}/deliveries`),
      await subscriber.send('POST', `${path}/test`),
      await subscriber.get('/usage'),
      await service.sendToOps('/status'),
      await service.sendToOps('/metrics'),
    ];
    const files = await readStoredBytes(service.config.databaseUrl);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 202, 200, 200, 200]);
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(first).toBe(own);
    const said = [...answers, ...refused, ...printed].map((one) => JSON.stringify(one));
    expect(answers[3]?.text).toContain('"answer":"*** ***"');
    const places = [...service.logLines, ...files, ...said];
    const pieces = [...[first, second].flatMap((secret) => spellingsOf(secret)), 'open-sesame'];
    expect(places.filter((text) => pieces.some((piece) => text.includes(piece)))).toEqual([]);
    expect(files.some((bytes) => bytes.includes(id))).toBe(true);
  });
});

/** The base64 of a secret, its bytes, and their hex digits. */
function spellingsOf(secret: string): readonly string[] {
  const base64 = secret.slice('whsec_'.length);
  const bytes = Buffer.from(base64, 'base64');
  return [base64.slice(0, 20), bytes.toString('latin1'), bytes.toString('hex').slice(0, 20)];
}
