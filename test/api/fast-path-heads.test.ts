import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareBothWays } from '../support/both-ways.ts';

const both = shareBothWays({ lived: ['2026-11-20T16:00:00Z'] });

/** Mostly in the form that the fast path answers, so that it answers many of them. */
const mostly = <T>(usual: readonly T[], odd: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );

const requestLine = fc
  .tuple(
    mostly(['GET'], ['HEAD', 'POST', 'get', 'G\0T']),
    mostly([' '], ['  ', '\t']),
    mostly(
      ['/rates', '/fx/2026-11-20', '/fx/2026-11-21', '/changes?limit=1', '/changes?limit=x'],
      ['/rates/', '/%72ates', '/rates?', '*', 'rates', '/nowhere', 'http://y/rates', '/rates#x'],
    ),
    mostly(['HTTP/1.1'], ['HTTP/1.0', 'HTTP/1.2', 'http/1.1']),
  )
  .map(([method, blank, target, version]) => `${method}${blank}${target} ${version}`);

const letterCase = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
);

const field = fc
  .tuple(
    letterCase,
    mostly(
      ['Accept', 'User-Agent', 'Cookie', 'If-None-Match', 'Via', 'X-Forwarded-For'],
      ['Host', 'Authorization', 'Connection', 'Content-Length', 'Expect', 'Origin', 'X Y', 'Te'],
    ),
    mostly([': '], [':', ' : ', ':\t', ':  ']),
    mostly(
      ['*', 'a', 'a b', '"x", W/"y"', 'text/html;q=0.5'],
      ['', '0', 'close', '\x7f', 'a\tb', '\xfe'],
    ),
    mostly([''], [' ', '\t']),
  )
  .map(([spell, name, colon, value, blank]) => spell(name) + colon + value + blank);

const must = fc
  .tuple(
    letterCase,
    mostly(['x', 'x:80'], ['', 'x y']),
    mostly(['Bearer '], ['bearer ', 'Bearer  ']),
  )
  .map(([spell, host, scheme]) => [
    `${spell('Host')}: ${host}`,
    `${spell('Authorization')}: ${scheme}{key}`,
  ]);

const anyRequest = fc
  .tuple(requestLine, must, fc.array(field, { maxLength: 5 }))
  .chain(([line, needed, others]) => {
    const fields = [...needed, ...others];
    return fc.tuple(
      fc.constant(line),
      fc.shuffledSubarray(fields, { minLength: fields.length - 1 }),
      mostly(['\r\n'], ['\n', '\r']),
      mostly(['\r\n\r\n'], ['\n\n', '\r\n\n']),
    );
  })
  .map(([line, fields, lineEnd, end]) => [line, ...fields].join(lineEnd) + end);

describe('any head of a request (contract C2)', () => {
  it('has the same answer from the fast path and from the framework', async () => {
    const left = both.countLeft();
    const runs = 250;

    await fc.assert(
      fc.asyncProperty(anyRequest, async (text) => {
        expect(await both.differences({ writes: [text], toHead: text.startsWith('HEAD') })).toEqual(
          [],
        );
      }),
      { numRuns: runs },
    );

    // The fast path answered some of them itself. The request that ends each connection always leaves it.
    expect(left()).toBeLessThan(1.9 * runs);
  });
});
