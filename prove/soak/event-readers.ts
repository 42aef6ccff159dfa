import type { SoakCaller } from './stored-check-load.ts';

/** Readers of the event log that wait for events at the same time. */
const readers = 20;
const waitSeconds = 5;
const kind = { name: 'events read', expected: [200] } as const;

/** An event as readers compare it; `check` is undefined for an event that is not about a stored check. */
type Event = { readonly id: string; readonly check?: { readonly id: string } };
type Page = { readonly events: readonly Event[]; readonly nextCursor: string };

/**
 * Follows the event log with several readers from one cursor on, to the end of the load. Each has to read every event once, and
 * all of them in one order.
 */
export async function followEvents(caller: SoakCaller): Promise<void> {
  const begin = await readPage(caller, 'now', 0);
  if (begin === undefined) return;
  const read = await Promise.all(
    Array.from({ length: readers }, async () => follow(caller, begin.nextCursor)),
  );
  compareReaders(caller, read);
}

/** The events after a cursor, in the order in which a reader has received them. */
async function follow(caller: SoakCaller, from: string): Promise<readonly Event[]> {
  const events: Event[] = [];
  for (let cursor = from; !caller.isStopped();) {
    const page = await readPage(caller, cursor, waitSeconds);
    // An unexpected answer is noted; the reader goes on from its last cursor, as a client does.
    if (page === undefined) await caller.rest(1_000);
    else {
      events.push(...page.events);
      cursor = page.nextCursor;
    }
  }
  return events;
}

async function readPage(
  { expect }: SoakCaller,
  after: string,
  seconds: number,
): Promise<Page | undefined> {
  const path = `/events?after=${encodeURIComponent(after)}&waitSeconds=${seconds}`;
  const answer = await expect(kind, { path });
  return answer === undefined ? undefined : (JSON.parse(answer.text) as Page);
}

/**
 * Compares readers as far as all of them have read, because the load ends for them at different moments. An event is
 * deleted with its check, so a slow reader may miss the events of deleted checks.
 */
function compareReaders(caller: SoakCaller, read: readonly (readonly Event[])[]): void {
  const { note, deletedChecks } = caller;
  const kept = read.map((events) =>
    events.filter(({ check }) => check === undefined || !deletedChecks.has(check.id)),
  );
  const length = Math.min(...kept.map((events) => events.length));
  if (length === 0) note('a reader of the event log has read no event');
  const [first = []] = kept;
  for (const events of kept) {
    if (new Set(events.map(({ id }) => id)).size < events.length) {
      note('a reader of the event log has read an event twice');
    }
    const place = first.findIndex(({ id }, at) => at < length && events[at]?.id !== id);
    if (place >= 0) note(`two readers of the event log differ in event ${place + 1}`);
  }
}
