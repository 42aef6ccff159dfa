import { expect, it } from 'vitest';
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

const admitted = expect.any(Promise) as unknown;
/** The refusal of work beyond a limit. */
const refusedBy = (limit: number): unknown =>
  expect.objectContaining({
    code: 'rateLimited',
    reason: 'concurrency',
    headers: {
      'retry-after': '1',
      'ratelimit-policy': `"concurrency";q=${limit};qu="concurrent-requests"`,
      ratelimit: '"concurrency";r=0;t=1',
    },
  });

it.each([
  ['third of one key', ['a', 'a', 'a'], [admitted, admitted, refusedBy(2)]],
  ['fourth in all', ['a', 'b', 'c', 'd'], [admitted, admitted, admitted, refusedBy(3)]],
])('ConcurrencyLimit refuses the %s, with Retry-After', (_, keys, expected) => {
  expect(keys.map(open().begin)).toEqual(expected);
});

it('ConcurrencyLimit has room again after work has ended or failed', async () => {
  const { begin, ends } = open();
  const [one, other] = [begin('a'), begin('a')];
  ends[0]?.resolve();
  ends[1]?.reject(new Error('broken'));
  await one;
  await expect(other).rejects.toThrow('broken');

  expect([begin('a'), begin('a'), begin('a')]).toEqual([admitted, admitted, refusedBy(2)]);
});
