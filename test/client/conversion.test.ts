import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertAmount, type FxSnapshot, type Rounding } from '../../client/src/index.ts';
import { shareService } from '../support/start-service.ts';
import { clientOf, errorOf } from './support/client-of.ts';

const snapshot: FxSnapshot = {
  date: '2026-11-20',
  base: 'EUR',
  rates: { GBP: '0.8726', ISK: '143.5', JPY: '181.5', USD: '1.1604', IDR: '19328.47', XXX: '0' },
};

describe('convertAmount', () => {
  it.each([
    // 19.90 × 1.1604 = 23.09196.
    ['from euro', '19.90', 'EUR', 'USD', '23.09', false],
    // 100 / 1.1604 = 86.17718…
    ['to euro', '100', 'USD', 'EUR', '86.18', false],
    // 100 / 1.1604 × 0.8726 = 75.19820…
    ['between two others', '100', 'USD', 'GBP', '75.20', false],
    ['to a currency without decimals', '1.50', 'EUR', 'JPY', '272', false],
    ['to another currency without decimals', '2', 'EUR', 'ISK', '287', true],
    ['to the same currency', '1.005', 'EUR', 'EUR', '1.01', false],
    ['to the same currency, not the euro', '1.5', 'USD', 'USD', '1.50', true],
    ['an amount of 0', '0', 'EUR', 'USD', '0.00', true],
    ['a negative amount', '-19.90', 'EUR', 'USD', '-23.09', false],
    ['a negative amount that rounds to 0', '-0.001', 'EUR', 'USD', '0.00', false],
    ['a whole number', 100, 'EUR', 'USD', '116.04', true],
    // A float cannot hold it.
    ['a large amount', 9_007_199_254_740_993n, 'EUR', 'USD', '10451954015201448.28', false],
  ])('converts %s', (_what, amount, from, to, expected, isExact) => {
    expect(convertAmount(snapshot, { amount, from, to })).toEqual({
      amount: expected,
      currency: to,
      isExact,
      date: '2026-11-20',
    });
  });

  it.each<[Rounding, readonly string[]]>([
    ['half-up', ['1', '1', '2', '3', '-1', '-2', '-3']],
    ['half-even', ['1', '1', '2', '2', '-1', '-2', '-2']],
    ['down', ['1', '1', '1', '2', '-1', '-1', '-2']],
    ['up', ['1', '2', '2', '3', '-2', '-2', '-3']],
  ])('rounds %s', (rounding, expected) => {
    const amounts = ['1', '1.4', '1.5', '2.5', '-1.4', '-1.5', '-2.5'];

    const euro = { from: 'EUR', to: 'EUR' };
    const rounded = amounts.map(
      (amount) => convertAmount(snapshot, { amount, ...euro }, { decimals: 0, rounding }).amount,
    );

    expect(rounded).toEqual(expected);
  });

  const convert = (own: object, options: object = {}) => {
    const request = { amount: '1', from: 'EUR', to: 'USD', ...own };
    return () => convertAmount(snapshot, request, options);
  };
  const amounts = [0.1, 1.5, Number.NaN, Infinity, 2 ** 53, '1e3', '', ' 1', '1,5', '+1', '.5'];
  it.each([...amounts, '1.', '0x10'])('refuses %j as an amount', (amount) => {
    expect(convert({ amount })).toThrow(
      "invalid 'amount' — expected a decimal as text, like '19.90', or a whole number",
    );
  });

  it.each([-1, 1.5, 21, Number.NaN])('refuses %d decimals', (decimals) => {
    expect(convert({}, { decimals })).toThrow("invalid 'decimals'");
  });

  it('refuses an unknown rounding', () => {
    expect(convert({}, { rounding: 'floor' })).toThrow("invalid 'rounding'");
  });

  it.each([
    ...['HRK', 'XXX', 'UsX'].map((code) => [code, 'UnknownCurrencyError'] as const),
    ...['', 'US', 'DOLLAR', 'constructor', 'U$D', undefined].map(
      (code) => [code, 'InvalidArgumentError'] as const,
    ),
  ])('has no rate of %j: %s', (code, name) => {
    const own = (field: string) =>
      name === 'UnknownCurrencyError'
        ? { name, currency: code?.toUpperCase(), date: '2026-11-20' }
        : { name, field };

    expect(convert({ to: code })).toThrow(expect.objectContaining(own('to')));
    expect(convert({ from: code, to: 'EUR' })).toThrow(expect.objectContaining(own('from')));
  });

  it('reads currencies in any letter case', () => {
    expect(convert({ amount: '19.90', from: 'eur', to: 'Usd' })()).toMatchObject({
      amount: '23.09',
      currency: 'USD',
    });
    expect(convert({ amount: '1.50', from: 'eur', to: 'jpy' })().amount).toBe('272');
  });
});

describe('convertAmount against fractions', () => {
  const decimalsOf = (whole: bigint, places: number) =>
    fc
      .tuple(
        fc.bigInt(0n, whole),
        fc.nat(places).chain((n) => fc.stringMatching(new RegExp(`^\\d{${n}}$`))),
      )
      .map(([units, rest]) => (rest === '' ? `${units}` : `${units}.${rest}`));
  const anyRate = decimalsOf(30_000n, 6).filter((text) => /[1-9]/.test(text));
  const amounts = fc
    .tuple(fc.constantFrom('', '-'), decimalsOf(10n ** 15n, 8))
    .map(([sign, text]) => sign + text);
  const codes = fc.constantFrom('EUR', 'AAA', 'BBB');

  /** The decimal as `over / under`; computed in another way than the client does. */
  const fractionOf = (text: string): readonly [bigint, bigint] => {
    const places = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
    return [BigInt(text.replace('.', '')), 10n ** BigInt(places)];
  };

  it('is never further from the exact result than its rounding allows, and reports whether it is exact', () => {
    fc.assert(
      fc.property(
        amounts,
        anyRate,
        anyRate,
        codes,
        codes,
        fc.nat(12),
        fc.constantFrom<Rounding>('half-up', 'half-even', 'down', 'up'),
        (amount, rateA, rateB, from, to, decimals, rounding) => {
          const rates = { AAA: rateA, BBB: rateB };
          const fx = { date: '2026-11-20', base: 'EUR', rates } as const;
          const rateOf = (code: string) =>
            fractionOf(code === 'EUR' ? '1' : rates[code as 'AAA' | 'BBB']);

          const got = convertAmount(fx, { amount, from, to }, { decimals, rounding });

          // |result − amount × to / from| as a fraction; compared by cross-multiplication.
          const [a, aUnder] = fractionOf(amount);
          const [f, fUnder] = rateOf(from);
          const [t, tUnder] = rateOf(to);
          const [exact, exactUnder] = [a * t * fUnder, aUnder * tUnder * f];
          const [r, rUnder] = fractionOf(got.amount);
          const apart = r * exactUnder - exact * rUnder;
          const size = apart < 0n ? -apart : apart;
          const unit = exactUnder * rUnder;
          const places = 10n ** BigInt(decimals);

          const isAway = exact < 0n ? apart <= 0n : apart >= 0n;
          const isHalf = size * places * 2n === unit;
          const laws = {
            exact: got.isExact === (apart === 0n),
            decimals: (got.amount.split('.')[1] ?? '').length === decimals,
            'half-up': size * places * 2n <= unit && (!isHalf || isAway),
            'half-even': size * places * 2n <= unit && (!isHalf || r % 2n === 0n),
            up: size * places < unit && isAway,
            down: size * places < unit && (!isAway || apart === 0n),
          };

          expect([laws.exact, laws.decimals, laws[rounding]]).toEqual([true, true, true]);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('convert', () => {
  const service = shareService({ lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'] });

  it('uses the newest rates, or those of a date', async () => {
    const client = clientOf(service());
    const { rates } = await client.fx('2026-11-19');

    const dated = { date: '2026-11-19', decimals: 4 };
    expect(await client.convert('1', 'EUR', 'USD', dated)).toMatchObject({
      amount: `${rates['USD']}`.padEnd(6, '0'),
      date: '2026-11-19',
    });
    expect((await client.convert('1', 'EUR', 'USD')).date).toBe('2026-11-20');
  });

  it('throws a NotFoundError for a day without rates, or uses the day before', async () => {
    const client = clientOf(service());
    const date = '2026-11-15';

    expect(await errorOf(client.convert('1', 'EUR', 'USD', { date }))).toMatchObject({
      name: 'NotFoundError',
      previousDate: '2026-11-13',
    });
    expect((await client.convert('1', 'EUR', 'USD', { date, fallBack: 'previous' })).date).toBe(
      '2026-11-13',
    );
  });
});
