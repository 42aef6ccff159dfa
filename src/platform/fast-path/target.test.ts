import { fastify } from 'fastify';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Wire } from '../../../test/support/wire.ts';
import { ResponseCache } from '../http/responses/response-cache.ts';
import { CachedRoutes } from '../http/routes/cached-routes.ts';
import { withoutValidator } from '../http/responses/representation.ts';
import { readTarget } from './target.ts';

describe('readTarget', () => {
  it('splits a target into segments and parameters', () => {
    expect(readTarget('/fx/range?from=2026-11-18&currencies=USD,CHF&to=')).toEqual({
      segments: ['fx', 'range'],
      query: { from: '2026-11-18', currencies: 'USD,CHF', to: '' },
    });
  });

  it.each([
    ['the root', '/'],
    ['a slash at the end', '/rates/'],
    ['two slashes', '/rates//x'],
    ['two slashes at the start', '//rates'],
    ['an empty query', '/rates?'],
    ['a parameter without a value', '/rates?a'],
    ['a parameter without a name', '/rates?=1'],
    ['a parameter given twice', '/rates?a=1&a=1'],
    ['an empty parameter', '/rates?a=1&&b=2'],
    ['an ampersand at the end', '/rates?a=1&'],
    ['an equals sign in a value', '/rates?a=1=2'],
    ['a name with an underscore', '/rates?__proto__=1'],
    ['a name with a digit', '/rates?a1=1'],
  ])('does not read %s', (_what, target) => {
    expect(readTarget(target)).toBeUndefined();
  });
});

const words = [
  'rates',
  'fx',
  'dates',
  'range',
  'vatcheck',
  'AT',
  'x',
  '.',
  '..',
  '~',
  '2026-11-20',
];
const names = [
  'limit',
  'since',
  'country',
  'constructor',
  'toString',
  'a',
  'A',
  '__proto__',
  'a1',
  '',
];
const pair = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom('=', '=', '=', '', '=='))
  .chain(([name, equals]) =>
    fc.stringMatching(/^[\w.,-]{0,3}$/).map((value) => name + equals + value),
  );
const anyTarget = fc
  .tuple(
    fc.array(fc.constantFrom(...words, ''), { minLength: 1, maxLength: 4 }),
    fc.option(fc.array(pair, { maxLength: 4 })),
  )
  .map(
    ([segments, pairs]) => `/${segments.join('/')}${pairs === null ? '' : `?${pairs.join('&')}`}`,
  );

it('a target that readTarget reads has the same route and parameters, or none, in the framework', async () => {
  const app = fastify();
  onTestFinished(async () => app.close());
  const cachedRoutes = new CachedRoutes({ app, charge: () => {}, cache: new ResponseCache() });
  for (const url of [
    '/',
    '/dates/*',
    '/vatcheck/AT/x',
    '/rates/range',
    '/rates/:date/dates',
    '/:data/AT/dates',
  ]) {
    app.get(url, (request, reply) => reply.code(404).send({ statusCode: 404, left: request.url }));
  }
  for (const url of [
    '/rates',
    '/rates/dates',
    '/rates/:date',
    '/fx/range',
    '/vatcheck/:country/:vat',
    '/rates/:date/range',
    '/rates/dates/:x/dates',
    '/:data/x',
    '/:data/AT/:x',
    '/:data/dates/x/:last',
  ]) {
    cachedRoutes.add({
      url,
      operation: 'look',
      query: 'ignoresUnknown',
      read: ({ params, query }) => ({ params, query }),
      find: (input) => ({
        representation: withoutValidator(JSON.stringify({ url, ...input })),
        cacheControl: 'no-store',
      }),
    });
  }
  const wire = await Wire.open(await app.listen({ port: 0, host: '127.0.0.1' }));
  let sent = 0;
  let matched = 0;

  await fc.assert(
    fc.asyncProperty(anyTarget, async (target) => {
      const read = readTarget(target);
      fc.pre(read !== undefined);
      const match = cachedRoutes.match(read);
      sent += 1;
      if (match !== undefined) matched += 1;
      wire.send(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const received = await wire.answers(sent);
      const body: unknown = JSON.parse(received.slice(received.lastIndexOf('\r\n')));
      const { route, params, query } = match ?? {};
      const expected =
        route === undefined ? { statusCode: 404 } : { url: route.url, params, query };
      expect(body).toMatchObject(expected);
    }),
    { numRuns: 500, maxSkipsPerRun: 100 },
  );
  // Random targets match about 65 times, give or take 8: the test would prove nothing if almost none did.
  expect(matched).toBeGreaterThan(20);
});
