import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRequestId, nextRequestId, writeRequestId } from './request-id.ts';

const anyNumber = fc.integer({ min: 0, max: 36 ** 7 - 1 });

describe('a request id', () => {
  it('is different for each request', () => {
    const ids = Array.from({ length: 1_000 }, nextRequestId);

    expect(new Set(ids).size).toBe(1_000);
  });

  it('overwrites another id, and no other bytes', () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, (before, number) => {
        const bytes = Buffer.from(`<${formatRequestId(before)}>`);

        writeRequestId(bytes, 1, number);

        expect(bytes.toString()).toBe(`<${formatRequestId(number)}>`);
      }),
    );
  });
});
