import { describe, expect, it } from 'vitest';
import { SettableClock } from '../../test/support/settable-clock.ts';
import { AnswerCache, toKey } from './cache.ts';
import type { Answer } from './outcome.ts';
import { parseVatNumber, type VatNumber } from './vat-number.ts';

const seconds = 1_000;
const valid: Answer = { valid: true, requestDate: '2026-11-20+01:00', name: 'A', address: null };
const notOnFile: Answer = { ...valid, valid: false, name: null };

function numberOf(country: string, vat: string): VatNumber {
  const parsed = parseVatNumber(country, vat);
  if (parsed === undefined) throw new Error(`no VAT number: ${country} ${vat}`);
  return parsed;
}

const vatNumber = numberOf('AT', 'U99999901');

function openCache() {
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  return { clock, cache: new AnswerCache(clock) };
}

describe('the lifetime of an answer (contract C23)', () => {
  it.each([
    ['true, when the registry says nothing', valid, null, 3_600],
    ['false, when the registry says nothing', notOnFile, null, 300],
    ['true, when the registry says 0', valid, 0, 300],
    ['true, when the registry says less than the least', valid, 299, 300],
    ['true, when the registry says the least', valid, 300, 300],
    ['true, when the registry says something between', valid, 1_234, 1_234],
    ['true, when the registry says the most', valid, 3_600, 3_600],
    ['true, when the registry says more', valid, 3_601, 3_600],
    ['true, when the registry says years', valid, 999_999_999, 3_600],
    ['false, when the registry says 0', notOnFile, 0, 300],
    ['false, when the registry says something between', notOnFile, 1_234, 1_234],
    ['false, when the registry says years', notOnFile, 999_999_999, 3_600],
  ])('of %s, ends to the millisecond', (_, answer, maxAge, lifetime) => {
    const { clock, cache } = openCache();

    const kept = cache.keep(vatNumber, answer, maxAge);

    expect(kept).toMatchObject({ answer, maxAgeSeconds: lifetime });
    clock.advance(lifetime * seconds - 1);
    expect(cache.find(vatNumber)?.answer).toEqual(answer);
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
  ])('is told as what is left of it %s', (_, afterMs, told) => {
    const { clock, cache } = openCache();
    cache.keep(vatNumber, valid, null);

    clock.advance(afterMs);

    expect(cache.find(vatNumber)).toMatchObject({ answer: valid, maxAgeSeconds: told });
  });

  it('is not prolonged by asking', () => {
    const { clock, cache } = openCache();
    cache.keep(vatNumber, valid, null);

    clock.advance(3_000 * seconds);
    cache.find(vatNumber);
    clock.advance(600 * seconds);

    expect(cache.find(vatNumber)).toBeUndefined();
  });

  it('begins anew with a newer answer', () => {
    const { clock, cache } = openCache();
    cache.keep(vatNumber, notOnFile, null);

    clock.advance(200 * seconds);
    cache.keep(vatNumber, valid, null);
    clock.advance(200 * seconds);

    expect(cache.find(vatNumber)).toMatchObject({ answer: valid, maxAgeSeconds: 3_400 });
  });
});

describe('an entry (contract C23)', () => {
  it.each([
    ['Greece by both of its codes', ['GR', '999999901'], ['EL', '999999901']],
    ['every letter case', ['at', 'u99999901'], ['AT', 'U99999901']],
    ['every spelling of a number', ['AT', ' U-9999.9901/ '], ['AT', 'U99999901']],
  ])('is shared by %s', (_, [country, vat], [otherCountry, otherVat]) => {
    const { cache } = openCache();

    cache.keep(numberOf(country ?? '', vat ?? ''), valid, null);

    expect(cache.find(numberOf(otherCountry ?? '', otherVat ?? ''))?.answer).toEqual(valid);
  });

  it.each([
    ['the same number in another Member State', 'BE', 'U99999901'],
    ['another number', 'AT', 'U99999902'],
    ['a number that has its country in front', 'AT', 'ATU99999901'],
  ])('is not that of %s', (_, country, vat) => {
    const { cache } = openCache();

    cache.keep(vatNumber, valid, null);

    expect(cache.find(numberOf(country, vat))).toBeUndefined();
  });

  it('has the key of what the registry is asked', () => {
    expect(toKey(numberOf('gr', '99-99 99.901'))).toBe('EL999999901');
  });
});
