import type { Cost } from '../request-cost.ts';
import { fastify, type FastifyRequest } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { publicResult } from '../responses/prepared-response.ts';
import { ResponseCache } from '../responses/response-cache.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { type CachedRoute, CachedRoutes } from './cached-routes.ts';
import { createRepresentation, withoutValidator } from '../responses/representation.ts';

type Parameters = { readonly name: string };

/** An app with one cached route, which records the order of its steps. */
function openCachedRoutes(own: Partial<CachedRoute<Parameters>> = {}) {
  const app = fastify();
  app.addHook('onRequest', async (request) => {
    request.apiKey = { id: 'key_1' } as FastifyRequest['apiKey'];
  });
  onTestFinished(async () => app.close());
  const cache = new ResponseCache();
  const steps: string[] = [];
  const costs: (Cost | undefined)[] = [];
  const charge = async (_request: object, cost?: Cost): Promise<void> => {
    steps.push('charge');
    costs.push(cost);
    return Promise.resolve();
  };
  const freeLimits = { ofCheck: () => undefined };
  const cachedRoutes = new CachedRoutes({ app, charge, cache, publicPath: '', freeLimits });
  cachedRoutes.add<Parameters>({
    url: '/things/:name',
    definition: null,
    query: 'ignoresUnknown',
    read: ({ params }) => {
      steps.push('read');
      return { name: params['name'] ?? '' };
    },
    find: ({ name }) => {
      steps.push('find');
      return publicResult(createRepresentation(`"${name}"`), 'changes');
    },
    ...own,
  });
  const sendRequest = async (url: string): Promise<string> => (await app.inject({ url })).body;
  return { cache, steps, costs, cachedRoutes, sendRequest };
}

describe('CachedRoutes', () => {
  it('reads the parameters, charges and then finds the result (contract C3)', async () => {
    const { steps, sendRequest } = openCachedRoutes();

    expect(await sendRequest('/things/one')).toBe('"one"');

    expect(steps).toEqual(['read', 'charge', 'find']);
  });

  it('charges for a cached response without finding it again', async () => {
    const { steps, sendRequest } = openCachedRoutes();
    await sendRequest('/things/one');
    steps.length = 0;

    expect(await sendRequest('/things/one')).toBe('"one"');

    expect(steps).toEqual(['charge']);
  });

  it('finds the result again after a publication', async () => {
    const { cache, steps, sendRequest } = openCachedRoutes();
    await sendRequest('/things/one');
    cache.clear();
    steps.length = 0;

    await sendRequest('/things/one');

    expect(steps).toEqual(['charge', 'find']);
  });

  it('does not cache a result that was found during a publication', async () => {
    let publish = (): void => {};
    const { cache, steps, sendRequest } = openCachedRoutes({
      find: async ({ name }) => {
        steps.push('find');
        publish();
        return Promise.resolve(publicResult(createRepresentation(name), 'changes'));
      },
    });
    publish = () => cache.clear();
    expect(await sendRequest('/things/old')).toBe('old');
    steps.length = 0;

    await sendRequest('/things/old');

    expect(steps).toEqual(['charge', 'find']);
  });

  it('does not cache a result without a validator', async () => {
    let found = 0;
    const { sendRequest } = openCachedRoutes({
      find: () => ({ representation: withoutValidator(`${(found += 1)}`), cacheControl: 'x' }),
    });

    expect([await sendRequest('/things/one'), await sendRequest('/things/one')]).toEqual([
      '1',
      '2',
    ]);
  });

  it.each([
    [
      'synchronously',
      (text: string) => ({ representation: withoutValidator(text), cacheControl: 'x' }),
    ],
    [
      'later',
      async (text: string) =>
        Promise.resolve({ representation: withoutValidator(text), cacheControl: 'x' }),
    ],
  ])('does not charge for a free result, found %s', async (_, findFree) => {
    const { steps, sendRequest } = openCachedRoutes({ findFree: () => findFree('"free"') });

    expect(await sendRequest('/things/one')).toBe('"free"');

    expect(steps).toEqual(['read']);
  });

  it.each([
    ['synchronously', () => undefined],
    ['later', async () => Promise.resolve(undefined)],
  ])('charges if there is no free result, as it turns out %s', async (_, findFree) => {
    const { steps, sendRequest } = openCachedRoutes({ findFree });

    expect(await sendRequest('/things/one')).toBe('"one"');

    expect(steps).toEqual(['read', 'charge', 'find']);
  });

  it('charges its cost for a new response and for a cached one', async () => {
    const { costs, sendRequest } = openCachedRoutes({ cost: ({ name }) => name.length });

    for (const url of ['/things/three', '/things/three', '/things/three?q=1'])
      await sendRequest(url);

    expect(costs).toEqual([5, 5, 5]);
  });

  it('finds the result once for targets that differ in ignored parameters', async () => {
    const { steps, sendRequest } = openCachedRoutes();
    await sendRequest('/things/one?q=1');
    steps.length = 0;

    expect(await sendRequest('/things/one?q=2')).toBe('"one"');
    expect(await sendRequest('/things/one?q=2')).toBe('"one"');

    // The second time the target leads to the response without being parsed.
    expect(steps).toEqual(['read', 'charge', 'charge']);
  });

  it('reads a plain target without the framework, and leaves every other one to it', () => {
    const { cachedRoutes } = openCachedRoutes({
      read: ({ params: { name = '' } }) => {
        if (name === 'bad') throw new Error('malformed');
        return { name };
      },
    });

    expect(cachedRoutes.routeTarget('/things/one')?.parameters).toEqual({ name: 'one' });
    expect(cachedRoutes.findTarget('/things/one')?.parameters).toEqual({ name: 'one' });
    const others =
      '/things/bad /things/one?q=1 /things/o%6ee /things/one/ /things//one /things /others/one * x';
    for (const target of [...others.split(' '), `/things/${'x'.repeat(200)}`, '']) {
      expect([target, cachedRoutes.routeTarget(target)]).toEqual([target, undefined]);
      expect(cachedRoutes.findTarget(target)).toBeUndefined();
    }
  });

  it('refuses work beyond the limit of a key, without a charge', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { steps, sendRequest } = openCachedRoutes({
      limit: new ConcurrencyLimit({ perKey: 2, inAll: 8 }),
      find: async ({ name }) => {
        await promise;
        return publicResult(createRepresentation(`"${name}"`), 'changes');
      },
    });
    const underWay = [sendRequest('/things/one'), sendRequest('/things/two')];
    await expect.poll(() => steps.filter((step) => step === 'charge').length).toBe(2);

    expect(await sendRequest('/things/three')).toContain('RATE_LIMITED');

    resolve();
    expect(await Promise.all(underWay)).toEqual(['"one"', '"two"']);
    expect(steps.filter((step) => step === 'charge')).toHaveLength(2);
    // A cached response does not count against the limit.
    expect(await sendRequest('/things/one')).toBe('"one"');
    expect(await sendRequest('/things/three')).toBe('"three"');
  });
});
