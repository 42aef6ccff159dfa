import { useCallback } from 'preact/hooks';
import type { Api } from '../session/api.ts';
import type { Failure, RequestOutcome } from '../session/failure.ts';
import { type Fetch, type Load, useLoad } from '../session/load.ts';
import type { EventPage } from '../wire.ts';
import type { Visit } from './last-visit.ts';
import type { WatchEvent } from './watch-words.ts';

/** Changes of watched numbers, the oldest first, and the place in the event log up to which they are complete. */
type WatchEvents = { readonly events: readonly WatchEvent[]; readonly cursor: string };

/** A page of the event log that has these types of events only. */
type Page = Omit<EventPage, 'events'> & Pick<WatchEvents, 'events'>;

const path = '/events?type=vat.changed,vat.watch_failed&limit=500';

/** Loads the changes of watched numbers after a visit. Undefined loads nothing. */
export function useWatchEvents(since: Pick<Visit, 'at' | 'cursor'> | undefined): Load<WatchEvents> {
  const at = since?.at ?? '';
  const fetchSince = useCallback<Fetch<WatchEvents>>(
    async (api, pathAfter, signal) => {
      const found = await fetchAll(api, pathAfter, signal);
      if (found.kind === 'answered' || !isCursorUnknown(found.failure)) return found;
      const all = await fetchAll(api, path, signal);
      if (all.kind === 'failed') return all;
      const events = all.data.events.filter(({ timestamp }) => timestamp > at);
      return { ...all, data: { ...all.data, events } };
    },
    [at],
  );
  return useLoad(since && `${path}&after=${since.cursor}`, fetchSince);
}

async function fetchAll(
  api: Api,
  firstPath: string,
  signal: AbortSignal,
): Promise<RequestOutcome<WatchEvents>> {
  const events: WatchEvent[] = [];
  for (let next = firstPath; ;) {
    const page: RequestOutcome<Page> = await api.get(next, signal);
    if (page.kind === 'failed') return page;
    const { nextCursor, hasMore } = page.data;
    events.push(...page.data.events);
    if (!hasMore) return { kind: 'answered', data: { events, cursor: nextCursor } };
    next = `${path}&after=${nextCursor}`;
  }
}

/** Whether the service does not know a place in its log: it has deleted older events, or was restored from a backup. */
function isCursorUnknown(failure: Failure): boolean {
  return failure.kind === 'refused' && [400, 410].includes(failure.status);
}
