import { METHODS } from 'node:http';
import { describe, expect, it } from 'vitest';
import { subscribableTypes } from '../../src/events/event-types.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareService } from '../support/start-service.ts';
import { shareWebhooks } from './support/start-webhooks.ts';
import { addSubscriber, deliveriesOf } from './support/subscriber.ts';

const url = 'https://198.100.0.1/';
const types = subscribableTypes.join(', ');

/** Every path, with the methods that it has. */
const paths: readonly [path: string, allow: string][] = [
  ['/webhooks', 'GET, HEAD, POST'],
  ['/webhooks/{id}', 'GET, HEAD, PATCH, DELETE'],
  ['/webhooks/{id}/rotate-secret', 'POST'],
  ['/webhooks/{id}/test', 'POST'],
  ['/webhooks/{id}/deliveries', 'GET, HEAD'],
  ['/webhooks/{id}/deliveries/{deliveryId}/replay', 'POST'],
];

/** Every route of one subscription, with a body that it accepts. */
const routesOfOne: readonly [method: string, path: string, body?: object][] = [
  ['GET', '/webhooks/{id}'],
  ['HEAD', '/webhooks/{id}'],
  ['PATCH', '/webhooks/{id}', { description: 'x' }],
  ['PATCH', '/webhooks/{id}', { status: 'disabled' }],
  ['DELETE', '/webhooks/{id}'],
  ['POST', '/webhooks/{id}/rotate-secret', { overlapHours: 1 }],
  ['POST', '/webhooks/{id}/test'],
  ['GET', '/webhooks/{id}/deliveries'],
  ['POST', '/webhooks/{id}/deliveries/{deliveryId}/replay'],
];

describe('a body that is wrong (contract C27, interface 7)', () => {
  const service = shareService();

  const post = '/webhooks';
  const patch = '/webhooks/{id}';
  it.each<[path: string, error: string, body: unknown]>([
    [post, "invalid 'url' — expected a URL", {}],
    [post, "invalid 'url' — expected an https URL", { url: 'http://shop.example' }],
    [post, "invalid 'url' — expected a URL without credentials", { url: 'https://a:b@c.example' }],
    [post, "invalid 'url' — expected a port among 443, 8443", { url: 'https://c.example:22' }],
    [post, `invalid 'events' — expected a list of ${types}`, { url, events: [] }],
    [
      post,
      "invalid 'description' — expected at most 500 characters, or null",
      { url, description: 1 },
    ],
    [
      post,
      "invalid 'secret' — expected whsec_ and 24 to 64 bytes in base64",
      { url, secret: 'whsec_AAAA' },
    ],
    [
      patch,
      "invalid 'headers' — expected at most 3 headers as {name: value}, or null",
      { headers: ['x-gateway'] },
    ],
    [patch, "unknown field 'secret'", { secret: `whsec_${'A'.repeat(32)}` }],
    [post, "invalid 'body' — expected a JSON object", [{ url }]],
    [patch, "invalid 'status' — expected enabled or disabled", { status: 1 }],
    [patch, "invalid 'body' — expected some of url, events, description, headers, status", {}],
    [patch, "unknown field 'id'", { id: 'sub_0' }],
    [
      '/webhooks/{id}/rotate-secret',
      "invalid 'overlapHours' — expected a whole number from 0 to 168",
      { overlapHours: 169 },
    ],
  ])('is answered by %s with 400: %s', async (path, error, body) => {
    const method = path === patch ? 'PATCH' : 'POST';
    const subscriber = await addSubscriber(service());
    const { id } = await subscriber.done<{ id: string }>('POST', '/webhooks', { url });
    const before = await subscriber.get('/webhooks');

    const answer = await subscriber.send(method, path.replace('{id}', id), body);

    expect(formOf(answer)).toEqual(errorForm(400, error));
    expect((await subscriber.get('/webhooks')).text).toBe(before.text);
  });
});

describe('a receiver that may not be delivered to (contract C30)', () => {
  const service = shareService();
  const local = shareWebhooks();
  const notPublic = "invalid 'url' — expected a public address";
  const unresolved = "invalid 'url' — expected a host that resolves";

  const refused: readonly [url: string, error: string][] = [
    ['https://127.0.0.1/', notPublic],
    ['https://0x7f.1/', notPublic],
    ['https://10.0.0.1:8443/', notPublic],
    ['https://169.254.169.254/latest/meta-data/', notPublic],
    ['https://[::1]/', notPublic],
    ['https://[::ffff:10.0.0.1]/', notPublic],
    ['https://no-such-host.invalid/', unresolved],
  ];

  it.each(refused)(
    'is refused by POST, and by PATCH, which then changes nothing: %s',
    async (to, error) => {
      const subscriber = await addSubscriber(service());
      const { id } = await subscriber.done<{ id: string }>('POST', '/webhooks', { url });
      const before = await subscriber.get('/webhooks');

      const answers = [
        await subscriber.send('POST', '/webhooks', { url: to }),
        await subscriber.send('PATCH', `/webhooks/${id}`, { url: to, status: 'disabled' }),
      ];

      expect(answers.map(formOf)).toEqual(Array(2).fill(errorForm(400, error)));
      expect((await subscriber.get('/webhooks')).text).toBe(before.text);
    },
  );

  it('is not one in a network that the operator allows', async () => {
    const subscriber = await addSubscriber(local());

    const allowed = await subscriber.send('POST', '/webhooks', { url: 'http://127.0.0.1:80/' });
    const other = await subscriber.send('POST', '/webhooks', { url: 'http://127.0.0.2:80/' });

    expect(allowed.status).toBe(201);
    expect(formOf(other)).toEqual(errorForm(400, notPublic));
  });

  it('is not checked again if PATCH has the same url', async () => {
    const subscriber = await addSubscriber(service());
    const { id } = await subscriber.done<{ id: string }>('POST', '/webhooks', { url });
    await service()
      .core.db.updateTable('webhook_subscriptions')
      .set({ url: 'https://127.0.0.1/' })
      .where('id', '=', id)
      .execute();

    const { status } = await subscriber.send('PATCH', `/webhooks/${id}`, {
      url: 'https://127.0.0.1',
    });

    expect(status).toBe(200);
  });
});

describe('a subscription of another key (contract C27)', () => {
  const service = shareWebhooks();

  it.each(routesOfOne)('is 404 for %s %s %j, and not changed', async (method, path, body) => {
    const [owner, other] = [await addSubscriber(service()), await addSubscriber(service())];
    const { id } = await owner.subscribe('owned');
    const { id: deliveryId } = await owner.done<{ id: string }>('POST', `/webhooks/${id}/test`);
    const readAll = async () => [
      await owner.done('GET', '/webhooks'),
      await deliveriesOf(owner, { id }),
    ];
    const before = await readAll();

    const target = path.replace('{id}', id).replace('{deliveryId}', deliveryId);
    const answer = await other.send(method, target, body);

    const text = method === 'HEAD' ? '' : '{"error":"not found"}';
    expect(formOf(answer)).toEqual({ ...errorForm(404, 'not found'), text });
    expect(await readAll()).toEqual(before);
  });

  it.each(['%00', '%', '..', 'SUB_0', 'x'.repeat(5_000), "'%20or%201=1"])(
    'is 404 with a malformed id: %s',
    async (id) => {
      const subscriber = await addSubscriber(service());
      await subscriber.subscribe('owned');

      const answer = await subscriber.get(`/webhooks/${id}/deliveries`);

      expect(formOf(answer)).toEqual(errorForm(404, 'not found'));
    },
  );
});

describe('methods of /webhooks (contract C2)', () => {
  const service = shareService();
  const wrong = paths.flatMap(([path, allow]) =>
    METHODS.filter((one) => one !== 'CONNECT' && !allow.split(', ').includes(one)).map(
      (method) => [method, path, allow] as const,
    ),
  );

  it.each(paths)('%s has the methods %s, and no others', async (path, allow) => {
    const subscriber = await addSubscriber(service());
    const methods = wrong.filter(([, one]) => one === path).map(([method]) => method);

    const answers = [];
    for (const method of methods)
      answers.push(await subscriber.sendRequest({ method, path, body: '{' }));

    expect(methods.length).toBeGreaterThan(25);
    const kinds = new Set(answers.map((one) => `${one.status} ${one.headers['allow']}`));
    expect([...kinds]).toEqual([`405 ${allow}`]);
  });
});
