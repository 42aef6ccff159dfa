import { describe, expect, it } from 'vitest';
import { listAudit } from '../../src/platform/database/audit.ts';
import { eventually } from '../support/eventually.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { startService } from '../support/start-service.ts';
import { addSubscriber, type CreatedSubscription, deliveriesOf } from './support/subscriber.ts';

const [key, otherKey] = ['open sesame 1', 'open sesame 2'];
const headers = { 'X-Gateway': key };

/** A service that delivers, and a subscription with headers at a receiver, which answers after `hold`. */
async function openSubscribed() {
  const receiver = { passed: [] as unknown[][], hold: async (): Promise<void> => {} };
  const address = await serveHttp((request, response) => {
    request.resume().on('end', () => {
      receiver.passed.push([request.url, request.headers['x-gateway']]);
      void receiver.hold().then(() => response.writeHead(204).end());
    });
  });
  const url = `${address}/hook`;
  const webhookAllowPorts = [443, Number(new URL(url).port)];
  const local = { webhookAllowHttp: true, webhookAllowCidrs: ['127.0.0.1/32'] };
  const service = await startService({ config: { ...local, webhookAllowPorts } });
  service.startDelivery();
  const subscriber = await addSubscriber(service);
  const created = await subscriber.done<CreatedSubscription>('POST', '/webhooks', { url, headers });
  const path = `/webhooks/${created.id}`;
  const patch = async (change: object) =>
    subscriber.done<CreatedSubscription>('PATCH', path, change);
  /** Sends a test; returns its path and the value of its header when it arrives. */
  const test = async (): Promise<readonly unknown[]> => {
    const count = receiver.passed.length;
    await subscriber.done('POST', `${path}/test`);
    await eventually(() => receiver.passed.length > count);
    return receiver.passed[count] ?? [];
  };
  return { service, subscriber, receiver, url, created, path, patch, test };
}

describe('headers of a subscription (contract C27)', () => {
  it('are sent with each test and replay, and answers have their names alone', async () => {
    const { subscriber, receiver, created, path, test } = await openSubscribed();

    expect(await test()).toEqual(['/hook', key]);
    const { deliveries } = await deliveriesOf(subscriber, created);
    await subscriber.done('POST', `${path}/deliveries/${deliveries[0]?.id}/replay`);
    await eventually(() => receiver.passed.length === 2);

    expect(receiver.passed[1]).toEqual(['/hook', key]);
    expect(created.headers).toEqual(['X-Gateway']);
    const answers = [
      await subscriber.get('/webhooks'),
      await subscriber.get(path),
      await subscriber.send('PATCH', path, { description: 'x' }),
    ];
    for (const { text } of answers) {
      expect(text).toContain('"headers":["X-Gateway"]');
      expect(text).not.toContain(key);
    }
  });

  it.each<[what: string, change: object, names: readonly string[], sent: string | undefined]>([
    ['replaces all of them', { headers: { 'X-GATEWAY': otherKey } }, ['X-GATEWAY'], otherKey],
    ['has others', { headers: { a: '1', B: '2', c: '3' } }, ['a', 'B', 'c'], undefined],
    ['has {}', { headers: {} }, [], undefined],
    ['has null', { headers: null }, [], undefined],
    ['has none', { description: 'x' }, ['X-Gateway'], key],
  ])('are those of the last PATCH if it %s', async (_, change, names, sent) => {
    const { patch, test } = await openSubscribed();

    expect((await patch(change)).headers).toEqual(names);
    expect(await test()).toEqual(['/hook', sent]);
  });

  it('are sent to no URL but the one that they were given for, so a stolen key cannot read them', async () => {
    const { url, patch, test } = await openSubscribed();
    const stolen = url.replace('/hook', '/echo');

    expect((await patch({ url })).headers).toEqual(['X-Gateway']);
    expect((await patch({ url: stolen })).headers).toEqual([]);
    expect(await test()).toEqual(['/echo', undefined]);
    expect((await patch({ url })).headers).toEqual([]);
    expect(await test()).toEqual(['/hook', undefined]);
    expect((await patch({ url: stolen, headers })).headers).toEqual(['X-Gateway']);
    expect(await test()).toEqual(['/echo', key]);
  });

  it('stay those of a delivery under way if PATCH changes them meanwhile, and are the new ones of the next', async () => {
    const { receiver, url, patch, test } = await openSubscribed();
    const held = Promise.withResolvers<void>();
    receiver.hold = async () => held.promise;

    const first = await test();
    await patch({ url: `${url}2`, headers: { 'x-gateway': otherKey } });
    const second = await test();
    held.resolve();

    expect([first, second]).toEqual([
      ['/hook', key],
      ['/hook2', otherKey],
    ]);
  });

  it('are of one PATCH if many come at once, with its URL', async () => {
    const { receiver, url, patch, test } = await openSubscribed();

    await Promise.all(
      Array.from({ length: 12 }, async (_, n) =>
        patch({ url: `${url}${n}`, headers: { 'x-gateway': `key of /hook${n}` } }),
      ),
    );
    const [at, sent] = await test();

    expect(sent).toBe(`key of ${String(at)}`);
    expect(receiver.passed).toHaveLength(1);
  });

  it('are audited by name, also if only a value changes', async () => {
    const { service, patch, created } = await openSubscribed();

    await patch({ headers: { 'X-Gateway': otherKey } });
    await patch({ headers: {} });
    await patch({ headers: null });

    const audit = (await listAudit(service.core.db, 9)).filter((one) => one.subject === created.id);
    const changes = audit.filter(({ action }) => action === 'webhooks.change');
    expect(changes.map(({ detail }) => detail['changed'])).toEqual([['headers'], ['headers']]);
    expect(JSON.stringify(audit)).toContain('"headers":["X-Gateway"]');
    expect(JSON.stringify(audit)).not.toContain('sesame');
  });
});
