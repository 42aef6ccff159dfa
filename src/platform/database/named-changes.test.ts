import { describe, expect, it, vi } from 'vitest';
import { bumpTopic, openWatch } from '../../../test/support/open-watch.ts';
import type { TopicListener } from './followed-topic.ts';
import { bumpRevision } from './revisions.ts';

describe('bumpRevision with an id', () => {
  it('passes the ids of all changes since the last call to the listener', async () => {
    const { watch, writer } = await openWatch();
    const onKeys = vi.fn<TopicListener>();
    watch.on('keys', onKeys);
    await bumpTopic(writer, 'keys', 'key_a');
    await watch.poll();

    await bumpTopic(writer, 'keys', 'key_b');
    await bumpTopic(writer, 'keys', 'key_c');
    await watch.poll();

    expect(onKeys.mock.calls).toEqual([[new Set(['key_a'])], [new Set(['key_b', 'key_c'])]]);
  });

  it('passes an id again after the listener failed', async () => {
    const { watch, writer } = await openWatch();
    const onKeys = vi.fn<TopicListener>().mockImplementationOnce(() => {
      throw new Error('not now');
    });
    watch.on('keys', onKeys);
    await bumpTopic(writer, 'keys', 'key_a');
    await watch.poll();

    await bumpTopic(writer, 'keys', 'key_b');
    await watch.poll();

    expect(onKeys).toHaveBeenLastCalledWith(new Set(['key_a', 'key_b']));
  });

  it('passes no ids if one of the changes had none', async () => {
    const { watch, writer } = await openWatch();
    const onKeys = vi.fn<TopicListener>();
    watch.on('keys', onKeys);
    await bumpTopic(writer, 'keys', 'key_a');
    await bumpTopic(writer, 'keys');
    await bumpTopic(writer, 'keys', 'key_c');

    await watch.poll();

    expect(onKeys.mock.calls).toEqual([[undefined]]);
  });

  it('passes the latest 100 ids, and no ids to a process that missed more changes', async () => {
    const { watch, writer } = await openWatch();
    const onKeys = vi.fn<TopicListener>();
    watch.on('keys', onKeys);
    await bumpTopic(writer, 'keys', 'key_0');
    await watch.poll();
    await writer.transaction().execute(async (tx) => {
      for (let n = 1; n <= 101; n += 1) await bumpRevision(tx, 'keys', `key_${n}`);
    });

    await watch.poll();
    await writer.transaction().execute(async (tx) => {
      for (let n = 1; n <= 100; n += 1) await bumpRevision(tx, 'keys', `key_${n}`);
    });
    await watch.poll();

    expect(onKeys.mock.calls.map(([changed]) => changed?.size)).toEqual([1, undefined, 100]);
  });
});
