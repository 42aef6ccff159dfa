import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyFxSnapshot } from '../../test/support/arbitraries.ts';
import { isoDate } from '../platform/time.ts';
import {
  compareSnapshots,
  correctSnapshot,
  type CurrencyCode,
  type FxSnapshot,
  parseCurrencyCode,
  parseSnapshot,
  printSnapshot,
} from './snapshot.ts';

function of(rates: Readonly<Record<string, string>>, date = '2026-11-20'): FxSnapshot {
  return { date: isoDate(date), rates: new Map(Object.entries(rates) as [CurrencyCode, string][]) };
}

describe('printSnapshot (interface 2.3)', () => {
  it('prints the exact bytes of the answer, currencies in alphabetical order', () => {
    expect(printSnapshot(of({ USD: '1.179', JPY: '184.5', AUD: '1.661' }))).toBe(
      '{"date":"2026-11-20","base":"EUR","rates":{"AUD":1.661,"JPY":184.5,"USD":1.179}}',
    );
  });

  it('prints every digit of a rate (contract C11)', () => {
    expect(printSnapshot(of({ TRL: '1912400', LVL: '0.702804123456789' }))).toContain(
      '{"LVL":0.702804123456789,"TRL":1912400}',
    );
  });

  it('prints the same bytes for currencies in any order', () => {
    fc.assert(
      fc.property(anyFxSnapshot, (snapshot) => {
        const rates = new Map([...snapshot.rates].toReversed());
        expect(printSnapshot({ ...snapshot, rates })).toBe(printSnapshot(snapshot));
      }),
    );
  });
});

describe('parseSnapshot', () => {
  it('returns the snapshot that was printed', () => {
    fc.assert(
      fc.property(anyFxSnapshot, (snapshot) => {
        expect(parseSnapshot(printSnapshot(snapshot))).toEqual(snapshot);
      }),
    );
  });

  it('throws for a date that does not exist', () => {
    const body = '{"date":"2026-02-30","base":"EUR","rates":{}}';
    expect(() => parseSnapshot(body)).toThrow('not a calendar date');
  });

  it.each([
    ['cut off', '{"date":"2026-11-20","base":"EUR","rates":{"USD":1.1'],
    ['a rate that is text', '{"date":"2026-11-20","base":"EUR","rates":{"USD":"1.1"}}'],
    ['a code in small letters', '{"date":"2026-11-20","base":"EUR","rates":{"usd":1.1}}'],
    ['a comma too many', '{"date":"2026-11-20","base":"EUR","rates":{"USD":1.1,}}'],
  ])('throws for a body of another form: %s', (_what, body) => {
    expect(() => parseSnapshot(body)).toThrow(/^not a (stored publication|rate of a stored)/);
  });
});

describe('parseCurrencyCode', () => {
  it('reads three capitals', () => {
    expect(parseCurrencyCode('USD')).toBe('USD');
  });

  it.each(['', 'usd', 'US', 'USDX', 'U1D', 'ÄÖÜ', 'USD\n'])('refuses %j', (text) => {
    expect(parseCurrencyCode(text)).toBeUndefined();
  });
});

describe('compareSnapshots and correctSnapshot (contract C20)', () => {
  it('list the different values by currency', () => {
    const stored = of({ USD: '1.17', NOK: '11.8529', RUB: '90' });
    const upstream = of({ USD: '1.17', NOK: '11.5829', ISK: '143.2' });

    expect(compareSnapshots(stored, upstream)).toEqual([
      { currency: 'ISK', stored: null, upstream: '143.2' },
      { currency: 'NOK', stored: '11.8529', upstream: '11.5829' },
      { currency: 'RUB', stored: '90', upstream: null },
    ]);
  });

  it('turn the stored snapshot into that of the upstream', () => {
    fc.assert(
      fc.property(anyFxSnapshot, anyFxSnapshot, (stored, other) => {
        const upstream = { ...other, date: stored.date };
        const corrected = correctSnapshot(stored, compareSnapshots(stored, upstream));
        expect(printSnapshot(corrected)).toBe(printSnapshot(upstream));
      }),
    );
  });

  it('find no difference between a snapshot and itself', () => {
    fc.assert(
      fc.property(anyFxSnapshot, (snapshot) => {
        expect(compareSnapshots(snapshot, snapshot)).toEqual([]);
        expect(correctSnapshot(snapshot, [])).toEqual(snapshot);
      }),
    );
  });

  it('do not change the stored snapshot', () => {
    const stored = of({ NOK: '11.8529' });

    correctSnapshot(stored, [
      { currency: 'NOK' as CurrencyCode, stored: '11.8529', upstream: null },
    ]);

    expect(stored.rates.get('NOK' as CurrencyCode)).toBe('11.8529');
  });
});
