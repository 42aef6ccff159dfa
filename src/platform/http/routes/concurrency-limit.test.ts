import { describe, expect, it } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.ts';

function open() {
  const limit = new ConcurrencyLimit({ perKey: 2, inAll: 3 });
  const ends: PromiseWithResolvers<void>[] = [];
  /** Begins work that the test ends, unless it is refused. */
  const begin = (keyId: string): unknown => {
    const work = Promise.withResolvers<void>();
    try {
      const running = limit.run(keyId, async () => work.promise);
      ends.push(work);
      return running;
    } catch (error) {
      return error;
    }
  };
  return { ends, begin };
}

const refused = expect.objectContaining({ code: 'rateLimited', reason: 'concurrency' });

describe('ConcurrencyLimit', () => {
  it('refuses a third piece of work of one key, with Retry-After', () => {
    const { begin } = open();
    begin('a');
    begin('a');

    expect(begin('a')).toMatchObject({
      code: 'rateLimited',
      headers: {
        'retry-after': '1',
        'ratelimit-policy': '"concurrency";q=2;qu="concurrent-requests"',
        ratelimit: '"concurrency";r=0;t=1',
      },
    });
    expect(begin('b')).toBeInstanceOf(Promise);
  });

  it('refuses work beyond the total limit', () => {
    const { begin } = open();
    for (const keyId of ['a', 'b', 'c']) begin(keyId);

    expect(begin('d')).toEqual(refused);
  });

  it('has room again after work has ended or failed', async () => {
    const { begin, ends } = open();
    const [one, other] = [begin('a'), begin('a')];
    ends[0]?.resolve();
    ends[1]?.reject(new Error('broken'));
    await one;
    await expect(other).rejects.toThrow('broken');

    expect([begin('a'), begin('a'), begin('a')]).toEqual([
      expect.any(Promise),
      expect.any(Promise),
      refused,
    ]);
  });
});
