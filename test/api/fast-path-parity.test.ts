import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/sandbox/scenario/scenario.ts';
import { shareBothWays } from '../support/both-ways.ts';
import { answered, odd } from './support/targets.ts';
import { changeRate } from '../support/sandbox/scripts.ts';

const lived = ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'];

function script(scenario: Scenario): void {
  changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-20');
}

const get = (target: string, fields = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n${fields}\r\n`;

describe('a GET (interface 4) has the same answer with and without the fast path', () => {
  const both = shareBothWays({ script, lived });

  it.each(answered)('of %s, alone and three times on one connection', async (target) => {
    const left = both.countLeft();

    expect(await both.differences({ writes: [get(target)] })).toEqual([]);
    const leftAlone = left();
    expect(
      await both.differences({ writes: [get(target), get(target), get(target)], answers: 3 }),
    ).toEqual([]);

    // Only the request that ends each connection left the fast path.
    expect([leftAlone, left()]).toEqual([1, 2]);
  });

  it.each(odd)('of %s, alone and after another request', async (target) => {
    expect(await both.differences({ writes: [get(target)] })).toEqual([]);
    expect(await both.differences({ writes: [get('/rates'), get(target)], answers: 2 })).toEqual(
      [],
    );
  });

  it.each([
    '/rates',
    '/rates/2026-11-19',
    '/changes?limit=1',
    '/fx',
    '/fx/2026-11-21',
    '/rates.csv',
  ])('of %s with every If-None-Match', async (target) => {
    const { fast, general } = await both.hold({ writes: [get(target)] });
    expect(fast).toEqual(general);
    const tag = /etag: ("[^"]+")/.exec(fast.bytes)?.[1] ?? '"none"';
    const fields = [
      tag,
      `W/${tag}`,
      `w/${tag}`,
      '*',
      '"*"',
      '**',
      '* ',
      `"a", ${tag}`,
      `${tag}, "a"`,
      `"a",W/${tag},"b"`,
      `,, ${tag} ,,`,
      `"a,b", ${tag}`,
      '"other"',
      tag.slice(1, -1),
      tag.toUpperCase(),
      `${tag} x`,
      '',
      `${tag}\r\nIf-None-Match: "b"`,
      `"b"\r\nif-none-match: ${tag}`,
    ];

    for (const field of fields) {
      const writes = [get(target, `If-None-Match: ${field}\r\n`), get(target)];
      expect(await both.differences({ writes, answers: 2 })).toEqual([]);
    }
  });

  it('of a 304, which the fast path itself sends', async () => {
    const left = both.countLeft();

    const { fast, general } = await both.hold({ writes: [get('/rates', 'If-None-Match: *\r\n')] });
    expect(fast).toEqual(general);

    expect([fast.bytes.startsWith('HTTP/1.1 304 Not Modified\r\n'), left()]).toEqual([true, 1]);
  });

  it.each(['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY', 'PROPFIND'])(
    'of %s',
    async (method) => {
      const toHead = method === 'HEAD';
      for (const target of ['/rates', '/fx/2026-11-21', '/changes?limit=0', '/nowhere']) {
        const writes = [get(target).replace('GET', method)];
        expect(await both.differences({ writes, toHead })).toEqual([]);
        expect(
          await both.differences({ writes: [get('/rates'), ...writes], answers: 2, toHead }),
        ).toEqual([]);
      }
    },
  );

  it('of many requests that are sent together, in their order', async () => {
    const writes = [answered.map((target) => get(target)).join('')];

    expect(await both.differences({ writes, answers: answered.length })).toEqual([]);
  });

  it('of a request that arrives in two parts, cut at every byte', async () => {
    const text = get('/changes?limit=1', 'If-None-Match: "a"\r\n');
    const { key } = both.services[0];

    for (let cutAt = 1; cutAt < text.replace('{key}', key).length; cutAt += 1) {
      expect(await both.differences({ writes: [text], cutAt })).toEqual([]);
    }
  });

  it.each([
    ['a look-up in memory', '/rates'],
    ['a 404', '/fx/2026-11-21'],
    ['a 400', '/changes?limit=0'],
    ['a free answer', '/vatcheck/AT/U99999901'],
  ])('when the client ends its direction right behind %s', async (_what, target) => {
    expect(await both.differences({ writes: [get(target)] })).toEqual([]);

    expect(await both.differences({ writes: [get(target)], isHalfClosed: true })).toEqual([]);
    expect(
      await both.differences({ writes: [get('/rates'), get(target)], isHalfClosed: true }),
    ).toEqual([]);
  });

  it('of /metrics: both count the same requests', async () => {
    const counts = await both.counts();

    expect(counts.general).not.toEqual([]);
    expect(counts.fast).toEqual(counts.general);
  });
});

describe('before anything is published', () => {
  const both = shareBothWays();

  it.each(['/rates', '/fx', '/changes', '/rates/2026-11-19', '/fx/dates', '/rates.csv'])(
    '%s has the same answer from the fast path as without it',
    async (target) => {
      const left = both.countLeft();

      expect(await both.differences({ writes: [get(target), get(target)], answers: 2 })).toEqual(
        [],
      );

      expect(left()).toBe(1);
    },
  );
});

describe('pages of other origins (CORS_ORIGINS)', () => {
  describe.each([
    ['none', []],
    ['one', ['https://shop.example']],
    ['two', ['https://shop.example', 'https://other.example']],
    ['all', ['*']],
  ])('with %s configured', (_what, corsOrigins) => {
    const both = shareBothWays({ lived, config: { corsOrigins } });

    it.each([
      ['without an Origin', ''],
      ['with a configured Origin', 'Origin: https://shop.example\r\n'],
      ['with any other Origin', 'Origin: https://evil.example\r\n'],
    ])('a request %s has the same answer as without the fast path', async (_what, fields) => {
      for (const target of ['/rates', '/fx/2026-11-21', '/changes?limit=0', '/nowhere']) {
        expect(
          await both.differences({
            writes: [get(target, fields), get(target, fields)],
            answers: 2,
          }),
        ).toEqual([]);
      }
    });
  });
});
