import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { readStoredBytes } from '../support/stored-bytes.ts';
import { startWebhooks } from './support/start-webhooks.ts';
import { addSubscriber, deliveriesOf } from './support/subscriber.ts';

describe('a signing secret (contract C27)', () => {
  it('is only in the answer that made it: in no other answer, log line, metric, status or file', async () => {
    const service = await startWebhooks();
    service.startDelivery();
    const subscriber = await addSubscriber(service);
    const { id, secret: first } = await subscriber.subscribe('receiver');
    const path = `/webhooks/${id}`;
    const { secret: second } = await subscriber.done<{ secret: string }>(
      'POST',
      `${path}/rotate-secret`,
    );
    await subscriber.done('POST', `${path}/test`);
    await eventually(async () => {
      const { deliveries } = await deliveriesOf(subscriber, { id });
      return deliveries[0]?.status === 'succeeded';
    });

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
    const places = [...service.logLines, ...files, ...answers.map((one) => JSON.stringify(one))];
    const pieces = [first, second].flatMap((secret) => spellingsOf(secret));
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
