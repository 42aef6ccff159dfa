import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../test/support/temporary-database.ts';
import type { Db } from './database.ts';
import type { TopicListener } from './followed-topic.ts';
import { bumpRevision, RevisionWatch, type Topic } from './revisions.ts';

async function bump(db: Db, topic: Topic, subject?: string): Promise<void> {
  await db.transaction().execute(async (tx) => bumpRevision(tx, topic, subject));
}

/** Two processes with one database; `errors` has what the watching one could not read. */
async function openWatch() {
  const url = temporaryDatabaseUrl();
  const [db, writer] = [await openTemporaryDatabase(url), await openTemporaryDatabase(url)];
  const errors: unknown[] = [];
  const failing: (Topic | undefined)[] = [];
  const watch = new RevisionWatch(db, (error, topic) => {
    if (error === undefined) return;
    errors.push(error);
    failing.push(topic);
  });
  onTestFinished(async () => watch.stop());
  return { watch, db, writer, errors, failing };
}

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
    await bump(writer, 'fx');

    await watch.poll();

    expect(onFx).toHaveBeenCalledOnce();
    expect(alsoOnFx).toHaveBeenCalledOnce();
    expect(onKeys).not.toHaveBeenCalled();
  });

  it('does not mind a change that nobody here listens to', async () => {
    const { watch, writer, errors } = await openWatch();
    await bump(writer, 'rates');

    await watch.poll();

    expect(errors).toEqual([]);
  });

  it('calls once for a change, however often it looks', async () => {
    const { watch, writer } = await openWatch();
    const onFx = vi.fn<() => void>();
    watch.on('fx', onFx);
    await bump(writer, 'fx');
    await watch.poll();
    await watch.poll();
    expect(onFx).toHaveBeenCalledOnce();

    await bump(writer, 'fx');
    await watch.poll();

    expect(onFx).toHaveBeenCalledTimes(2);
  });

  it('is silent about a change that was rolled back', async () => {
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
    await bump(writer, 'fx');

    await watch.poll();
    await watch.poll();

    expect(onFx).toHaveBeenCalledTimes(2);
    expect(errors).toEqual([expect.objectContaining({ message: 'not now' })]);
  });

  it('reports a database that cannot be read, and ages meanwhile', async () => {
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

  it('looks twice a second by itself until it is stopped', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { watch, writer } = await openWatch();
    const onFx = vi.fn<() => void>();
    watch.on('fx', onFx);
    await bump(writer, 'fx');
    watch.start();
    vi.advanceTimersByTime(499);
    expect(onFx).not.toHaveBeenCalled();

    vi.advanceTimersByTime(1);
    await vi.waitFor(() => expect(onFx).toHaveBeenCalledOnce());
    await watch.stop();

    expect(vi.getTimerCount()).toBe(0);
  });

  it('sees what was written before it was asked to look, also when it is looking already', async () => {
    const { watch, writer } = await openWatch();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const onFx = vi.fn<() => Promise<void>>().mockReturnValueOnce(gate);
    watch.on('fx', onFx);
    await bump(writer, 'fx');
    const first = watch.poll();
    await vi.waitFor(() => expect(onFx).toHaveBeenCalledOnce());

    await bump(writer, 'fx');
    const second = watch.poll();
    open();
    await Promise.all([first, second]);

    expect(onFx).toHaveBeenCalledTimes(2);
  });

  it('is done with every look once it has stopped', async () => {
    const { watch, db, writer, errors } = await openWatch();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const onFx = vi.fn<() => Promise<void>>().mockReturnValueOnce(gate);
    watch.on('fx', onFx);
    await bump(writer, 'fx');
    const looks = [watch.poll(), watch.poll()];
    await vi.waitFor(() => expect(onFx).toHaveBeenCalledOnce());

    const stopped = watch.stop().then(async () => db.destroy());
    open();
    await Promise.all([...looks, stopped]);

    expect(errors).toEqual([]);
  });
});

describe('RevisionWatch with a listener that keeps failing (contract C25)', () => {
  it('follows other topics, and other listeners of the same one', async () => {
    const { watch, writer, failing } = await openWatch();
    const onKeys = vi.fn<() => void>();
    const alsoOnFx = vi.fn<() => void>();
    watch.on('fx', async () => Promise.reject(new Error('never')));
    watch.on('fx', alsoOnFx);
    watch.on('keys', onKeys);
    await bump(writer, 'fx');
    await bump(writer, 'keys');

    await watch.poll();
    await bump(writer, 'keys');
    await watch.poll();

    expect(onKeys).toHaveBeenCalledTimes(2);
    expect(alsoOnFx).toHaveBeenCalledOnce();
    expect(failing).toEqual(['fx', 'fx']);
  });

  it('follows other topics while a listener does not return', async () => {
    const { watch, writer } = await openWatch();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const onKeys = vi.fn<() => void>();
    watch.on('fx', async () => gate);
    watch.on('keys', onKeys);
    await bump(writer, 'fx');
    const hanging = watch.poll();
    await bump(writer, 'keys');

    watch.start(10);

    await vi.waitFor(() => expect(onKeys).toHaveBeenCalledOnce());
    open();
    await hanging;
  });

  it('has an age of its own for each topic, which grows until its listener succeeds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { watch, writer } = await openWatch();
    const onFx = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('not now'));
    watch.on('fx', onFx);
    watch.on('keys', () => {});
    await bump(writer, 'fx');
    vi.advanceTimersByTime(7_000);
    await watch.poll();
    expect([watch.ageMs, watch.ageOf('fx'), watch.ageOf('keys')]).toEqual([0, 7_000, 0]);

    await watch.poll();

    expect(watch.ageOf('fx')).toBe(0);
  });
});

describe('bumpRevision with the id of what changed', () => {
  it('names everything that changed since the listener was called', async () => {
    const { watch, writer } = await openWatch();
    const onKeys = vi.fn<TopicListener>();
    watch.on('keys', onKeys);
    await bump(writer, 'keys', 'key_a');
    await watch.poll();

    await bump(writer, 'keys', 'key_b');
    await bump(writer, 'keys', 'key_c');
    await watch.poll();

    expect(onKeys.mock.calls).toEqual([[new Set(['key_a'])], [new Set(['key_b', 'key_c'])]]);
  });

  it('names it again after the listener failed', async () => {
    const { watch, writer } = await openWatch();
    const onKeys = vi.fn<TopicListener>().mockImplementationOnce(() => {
      throw new Error('not now');
    });
    watch.on('keys', onKeys);
    await bump(writer, 'keys', 'key_a');
    await watch.poll();

    await bump(writer, 'keys', 'key_b');
    await watch.poll();

    expect(onKeys).toHaveBeenLastCalledWith(new Set(['key_a', 'key_b']));
  });

  it('names nothing if one of the changes was not named', async () => {
    const { watch, writer } = await openWatch();
    const onKeys = vi.fn<TopicListener>();
    watch.on('keys', onKeys);
    await bump(writer, 'keys', 'key_a');
    await bump(writer, 'keys');
    await bump(writer, 'keys', 'key_c');

    await watch.poll();

    expect(onKeys.mock.calls).toEqual([[undefined]]);
  });

  it('names the latest 100 changes, and nothing to a process that missed more', async () => {
    const { watch, writer } = await openWatch();
    const onKeys = vi.fn<TopicListener>();
    watch.on('keys', onKeys);
    await bump(writer, 'keys', 'key_0');
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
