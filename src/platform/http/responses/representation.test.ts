import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRepresentation } from './representation.ts';

describe('createRepresentation (contract C9)', () => {
  it('has a strong ETag that is a hash of the exact bytes', () => {
    const { body, etag } = createRepresentation('{"name":"Österreich"}');

    const hash = createHash('sha256').update(Buffer.from('{"name":"Österreich"}'));
    expect(body.toString()).toBe('{"name":"Österreich"}');
    expect(etag).toBe(`"${hash.digest('base64url').slice(0, 27)}"`);
  });

  it('has the same ETag only for the same text, in characters that a list of ETags can hold', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        const [first, second] = [createRepresentation(one), createRepresentation(other)];
        expect(first.etag === second.etag).toBe(one === other);
        expect(first.etag).toMatch(/^"[\w-]{27}"$/);
      }),
    );
  });
});
