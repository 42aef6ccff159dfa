import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bumpTopic, openWatch } from '../../../test/support/open-watch.ts';
import { bumpRevision } from './revisions.ts';

describe('RevisionWatch (contract C8, C25)', () => {
  it('calls the listeners of a topic that another process has changed, and no others', async () => {
    const { watch, writer } = await openWatch();
    const [onFx, alsoOnFx, onKeys] = [
      vi.fn<() => void>(),
      vi.fn<() => void>(),
      vi.fn<() => void>(),
    ];
    watch.on('fx', onFx);
    watch.on('fx', alsoOnFx);
    watch.on('keys', onKeys);
    await bumpTopic(writer, 'fx');

    await watch.poll();

    expect(onFx).toHaveBeenCalledOnce();
    expect(alsoOnFx).toHaveBeenCalledOnce();
    expect(onKeys).not.toHaveBeenCalled();
  });

  it('ignores a change of a topic without listeners', async () => {
    const { watch, writer, errors } = await openWatch();
    await bumpTopic(writer, 'rates');

    await watch.poll();

    expect(errors).toEqual([]);
  });

  it('calls a listener once for a change, however often it reads', async () => {
    const { watch, writer } = await openWatch();
    const onFx = vi.fn<() => void>();
    watch.on('fx', onFx);
    await bumpTopic(writer, 'fx');
    await watch.poll();
    await watch.poll();
    expect(onFx).toHaveBeenCalledOnce();

    await bumpTopic(writer, 'fx');
    await watch.poll();

    expect(onFx).toHaveBeenCalledTimes(2);
  });

  it('does not call a listener for a change that was rolled back', async () => {
    const { watch, writer } = await openWatch();
    const onFx = vi.fn<() => void>();
    watch.on('fx', onFx);
    const failing = writer.transaction().execute(async (tx) => {
      await bumpRevision(tx, 'fx');
      throw new Error('halfway');
    });
    await expect(failing).rejects.toThrow('halfway');

    await watch.poll();

    expect(onFx).not.toHaveBeenCalled();
  });

  it('calls a listener again that failed', async () => {
    const { watch, writer, errors } = await openWatch();
    const onFx = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('not now'));
    watch.on('fx', onFx);
    await bumpTopic(writer, 'fx');

    await watch.poll();
    await watch.poll();

    expect(onFx).toHaveBeenCalledTimes(2);
    expect(errors).toEqual([expect.objectContaining({ message: 'not now' })]);
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
    const onFx = vi.fn<() => void>();
    watch.on('fx', onFx);
    await bumpTopic(writer, 'fx');
    watch.start();
    vi.advanceTimersByTime(249);
    expect(onFx).not.toHaveBeenCalled();

    vi.advanceTimersByTime(1);
    await vi.waitFor(() => expect(onFx).toHaveBeenCalledOnce());
    await watch.stop();

    expect(vi.getTimerCount()).toBe(0);
  });

  it('sees changes that were committed before a poll, also if another read is running', async () => {
    const { watch, writer } = await openWatch();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const onFx = vi.fn<() => Promise<void>>().mockReturnValueOnce(gate);
    watch.on('fx', onFx);
    await bumpTopic(writer, 'fx');
    const first = watch.poll();
    await vi.waitFor(() => expect(onFx).toHaveBeenCalledOnce());

    await bumpTopic(writer, 'fx');
    const second = watch.poll();
    open();
    await Promise.all([first, second]);

    expect(onFx).toHaveBeenCalledTimes(2);
  });

  it('has ended every read once it has stopped', async () => {
    const { watch, db, writer, errors } = await openWatch();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const onFx = vi.fn<() => Promise<void>>().mockReturnValueOnce(gate);
    watch.on('fx', onFx);
    await bumpTopic(writer, 'fx');
    const looks = [watch.poll(), watch.poll()];
    await vi.waitFor(() => expect(onFx).toHaveBeenCalledOnce());

    const stopped = watch.stop().then(async () => db.destroy());
    open();
    await Promise.all([...looks, stopped]);

    expect(errors).toEqual([]);
  });
});

describe('RevisionWatch with a listener that keeps failing (contract C25)', () => {
  it('calls the listeners of other topics, and other listeners of the same topic', async () => {
    const { watch, writer, failing } = await openWatch();
    const onKeys = vi.fn<() => void>();
    const alsoOnFx = vi.fn<() => void>();
    watch.on('fx', async () => Promise.reject(new Error('never')));
    watch.on('fx', alsoOnFx);
    watch.on('keys', onKeys);
    await bumpTopic(writer, 'fx');
    await bumpTopic(writer, 'keys');

    await watch.poll();
    await bumpTopic(writer, 'keys');
    await watch.poll();

    expect(onKeys).toHaveBeenCalledTimes(2);
    expect(alsoOnFx).toHaveBeenCalledOnce();
    expect(failing).toEqual(['fx', 'fx']);
  });

  it('calls the listeners of other topics while it does not return', async () => {
    const { watch, writer } = await openWatch();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const onKeys = vi.fn<() => void>();
    watch.on('fx', async () => gate);
    watch.on('keys', onKeys);
    await bumpTopic(writer, 'fx');
    const hanging = watch.poll();
    await bumpTopic(writer, 'keys');

    watch.start(10);

    await vi.waitFor(() => expect(onKeys).toHaveBeenCalledOnce());
    open();
    await hanging;
  });

  it('makes only its own topic older, until it succeeds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { watch, writer } = await openWatch();
    const onFx = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('not now'));
    watch.on('fx', onFx);
    watch.on('keys', () => {});
    await bumpTopic(writer, 'fx');
    vi.advanceTimersByTime(7_000);
    await watch.poll();
    expect([watch.ageMs, watch.ageOf('fx'), watch.ageOf('keys')]).toEqual([0, 7_000, 0]);

    await watch.poll();

    expect(watch.ageOf('fx')).toBe(0);
  });
});
