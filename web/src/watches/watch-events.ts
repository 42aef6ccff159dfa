import type { Api } from '../session/api.ts';
import type { RequestOutcome } from '../session/failure.ts';
import { type Load, useLoad } from '../session/load.ts';
import type { WatchEvent, WatchEventPage } from '../wire.ts';

/** Loads the changes of watched numbers that the service keeps, the oldest first. */
export function useWatchEvents(): Load<readonly WatchEvent[]> {
  return useLoad('/events?type=vat.changed,vat.watch_failed&limit=500', fetchAll);
}

async function fetchAll(
  api: Api,
  path: string,
  signal: AbortSignal,
): Promise<RequestOutcome<readonly WatchEvent[]>> {
  const events: WatchEvent[] = [];
  let after = '';
  for (;;) {
    const page: RequestOutcome<WatchEventPage> = await api.get(path + after, signal);
    if (page.kind === 'failed') return page;
    events.push(...page.data.events);
    if (!page.data.hasMore) return { kind: 'answered', data: events };
    after = `&after=${page.data.nextCursor}`;
  }
}
