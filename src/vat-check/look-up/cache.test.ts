import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { numberOf } from '../../../test/vat-check/support/vat-numbers.ts';
import { AnswerCache, type CachedAnswer, toKey } from './cache.ts';
import type { Answer } from '../registries/outcome.ts';

const seconds = 1_000;
const valid: Answer = { valid: true, requestDate: '2026-11-20+01:00', name: 'A', address: null };

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
    ['true, when the registry says nothing', true, undefined, 3_600],
    ['false, when the registry says nothing', false, undefined, 300],
    ['true, when the registry says less than the minimum', true, 299, 300],
    ['true, when the registry says a time between', true, 1_234, 1_234],
    ['false, when the registry says years', false, 999_999_999, 3_600],
  ])('of %s, ends to the millisecond', (_, isValid, maxAge, lifetime) => {
    const { clock, cache } = openCache();

    const kept = cache.keep(vatNumber, { ...valid, valid: isValid }, maxAge);

    expect(kept).toMatchObject({ maxAgeSeconds: lifetime });
    clock.advance(lifetime * seconds - 1);
    expect(answerOf(cache.find(vatNumber))?.valid).toBe(isValid);
    clock.advance(1);
    expect(cache.find(vatNumber)).toBeUndefined();
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
