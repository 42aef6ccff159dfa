import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../platform/log/log.ts';
import type { Db } from '../../platform/database/database.ts';
import { inParallel } from '../../../test/support/in-parallel.ts';
import { storeEvent } from '../../../test/support/stored-webhooks.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../test/support/temporary-database.ts';
import { beginEpoch } from './epochs.ts';
import { LogReader, type LogQuery } from './log-reader.ts';

const keyId = 'key_a';
const types = { public: ['rates.changed'], key: ['vat.checked'] };

/** Opens a log whose reader sees the events of `key_a`. */
async function openReader(url = temporaryDatabaseUrl()) {
  const db = await openTemporaryDatabase(url);
  const log = createLog('silent', { write: () => {} });
  const printBody = async ({ id }: { readonly id: string }): Promise<string> =>
    `{"of":${JSON.stringify(id)}}`;
  const reader = new LogReader({ db, log, printBody });
  const cursors = await reader.cursors();
  /** Reads one page after a cursor; returns the ids and the next cursor. */
  const read = async (after?: string, limit = 500) => {
    const cursor = after === undefined ? undefined : cursors.parse(after);
    const query: LogQuery = { keyId, types, after: cursor, limit };
    const answer = await reader.read(query);
    if (answer.kind === 'expired') return answer;
    const { events, nextCursor } = answer.page;
    const ids = events.map((text) => (JSON.parse(text) as { readonly id: string }).id);
    return { kind: 'page', ids, nextCursor } as const;
  };
  return { db, reader, read, url };
}

/** The ids of a page; throws if the cursor has expired. */
function idsOf(page: Awaited<ReturnType<Awaited<ReturnType<typeof openReader>>['read']>>) {
  if (page.kind === 'expired') throw new Error('the cursor has expired');
  return page;
}

async function writeEvent(tx: Db, id: string): Promise<void> {
  await storeEvent(tx, { id, type: 'vat.checked', key_id: keyId, snapshot_date: null });
}

/** Writes events in transactions that stay open for a moment after the position is given. */
async function writeEvents(db: Db, count: number, name: string): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const id = `evt_${name}_${n}`;
    await db.transaction().execute(async (tx) => {
      await writeEvent(tx, id);
      if (isPostgresql && n % 3 === 0) await sleep(n % 5);
    });
  }
}

/** Writes an event in a transaction that ends only after `mayEnd`. */
function writeSlowly(url: string, mayEnd: Promise<void>) {
  const written = Promise.withResolvers<void>();
  const write = async (): Promise<void> => {
    const db = await openTemporaryDatabase(url);
    await db.transaction().execute(async (tx) => {
      await writeEvent(tx, 'evt_slow');
      written.resolve();
      await mayEnd;
    });
  };
  return { written: written.promise, ended: write() };
}

describe('LogReader (rule E3)', () => {
  it('reads every event once and in order while 8 writers write, unlike a reader by numbers alone', async () => {
    const { db, read, url } = await openReader();
    const perWriter = 15;
    const writers = await Promise.all(
      Array.from({ length: 8 }, async () => openTemporaryDatabase(url)),
    );
    // On PostgreSQL one more transaction stays open until a reader by numbers alone has passed its event.
    const passed = Promise.withResolvers<void>();
    const slow = isPostgresql ? writeSlowly(url, passed.promise) : undefined;
    await slow?.written;
    let isWriting = true;
    const writing = Promise.all([
      inParallel(8, writers, async (writer, at) => writeEvents(writer, perWriter, `${at}`)),
      slow?.ended,
    ]).finally(() => {
      isWriting = false;
    });
    const plain: string[] = [];
    let plainAfter = 0;
    const readPlainly = async (): Promise<void> => {
      const rows = await db
        .selectFrom('events')
        .select(['id', 'position'])
        .where('position', '>', plainAfter)
        .orderBy('position')
        .execute();
      plain.push(...rows.map(({ id }) => id));
      plainAfter = rows.at(-1)?.position ?? plainAfter;
    };

    const found: string[] = [];
    let after: string | undefined;
    let isLast = false;
    while (!isLast) {
      // The pages after the end of all writers are read to the end as well.
      isLast = !isWriting;
      const isPassed = plain.length > 0;
      for (;;) {
        const page = idsOf(await read(after));
        found.push(...page.ids);
        after = page.nextCursor;
        if (page.ids.length === 0) break;
      }
      // Both readers have had the chance to pass the event that is not committed yet.
      if (isPassed) passed.resolve();
      await readPlainly();
      // Reads of the embedded database are synchronous; the writers of this process need turns as well.
      await turn();
    }
    await writing;

    const stored = await db.selectFrom('events').select('id').orderBy('position').execute();
    const ids = stored.map(({ id }) => id);
    expect(ids).toHaveLength(8 * perWriter + (isPostgresql ? 1 : 0));
    // Equal in one comparison: nothing lost, nothing twice, nothing out of order.
    expect(found).toEqual(ids);
    const lost = ids.length - new Set(plain).size;
    expect(lost > 0).toBe(isPostgresql);
  });

  it.runIf(isPostgresql)('waits for no transaction that failed, or writes no event', async () => {
    const { read, url } = await openReader();
    const writer = await openTemporaryDatabase(url);
    const failing = writer.transaction().execute(async (tx) => {
      await storeEvent(tx, { id: 'evt_1' });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await writer.transaction().execute(async (tx) => {
      await tx.updateTable('event_log').set({ id: 'current' }).execute();
      await storeEvent(await openTemporaryDatabase(url), { id: 'evt_2' });

      expect(idsOf(await read()).ids).toEqual(['evt_2']);
    });
  });
});

describe('cursors of LogReader (rule E5)', () => {
  it('expire when later events were deleted by retention, and the link reads from the oldest', async () => {
    const { db, read } = await openReader();
    for (const id of ['evt_1', 'evt_2', 'evt_3']) await storeEvent(db, { id });
    const first = idsOf(await read(undefined, 1));
    const second = idsOf(await read(first.nextCursor, 1));
    await db.deleteFrom('events').where('position', '<=', 2).execute();
    await db.updateTable('event_log').set({ deleted_position: 2 }).execute();

    const expired = await read(first.nextCursor);

    expect(expired.kind).toBe('expired');
    expect(idsOf(await read(second.nextCursor)).ids).toEqual(['evt_3']);
    const { oldest } = expired as Extract<typeof expired, { readonly kind: 'expired' }>;
    expect(idsOf(await read(oldest)).ids).toEqual(['evt_3']);
  });

  it('stay valid when a server starts, and when an event is deleted with its check', async () => {
    const { db, read } = await openReader();
    await beginEpoch(db, 0);
    for (const id of ['evt_1', 'evt_2']) await storeEvent(db, { id });
    const { nextCursor } = idsOf(await read(undefined, 1));
    await beginEpoch(db, 0);
    await storeEvent(db, { id: 'evt_3' });
    await db.deleteFrom('events').where('id', '=', 'evt_2').execute();

    expect(idsOf(await read(nextCursor)).ids).toEqual(['evt_3']);
  });

  it('of positions since a backup expire after a restore, also when new events have these positions', async () => {
    const { db, read, url } = await openReader();
    await beginEpoch(db, 0);
    await storeEvent(db, { id: 'evt_1' });
    const before = idsOf(await read());
    await storeEvent(db, { id: 'evt_2' });
    const after = idsOf(await read());
    // A restore brings back the rows and the last position of the backup; the next start begins an epoch.
    await db.deleteFrom('events').where('id', '=', 'evt_2').execute();
    await setLastPosition(db, 2);
    const restored = await openReader(url);
    await beginEpoch(db, 0);
    for (const id of ['evt_3', 'evt_4']) await storeEvent(db, { id });

    expect((await restored.read(after.nextCursor)).kind).toBe('expired');
    expect(idsOf(await restored.read(before.nextCursor)).ids).toEqual(['evt_3', 'evt_4']);
  });
});

async function setLastPosition(db: Db, position: number): Promise<void> {
  await db.updateTable('event_log').set({ last_position: position }).execute();
  if (isPostgresql) await sql`select setval('event_positions', ${position})`.execute(db);
}
