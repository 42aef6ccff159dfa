import { describe, expect, it } from 'vitest';
import { responseOf, cachedUnder } from '../../../../test/support/prepared-response.ts';
import { ResponseCache } from './response-cache.ts';

describe('ResponseCache', () => {
  it('does not store a response that was read before it was cleared', () => {
    const cache = new ResponseCache();
    const { generation } = cache;

    cache.store(generation, cachedUnder('/a', responseOf('old')));
    cache.clear();
    cache.store(generation, cachedUnder('/a', responseOf('old')));

    expect(cache.find('/a')).toBeUndefined();
  });

  it('drops the least recently used responses when it is full, and is bounded in bytes', () => {
    const cache = new ResponseCache();
    const big = responseOf('x'.repeat(2 ** 18));
    for (let n = 0; n < 31; n += 1) cache.store(cache.generation, cachedUnder(`/${n}`, big));
    cache.find('/0');

    for (let n = 31; n < 33; n += 1) cache.store(cache.generation, cachedUnder(`/${n}`, big));

    const gone = Array.from({ length: 33 }, (_, n) => n).filter((n) => !cache.find(`/${n}`));
    expect(gone).toEqual([1, 2]);
  });

  it('does not store a key or a target of more than 200 characters', () => {
    const cache = new ResponseCache();
    const [long, longer] = ['/'.repeat(200), '/'.repeat(201)];
    const response = responseOf('body');

    cache.store(cache.generation, cachedUnder(long, response));
    cache.store(cache.generation, { key: '/', target: longer, response });
    cache.store(cache.generation, { key: longer, target: '/', response });

    expect([long, longer, '/'].map((target) => cache.find(target))).toEqual([
      response,
      undefined,
      undefined,
    ]);
    expect(cache.findByKey('/', '/other')).toBe(response);
  });

  it('keeps one response for all targets with the same key', () => {
    const cache = new ResponseCache();
    const response = responseOf('x'.repeat(2 ** 18));
    cache.store(cache.generation, cachedUnder('/kept', responseOf('body')));
    cache.store(cache.generation, { key: 'same', target: '/a?q=0', response });

    for (let n = 1; n < 100; n += 1) cache.findByKey('same', `/a?q=${n}`);

    expect([cache.find('/a?q=0'), cache.find('/a?q=99')]).toEqual([response, response]);
    expect(cache.find('/kept')).toBeDefined();
  });

  it('does not find a response by another target after it was cleared', () => {
    const cache = new ResponseCache();
    cache.store(cache.generation, { key: 'same', target: '/a', response: responseOf('old') });

    cache.clear();

    expect([cache.find('/a'), cache.findByKey('same', '/b')]).toEqual([undefined, undefined]);
  });
});
