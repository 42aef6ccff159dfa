import { describe, expect, it } from 'vitest';
import { responseOf } from '../../../../test/support/prepared-response.ts';
import { createRepresentation } from './representation.ts';
import { ResponseCache } from './response-cache.ts';

describe('ResponseCache', () => {
  it('finds a stored response by its key', () => {
    const cache = new ResponseCache();
    const response = responseOf('body');

    cache.store(cache.generation, '/a', response);

    expect([cache.find('/a'), cache.find('/b')]).toEqual([response, undefined]);
  });

  it('does not store a response that was read before it was cleared', () => {
    const cache = new ResponseCache();
    const { generation } = cache;

    cache.store(generation, '/a', responseOf('old'));
    cache.clear();
    cache.store(generation, '/a', responseOf('old'));

    expect(cache.find('/a')).toBeUndefined();
  });

  it('drops the least recently used responses when it is full, and is bounded in bytes', () => {
    const cache = new ResponseCache();
    const big = responseOf('x'.repeat(2 ** 18));
    for (let n = 0; n < 62; n += 1) cache.store(cache.generation, `/${n}`, big);
    cache.find('/0');

    for (let n = 62; n < 65; n += 1) cache.store(cache.generation, `/${n}`, big);

    const gone = Array.from({ length: 65 }, (_, n) => n).filter((n) => !cache.find(`/${n}`));
    expect(gone).toEqual([1, 2]);
  });

  it('keeps no memory beside the bodies that it counts', () => {
    const { body } = createRepresentation('x'.repeat(20_000));

    expect(body.buffer.byteLength).toBe(20_000);
  });

  it('does not store a response under a key of more than 200 characters', () => {
    const cache = new ResponseCache();
    const [long, longer] = ['/'.repeat(200), '/'.repeat(201)];

    for (const key of [long, longer]) cache.store(cache.generation, key, responseOf('body'));

    expect([long, longer].map((key) => cache.find(key) !== undefined)).toEqual([true, false]);
  });
});
