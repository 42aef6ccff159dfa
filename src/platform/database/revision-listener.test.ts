import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  countSessions,
  cutOff,
  listListening,
} from '../../../test/journeys/support/pg-sessions.ts';
import { PostgresqlServer } from '../../../test/support/postgresql-server.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../test/support/temporary-database.ts';
import type { Db } from './database.ts';
import { RevisionListener } from './revision-listener.ts';
import { bumpRevision, RevisionWatch } from './revisions.ts';

/** Maximum time until every replica has followed a change. */
const followMs = 2_000;
const log = pino({ level: 'silent' });

function open(url: string) {
  const onNews = vi.fn<() => void>();
  const listener = new RevisionListener(url, { onNews, log });
  onTestFinished(() => listener.stop());
  return { listener, onNews };
}

/** A listener, and a writer on the same database. */
async function openListening() {
  const url = temporaryDatabaseUrl();
  const writer = await openTemporaryDatabase(url);
  const { listener, onNews } = open(url);
  await listener.start();
  onNews.mockClear();
  return { url, writer, listener, onNews };
}

async function bump(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => bumpRevision(tx, 'rates'));
}

describe.skipIf(!isPostgresql)('RevisionListener', () => {
  it('is notified of a change after its commit, not before', async () => {
    const { writer, onNews } = await openListening();

    const early = await writer.transaction().execute(async (tx) => {
      await bumpRevision(tx, 'rates');
      await listListening(writer);
      return onNews.mock.calls.length;
    });
    await vi.waitFor(() => expect(onNews).toHaveBeenCalledOnce());

    expect(early).toBe(0);
  });

  it('is not notified of a change that was rolled back', async () => {
    const { writer, onNews } = await openListening();
    const failing = writer.transaction().execute(async (tx) => {
      await bumpRevision(tx, 'rates');
      throw new Error('halfway');
    });
    await expect(failing).rejects.toThrow('halfway');

    await bump(writer);
    await vi.waitFor(() => expect(onNews).toHaveBeenCalled());

    expect(onNews).toHaveBeenCalledOnce();
  });

  it('listens again after its session was ended, and reports that it may have missed changes', async () => {
    const { writer, onNews } = await openListening();
    const before = await listListening(writer);

    await cutOff(writer, before);
    await vi.waitFor(() => expect(onNews).toHaveBeenCalledOnce(), 10_000);
    await bump(writer);
    await vi.waitFor(() => expect(onNews).toHaveBeenCalledTimes(2));

    const after = await listListening(writer);
    expect(before).toHaveLength(1);
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
  }, 20_000);

  it('begins to listen when a server starts that was away before', async () => {
    const server = await PostgresqlServer.start();
    onTestFinished(async () => server.stop());
    await server.kill();
    const { listener, onNews } = open(server.url);

    await listener.start();
    const atFirst = onNews.mock.calls.length;
    await server.restart();
    await vi.waitFor(() => expect(onNews).toHaveBeenCalled(), 15_000);

    expect(atFirst).toBe(0);
  }, 40_000);

  it('ends its session when it is stopped, and does not connect again', async () => {
    const { url, writer, listener, onNews } = await openListening();

    listener.stop();
    await vi.waitFor(async () => expect(await listListening(writer)).toEqual([]));
    const other = open(url);
    await other.listener.start();
    await cutOff(writer, await listListening(writer));
    await vi.waitFor(() => expect(other.onNews).toHaveBeenCalledTimes(2), 10_000);
    await bump(writer);

    expect(await listListening(writer)).toHaveLength(1);
    expect(onNews).not.toHaveBeenCalled();
  }, 20_000);

  it('can be stopped while it connects', async () => {
    const url = temporaryDatabaseUrl();
    const writer = await openTemporaryDatabase(url);
    const { listener, onNews } = open(url);

    void listener.start();
    listener.stop();
    await vi.waitFor(async () => expect(await countSessions(writer)).toBe(1));
    await bump(writer);

    expect(onNews).not.toHaveBeenCalled();
  });
});

describe.skipIf(!isPostgresql)('RevisionWatch on PostgreSQL (contract C8)', () => {
  /** Measures the time until a replica has followed a change, several times. */
  async function measure(db: Db, watch: RevisionWatch, times: number): Promise<number[]> {
    const took: number[] = [];
    for (let n = 0; n < times; n += 1) {
      const followed = Promise.withResolvers<number>();
      watch.on('rates', () => followed.resolve(performance.now()));
      // A new listener is called for the past of its topic first, and then for the next change.
      await watch.poll();
      await bump(db);
      const committedMs = performance.now();
      took.push(Math.max(0, (await followed.promise) - committedMs));
    }
    return took.sort((a, b) => a - b);
  }

  it('follows within 2 s, with notifications and without', async () => {
    const url = temporaryDatabaseUrl();
    const [writer, db] = [await openTemporaryDatabase(url), await openTemporaryDatabase(url)];
    const watch = new RevisionWatch(db, () => {});
    watch.start();
    onTestFinished(async () => watch.stop());
    const onNews = (): void => void watch.poll();
    const listener = new RevisionListener(url, { onNews, log });
    onTestFinished(() => listener.stop());
    await listener.start();

    const notified = await measure(writer, watch, 20);
    listener.stop();
    const polled = await measure(writer, watch, 5);

    const [half, rest] = [notified[10] ?? Infinity, polled[2] ?? Infinity];
    console.log(
      `a publication is seen after ${half.toFixed(1)} ms with LISTEN, ${rest.toFixed(0)} ms without (medians)`,
    );
    expect(notified.at(-1)).toBeLessThan(followMs);
    expect(polled.at(-1)).toBeLessThan(followMs);
  }, 30_000);
});
