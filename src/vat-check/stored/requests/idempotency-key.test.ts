import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readField } from '../../../platform/http/routes/read-request.ts';
import { idempotencyHeader } from './definitions.ts';
import { digestBody } from './idempotency-key.ts';

const { field } = idempotencyHeader('check')['Idempotency-Key'];

describe('the header Idempotency-Key (rule K4)', () => {
  it.each([[''], ['x'.repeat(101)], ['é'], ['a\tb'], ['\x7F'], [['a', 'b']]])(
    'is 400 for %j',
    (header) => {
      expect(() => readField(field, header, { path: 'Idempotency-Key' })).toThrow(
        expect.objectContaining({
          status: 400,
          message: "invalid 'Idempotency-Key' — expected 1 to 100 printable ASCII characters",
        }),
      );
    },
  );
});

describe('the digest of a body (rule K4)', () => {
  it.each([
    ['{"a":1}', '{"a":2}'],
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":null}', '{}'],
    ['{"a":{"b":1}}', '{"a":{},"b":1}'],
    ['[1,2]', '[2,1]'],
    ['{"0":1}', '[1]'],
    ['{"__proto__":1}', '{}'],
    ['""', 'null'],
  ])('differs for %s and %s', (one, other) => {
    expect(digestBody(JSON.parse(one))).not.toBe(digestBody(JSON.parse(other)));
  });

  it('is the same for members in reverse order at any depth', () => {
    const reversed = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(reversed);
      const members = Object.entries(value).map(([name, one]) => [name, reversed(one)]);
      return Object.fromEntries(members.reverse());
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(digestBody(reversed(value))).toBe(digestBody(value));
        expect(digestBody([value, 1])).not.toBe(digestBody([value]));
      }),
    );
  });
});
