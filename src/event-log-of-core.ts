import type { Core } from './composition.ts';
import { createEventLog, type EventLog } from './events/create-event-log.ts';
import { createEventRetention } from './events/retention.ts';
import { createEventChanges } from './rates/event-changes.ts';
import { listTypes, printBody } from './webhooks/event-types.ts';

/**
 * Creates the event log with the types and the bodies of webhooks, and begins an epoch of it. Its waiting requests end
 * with `starting`.
 */
export async function beginEventLog(core: Core, starting: AsyncDisposableStack): Promise<EventLog> {
  const sources = createEventChanges(core.db);
  const eventLog = createEventLog({
    ...core,
    types: { public: listTypes('public'), key: listTypes('key') },
    printBody: async (event) => printBody(event, sources),
  });
  starting.defer(() => eventLog.stop());
  await eventLog.begin();
  return eventLog;
}

/** Makes the tick that deletes old events. */
export function createEventRetentionOf({ db, clock, config }: Core): () => Promise<void> {
  return createEventRetention({ db, clock, retentionDays: config.eventsRetentionDays });
}
