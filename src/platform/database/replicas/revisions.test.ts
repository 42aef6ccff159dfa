import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bumpTopic, openWatch } from '../../../../test/support/open-watch.ts';
import type { TopicListener } from './followed-topic.ts';
import { bumpRevision } from './revisions.ts';
import { patienceMs } from '../../../../test/support/eventually.ts';

const listener = () => vi.fn<() => void>();

describe('RevisionWatch (contract C8, C25)', () => {
  it('calls every listener of a changed topic once for each change, and no others', async () => {
    const { watch, writer, errors } = await openWatch();
    const [onFx, alsoOnFx, onKeys] = [listener(), listener(), listener()];
    watch.on('fx', onFx);
    watch.on('fx', alsoOnFx);
    watch.on('keys', onKeys);
    await bumpTopic(writer, 'fx');
    await bumpTopic(writer, 'rates');

    await watch.poll();
    await watch.poll();
    await bumpTopic(writer, 'fx');
    await watch.poll();

    expect([onFx, alsoOnFx, onKeys].map(({ mock }) => mock.calls.length)).toEqual([2, 2, 0]);
    expect(errors).toEqual([]);
  });

  it('reports a database that cannot be read, and gets older meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { watch, db, errors } = await openWatch();
    vi.advanceTimersByTime(7_000);
    await watch.poll();
    expect(watch.ageMs).toBe(0);
    await db.destroy();

    vi.advanceTimersByTime(5_000);
    await watch.poll();

    expect(watch.ageMs).toBe(5_000);
    expect(errors).toHaveLength(1);
  });

  it('reads each 250 ms until it is stopped', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { watch, writer } = await openWatch();
    const onFx = listener();
    watch.on('fx', onFx);
    await bumpTopic(writer, 'fx');
    watch.start();
    vi.advanceTimersByTime(249);
    expect(onFx).not.toHaveBeenCalled();

    vi.advanceTimersByTime(1);
    await vi.waitFor(() => expect(onFx).toHaveBeenCalledOnce(), patienceMs);
    await watch.stop();

    expect(vi.getTimerCount()).toBe(0);
  });

  it('sees changes that were committed before a poll, also while another read is running', async () => {
    const { watch, db, writer, errors } = await openWatch();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const onFx = vi.fn<() => Promise<void>>().mockReturnValueOnce(gate);
    watch.on('fx', onFx);
    await bumpTopic(writer, 'fx');
    const first = watch.poll();
    await vi.waitFor(() => expect(onFx).toHaveBeenCalledOnce(), patienceMs);

    await bumpTopic(writer, 'fx');
    const second = watch.poll();
    open();
    await Promise.all([first, second]);

    expect(onFx).toHaveBeenCalledTimes(2);
    // Every read has ended when it has stopped.
    const last = watch.poll();
    await watch.stop();
    await db.destroy();
    await last;
    expect(errors).toEqual([]);
  });
});

describe('a listener that fails (contract C25)', () => {
  it('is called again, and makes only its own topic older until it succeeds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { watch, writer, errors, failing } = await openWatch();
    const [onKeys, alsoOnFx] = [listener(), listener()];
    watch.on('fx', vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('not now')));
    watch.on('fx', alsoOnFx);
    watch.on('keys', onKeys);
    await bumpTopic(writer, 'fx');
    await bumpTopic(writer, 'keys');
    vi.advanceTimersByTime(7_000);

    await watch.poll();
    expect([watch.ageMs, watch.ageOf('fx'), watch.ageOf('keys')]).toEqual([0, 7_000, 0]);
    await watch.poll();

    expect(watch.ageOf('fx')).toBe(0);
    expect([onKeys.mock.calls.length, alsoOnFx.mock.calls.length]).toEqual([1, 1]);
    expect(errors).toEqual([expect.objectContaining({ message: 'not now' })]);
    expect(failing).toEqual(['fx']);
  });

  it('does not keep listeners of other topics waiting while it does not return', async () => {
    const { watch, writer } = await openWatch();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const onKeys = listener();
    watch.on('fx', async () => gate);
    watch.on('keys', onKeys);
    await bumpTopic(writer, 'fx');
    const hanging = watch.poll();
    await bumpTopic(writer, 'keys');

    watch.start(10);

    await vi.waitFor(() => expect(onKeys).toHaveBeenCalledOnce(), patienceMs);
    open();
    await hanging;
  });
});

describe('a database that went back (rule E8)', () => {
  it('lets all listeners of all topics read everything again, again after a failure, and then follows it as before', async () => {
    const { watch, writer } = await openWatch();
    const onGoneBack = vi.fn<() => void>();
    const onKeys = vi.fn<TopicListener>();
    const onFx = vi.fn<TopicListener>();
    watch.onGoneBack(onGoneBack);
    watch.on('keys', onKeys);
    watch.on('fx', onFx);
    await bumpTopic(writer, 'keys', 'a');
    const left = await writer.selectFrom('revisions').selectAll().executeTakeFirstOrThrow();
    await bumpTopic(writer, 'keys', 'b');
    await watch.poll();
    await writer.updateTable('revisions').set(left).execute();
    for (const id of ['c', 'd']) await bumpTopic(writer, 'keys', id);
    onFx.mockRejectedValueOnce(new Error('not now'));

    await watch.poll();
    await bumpTopic(writer, 'keys', 'e');
    await watch.poll();

    expect(onKeys.mock.calls).toEqual([
      [new Set(['a', 'b']), false],
      [undefined, true],
      [new Set(['e']), false],
    ]);
    expect(onFx.mock.calls).toEqual([
      [undefined, true],
      [undefined, true],
    ]);
    expect(onGoneBack).toHaveBeenCalledOnce();
  });

  it('is no other one if replicas of version 0.3 raise revisions, which have no token', async () => {
    const { watch, writer } = await openWatch();
    const onKeys = vi.fn<TopicListener>();
    watch.on('keys', onKeys);
    const bump = async (): Promise<void> => bumpTopic(writer, 'keys', 'a');
    const raise = async () =>
      writer
        .updateTable('revisions')
        .set((e) => ({ revision: e('revision', '+', 1) }))
        .execute();
    for (const change of [bump, raise, raise, bump]) {
      await change();
      await watch.poll();
    }

    expect(onKeys.mock.calls.map(([, hasGoneBack]) => hasGoneBack)).toEqual(Array(4).fill(false));
  });
});

describe('bumpRevision with an id', () => {
  it('passes the ids since the last successful call, or none if a change had none', async () => {
    const { watch, writer } = await openWatch();
    const onKeys = vi.fn<TopicListener>().mockImplementationOnce(() => {
      throw new Error('not now');
    });
    watch.on('keys', onKeys);
    for (const ids of [['a'], ['b', 'c'], ['d'], ['e', undefined, 'f']]) {
      for (const id of ids) await bumpTopic(writer, 'keys', id);
      await watch.poll();
    }

    expect(onKeys.mock.calls.map(([changed]) => changed && [...changed].join(''))).toEqual([
      'a',
      'abc',
      'd',
      undefined,
    ]);
  });

  it('passes the latest 100 ids, and no ids to a process that missed more changes', async () => {
    const { watch, writer } = await openWatch();
    const onKeys = vi.fn<TopicListener>();
    watch.on('keys', onKeys);
    await bumpTopic(writer, 'keys', 'key_0');
    await watch.poll();
    for (const count of [101, 100]) {
      await writer.transaction().execute(async (tx) => {
        for (let n = 1; n <= count; n += 1) await bumpRevision(tx, 'keys', `key_${n}`);
      });
      await watch.poll();
    }

    expect(onKeys.mock.calls.map(([changed]) => changed?.size)).toEqual([1, undefined, 100]);
  });
});
