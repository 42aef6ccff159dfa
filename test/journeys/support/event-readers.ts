import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../src/platform/database/database.ts';
import type { LogPage } from '../../api/support/event-log.ts';
import type { WrittenEvent } from './event-writers-child.ts';
import { get, type ServeProcess } from './serve-process.ts';

/** Whether all events are written; a reader that has read to the end since then is finished. */
type IsOver = () => boolean;

/** A reader over HTTP. */
export type Follower = {
  readonly key: string;
  readonly limit: number;
  readonly waitSeconds: number;
};

/** Follows `nextCursor` to the end of the log, each page from the next replica; returns the ids. */
export async function followLog(
  servers: readonly ServeProcess[],
  { key, limit, waitSeconds }: Follower,
  isOver: IsOver,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let after = '';
  for (let n = 0; ; n += 1) {
    const isLast = isOver();
    const server = servers[n % servers.length];
    const query = `limit=${limit}&waitSeconds=${isLast ? 0 : waitSeconds}${after}`;
    const { status, text } = await get(`${server?.apiUrl}/events?${query}`, key);
    if (status !== 200) throw new Error(`GET /events?${query}: ${status} ${text}`);
    const page = JSON.parse(text) as LogPage;
    ids.push(...page.events.map(({ id }) => id));
    if (isLast && page.events.length === 0) return ids;
    after = `&after=${page.nextCursor}`;
  }
}

/** Reads the positions after the last one that it has seen, as a reader without a horizon does; returns the ids. */
export async function followNumbers(
  db: Db,
  keyId: string,
  isOver: IsOver,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let after = 0;
  for (;;) {
    const isLast = isOver();
    const rows = await db
      .selectFrom('events')
      .select(['id', 'position'])
      .where('position', '>', after)
      .where((e) => e.or([e('key_id', '=', keyId), e('key_id', 'is', null)]))
      .orderBy('position')
      .execute();
    ids.push(...rows.map(({ id }) => id));
    after = rows.at(-1)?.position ?? after;
    if (isLast && rows.length === 0) return ids;
    // Reads of the embedded database are synchronous; the other readers of this process need turns as well.
    await sleep(1);
  }
}

/** The errors of what a reader has read. */
export type ReadErrors = {
  readonly lost: number;
  readonly doubled: number;
  /** Events after a later one of the log, or of the same writer. */
  readonly outOfOrder: number;
  /** Events of the other key, or of transactions that were rolled back. */
  readonly foreign: number;
};

/** Compares what a reader has read with the committed events that it may see, and with their positions. */
export function judgeRead(
  read: readonly string[],
  visible: ReadonlyMap<string, WrittenEvent>,
  positions: ReadonlyMap<string, number>,
): ReadErrors {
  const seen = new Set<string>();
  const lastOf = new Map<number, number>();
  let lastPosition = 0;
  let [outOfOrder, foreign] = [0, 0];
  for (const id of read) {
    const event = visible.get(id);
    if (event === undefined) foreign += 1;
    if (event === undefined || seen.has(id)) continue;
    seen.add(id);
    const position = positions.get(id) ?? 0;
    const before = lastOf.get(event.writer) ?? -1;
    if (position <= lastPosition || event.n <= before) outOfOrder += 1;
    lastPosition = Math.max(position, lastPosition);
    lastOf.set(event.writer, Math.max(event.n, before));
  }
  const doubled = read.length - foreign - seen.size;
  return { lost: visible.size - seen.size, doubled, outOfOrder, foreign };
}
