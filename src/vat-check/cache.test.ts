import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SettableClock } from '../../test/support/settable-clock.ts';
import { numberOf } from '../../test/vat-check/support/vat-numbers.ts';
import { AnswerCache, type CachedAnswer, toKey } from './cache.ts';
import type { Answer } from './outcome.ts';

const seconds = 1_000;
const valid: Answer = { valid: true, requestDate: '2026-11-20+01:00', name: 'A', address: null };
const notOnFile: Answer = { ...valid, valid: false, name: null };

const vatNumber = numberOf('AT', 'U99999901');

function openCache() {
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  return { clock, cache: new AnswerCache(clock) };
}

function answerOf(cached: CachedAnswer | undefined): Answer | undefined {
  return cached === undefined ? undefined : (JSON.parse(cached.text) as Answer);
}

describe('the lifetime of an answer (contract C23)', () => {
  it.each([
    ['true, when the registry says nothing', valid, undefined, 3_600],
    ['false, when the registry says nothing', notOnFile, undefined, 300],
    ['true, when the registry says 0', valid, 0, 300],
    ['true, when the registry says less than the minimum', valid, 299, 300],
    ['true, when the registry says the minimum', valid, 300, 300],
    ['true, when the registry says a time between', valid, 1_234, 1_234],
    ['true, when the registry says the maximum', valid, 3_600, 3_600],
    ['true, when the registry says more', valid, 3_601, 3_600],
    ['true, when the registry says years', valid, 999_999_999, 3_600],
    ['false, when the registry says 0', notOnFile, 0, 300],
    ['false, when the registry says a time between', notOnFile, 1_234, 1_234],
    ['false, when the registry says years', notOnFile, 999_999_999, 3_600],
  ])('of %s, ends to the millisecond', (_, answer, maxAge, lifetime) => {
    const { clock, cache } = openCache();

    const kept = cache.keep(vatNumber, answer, maxAge);

    expect(kept).toMatchObject({ maxAgeSeconds: lifetime });
    clock.advance(lifetime * seconds - 1);
    expect(answerOf(cache.find(vatNumber))).toEqual(answer);
    clock.advance(1);
    expect(cache.find(vatNumber)).toBeUndefined();
  });

  it.each([
    ['at once', 0, 3_600],
    ['a millisecond later, rounded down', 1, 3_599],
    ['half an hour later', 1_800 * seconds, 1_800],
    ['when 300 s are left', 3_300 * seconds, 300],
    ['when less is left, never under 300', 3_301 * seconds, 300],
    ['in its last millisecond', 3_600 * seconds - 1, 300],
  ])('is reported as the rest of it %s', (_, afterMs, told) => {
    const { clock, cache } = openCache();
    cache.keep(vatNumber, valid, undefined);

    clock.advance(afterMs);

    expect(cache.find(vatNumber)).toMatchObject({ maxAgeSeconds: told });
  });

  it('is not prolonged by reads', () => {
    const { clock, cache } = openCache();
    cache.keep(vatNumber, valid, undefined);

    clock.advance(3_000 * seconds);
    cache.find(vatNumber);
    clock.advance(600 * seconds);

    expect(cache.find(vatNumber)).toBeUndefined();
  });

  it('begins again with a newer answer', () => {
    const { clock, cache } = openCache();
    cache.keep(vatNumber, notOnFile, undefined);

    clock.advance(200 * seconds);
    cache.keep(vatNumber, valid, undefined);
    clock.advance(200 * seconds);

    expect(cache.find(vatNumber)).toMatchObject({ maxAgeSeconds: 3_400 });
  });
});

describe('the lifetime of an answer when the clock is set (contract C23)', () => {
  it('is over if the rest would be longer than any lifetime', () => {
    const { clock, cache } = openCache();
    cache.keep(vatNumber, valid, undefined);

    clock.advance(-1);

    expect(cache.find(vatNumber)).toBeUndefined();
  });

  it('goes on after the clock is set right again', () => {
    const { clock, cache } = openCache();
    cache.keep(vatNumber, valid, undefined);

    clock.advance(-3_600 * seconds);
    clock.advance(3_700 * seconds);

    expect(cache.find(vatNumber)).toMatchObject({ maxAgeSeconds: 3_500 });
  });

  it('is never more than the maximum, whatever another replica reports', () => {
    const { cache } = openCache();

    const adopted = cache.adopt(vatNumber, { answer: valid, leftMs: 86_400 * seconds });

    expect(adopted).toMatchObject({ leftMs: 3_600 * seconds, maxAgeSeconds: 3_600 });
    expect(cache.find(vatNumber)).toEqual(adopted);
  });
});

describe('an entry (contract C23)', () => {
  it.each([
    ['Greece by both of its codes', ['GR', '999999901'], ['EL', '999999901']],
    ['every letter case', ['at', 'u99999901'], ['AT', 'U99999901']],
    ['every spelling of a number', ['AT', ' U-9999.9901/ '], ['AT', 'U99999901']],
    ['a number with and without its country', ['AT', 'ATU99999901'], ['AT', 'U99999901']],
    ['a number with and without its leading 0', ['BE', '417497106'], ['BE', '0417497106']],
  ])('is shared by %s', (_, [country, vat], [otherCountry, otherVat]) => {
    const { cache } = openCache();

    cache.keep(numberOf(country ?? '', vat ?? ''), valid, undefined);

    expect(answerOf(cache.find(numberOf(otherCountry ?? '', otherVat ?? '')))).toEqual(valid);
  });

  it.each([
    ['the same number in another Member State', 'BE', 'U99999901'],
    ['another number', 'AT', 'U99999902'],
    ['a number that has another country in front', 'AT', 'DEU99999901'],
  ])('is not shared with %s', (_, country, vat) => {
    const { cache } = openCache();

    cache.keep(vatNumber, valid, undefined);

    expect(cache.find(numberOf(country, vat))).toBeUndefined();
  });

  it('has the registry code and the number as its key', () => {
    expect(toKey(numberOf('gr', '99-99 99.901'))).toBe('EL999999901');
  });
});

describe('the text of an answer (interface 4.5)', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    // With halves of surrogate pairs.
    fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
  );
  const anyAnswer: fc.Arbitrary<Answer> = fc.record({
    valid: fc.boolean(),
    requestDate: fc.oneof(fc.constant('2026-11-20+01:00'), anyText),
    name: fc.option(anyText),
    address: fc.option(anyText),
  });

  it('is its JSON in the order of our own answer, whether it is kept, adopted or found', () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        const { cache } = openCache();
        const { requestDate, valid, name, address } = answer;
        const text = JSON.stringify({ requestDate, valid, name, address });

        const kept = cache.keep(vatNumber, answer, undefined);

        expect(kept.text).toBe(text);
        expect(cache.find(vatNumber)).toEqual(kept);
        expect(cache.adopt(vatNumber, { answer, leftMs: 1 }).text).toBe(text);
      }),
    );
  });

  const anyStep = fc.record({
    pauseMs: fc.oneof(fc.nat(400_000), fc.constantFrom(-4_000_000, -1, 0, 300_000, 3_600_000)),
    at: fc.nat(5),
    kept: fc.option(anyAnswer, { freq: 1 }),
    maxAge: fc.option(fc.nat(4_000), { nil: undefined }),
  });

  it('is found exactly as long as in a plain list of answers', () => {
    const numbers = ['AT U1', 'AT U11', 'EL 1U', 'GR 1U', 'BE 1U', 'XI U1'].map((sent) => {
      const [country = '', vat = ''] = sent.split(' ');
      return numberOf(country, vat);
    });
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60, size: 'max' }), (steps) => {
        const { clock, cache } = openCache();
        const list = new Map<string, { readonly answer: Answer; readonly endsAtMs: number }>();
        for (const { pauseMs, at, kept, maxAge } of steps) {
          clock.advance(pauseMs);
          const number = numbers[at] ?? vatNumber;
          if (kept !== null) {
            const wanted = maxAge ?? (kept.valid ? 3_600 : 300);
            const lifetime = Math.min(3_600, Math.max(300, wanted));
            cache.keep(number, kept, maxAge);
            list.set(toKey(number), { answer: kept, endsAtMs: clock.now() + lifetime * seconds });
          }
          const known = list.get(toKey(number));
          const leftMs = (known?.endsAtMs ?? 0) - clock.now();
          const isAlive = leftMs > 0 && leftMs <= 3_600 * seconds;
          const found = cache.find(number);
          expect([answerOf(found), found?.leftMs]).toEqual(
            isAlive ? [known?.answer, leftMs] : [undefined, undefined],
          );
        }
      }),
    );
  });
});

/** Bytes of the heap in use after a collection. */
function measureHeap(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

describe('the memory for answers', () => {
  const address = 'ERFINDERGASSE 117\n10100 MUSTERSTADT AM WALDRAND, ERFUNDENES LAND';
  const disclosed = { ...valid, name: 'ERFUNDENE BACKWAREN GMBH', address };
  const numberAt = (at: number) => ({ registryCode: 'AT', number: `U${10_000_000 + at}` }) as const;

  it('holds 100,000 answers in 64 MB, and hardly more for more or longer answers', () => {
    const { cache } = openCache();
    const before = measureHeap();

    for (let at = 0; at < 100_000; at += 1) {
      cache.keep(numberAt(at), at % 3 === 0 ? valid : disclosed, undefined);
    }
    let knownCount = 0;
    for (let at = 0; at < 100_000; at += 1) {
      if (cache.find(numberAt(at)) !== undefined) knownCount += 1;
    }
    for (let at = 100_000; at < 200_000; at += 1) cache.keep(numberAt(at), disclosed, undefined);
    const fullBytes = measureHeap() - before;
    for (let at = 0; at < 2_000; at += 1) {
      cache.keep(numberAt(at), { ...valid, address: 'Ω'.repeat(30_000) }, undefined);
    }
    const longBytes = measureHeap() - before;

    expect(knownCount).toBe(100_000);
    expect(fullBytes).toBeLessThan(64 * 2 ** 20);
    // The lists of the cache never become shorter.
    expect(longBytes).toBeLessThan(80 * 2 ** 20);
    expect(cache.find(numberAt(1_999))).toBeDefined();
  });

  it('drops the answer that was not read for the longest time', () => {
    const { cache } = openCache();
    const long = { ...valid, address: 'x'.repeat(2 ** 20) };

    for (let at = 0; at < 31; at += 1) cache.keep(numberAt(at), long, undefined);
    cache.find(numberAt(0));
    cache.keep(numberAt(31), long, undefined);

    const known = [0, 1, 2, 31].map((at) => cache.find(numberAt(at)) !== undefined);
    expect(known).toEqual([true, false, true, true]);
  });
});
