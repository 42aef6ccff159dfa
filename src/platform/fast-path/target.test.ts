import { fastify } from 'fastify';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Wire } from '../../../test/support/wire.ts';
import { AnswerMemory } from '../http/responses/response-cache.ts';
import { Lookups } from '../http/routes/cached-routes.ts';
import { withoutValidator } from '../http/responses/representation.ts';
import { readTarget } from './target.ts';

describe('readTarget', () => {
  it('splits a target into segments and parameters', () => {
    expect(readTarget('/fx/range?from=2026-11-18&currencies=USD,CHF&to=')).toEqual({
      path: '/fx/range',
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
  ])('leaves %s to others', (_what, target) => {
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

it('what readTarget reads and a look-up is found for, the framework routes and reads the same', async () => {
  const app = fastify();
  onTestFinished(async () => app.close());
  const lookups = new Lookups(new AnswerMemory());
  for (const url of [
    '/rates',
    '/rates/dates',
    '/rates/:date',
    '/fx/range',
    '/vatcheck/:country/:vat',
  ]) {
    lookups.add(app, () => undefined, {
      url,
      operation: 'look',
      query: 'ignoresUnknown',
      read: ({ params, query }) => ({ params, query }),
      find: (asked) => ({
        representation: withoutValidator(JSON.stringify({ url, ...asked })),
        cacheControl: 'no-store',
      }),
    });
  }
  const wire = await Wire.open(await app.listen({ port: 0, host: '127.0.0.1' }));
  let found = 0;

  await fc.assert(
    fc.asyncProperty(anyTarget, async (target) => {
      const read = readTarget(target);
      const match = read === undefined ? undefined : lookups.match(read);
      fc.pre(match !== undefined);
      found += 1;
      wire.send(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const received = await wire.answers(found);
      expect(JSON.parse(received.slice(received.lastIndexOf('\r\n')))).toEqual({
        url: match?.lookup.url,
        ...match?.asked,
      });
    }),
    { numRuns: 500, maxSkipsPerRun: 100 },
  );
  expect(found).toBe(500);
});
