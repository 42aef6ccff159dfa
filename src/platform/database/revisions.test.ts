import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../test/support/temporary-database.ts';
import type { Db } from './database.ts';
import { bumpRevision, RevisionWatch, type Topic } from './revisions.ts';

async function bump(db: Db, topic: Topic): Promise<void> {
  await db.transaction().execute(async (tx) => bumpRevision(tx, topic));
}

/** Two processes with one database; `errors` has what the watching one could not read. */
async function openWatch() {
  const url = temporaryDatabaseUrl();
  const [db, writer] = [await openTemporaryDatabase(url), await openTemporaryDatabase(url)];
  const errors: unknown[] = [];
  const watch = new RevisionWatch(db, (error) => {
    if (error !== undefined) errors.push(error);
  });
  onTestFinished(async () => watch.stop());
  return { watch, db, writer, errors };
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
