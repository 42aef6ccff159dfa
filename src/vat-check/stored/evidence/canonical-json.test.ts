import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonValue, printCanonicalJson } from './canonical-json.ts';

const jsonValues = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }) as fc.Arbitrary<JsonValue>;

describe('printCanonicalJson (RFC 8785)', () => {
  it('prints the example of section 3.2', () => {
    const text = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;

    expect(printCanonicalJson(JSON.parse(text) as JsonValue)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],` +
        String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts fields by UTF-16 code units, as the example of section 3.2.3', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };

    const printed = printCanonicalJson(value);

    expect([...printed.matchAll(/:"([^"]+)"/g)].map(([, text]) => text)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  it.each([
    [-0, '0'],
    [5e-324, '5e-324'],
    [Number.MAX_VALUE, '1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
    [0.000001, '0.000001'],
    [333333333.33333325, '333333333.33333325'],
  ])('prints the number %d as appendix B does', (value, printed) => {
    expect(printCanonicalJson(value)).toBe(printed);
  });

  it('is one text for equal values, whatever the order of their fields', () => {
    fc.assert(
      fc.property(jsonValues, (value) => {
        const printed = printCanonicalJson(value);
        const read = JSON.parse(printed) as JsonValue;
        expect(printCanonicalJson(read)).toBe(printed);
        expect(printCanonicalJson(reverseFields(read))).toBe(printed);
        expect(JSON.stringify(read).length).toBe(printed.length);
      }),
    );
  });

  it.each([
    ['half of a surrogate pair', '\ud83d', 'half of a surrogate pair'],
    ['half of a surrogate pair in a name', { '\ude00': 1 }, 'half of a surrogate pair'],
    ['not a number', [Number.NaN], 'JSON has no NaN'],
    ['infinity', Infinity, 'JSON has no Infinity'],
    ['an undefined field', { a: undefined }, 'JSON has no undefined'],
    ['a bigint', 1n, 'JSON has no bigint'],
    ['33 levels', nest(33), 'nested deeper than 32'],
  ])('refuses %s', (_, value, reason) => {
    expect(() => printCanonicalJson(value as JsonValue)).toThrow(reason);
  });

  it('prints 32 levels', () => {
    expect(printCanonicalJson(nest(32))).toBe(`${'['.repeat(32)}1${']'.repeat(32)}`);
  });
});

function reverseFields(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => reverseFields(item));
  const fields = Object.entries(value).toReversed();
  return Object.fromEntries(fields.map(([name, field]) => [name, reverseFields(field)]));
}

function nest(levels: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}
