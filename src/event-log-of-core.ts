import type { Core } from './composition.ts';
import { createEventLog, type EventLog } from './events/log/create-event-log.ts';
import { LogReader } from './events/log/log-reader.ts';
import type { VisibleTypes } from './events/log/log-rows.ts';
import type { PrintBody } from './events/log/page.ts';
import { createEventRetention } from './events/log/retention.ts';
import { createEventChanges } from './rates/event-changes.ts';
import { listTypes, printBody } from './events/event-types.ts';

/** All types of the event log. */
export const visibleTypes: VisibleTypes = { public: listTypes('public'), key: listTypes('key') };

/**
 * Creates the event log with the types and the bodies of webhooks, and begins an epoch of it. Its waiting requests end
 * with `starting`.
 */
export async function beginEventLog(core: Core, starting: AsyncDisposableStack): Promise<EventLog> {
  const shared = { ...core, printBody: createPrinter(core) };
  const eventLog = createEventLog({ ...shared, types: visibleTypes });
  starting.defer(() => eventLog.stop());
  await eventLog.begin();
  return eventLog;
}

/** Creates a reader of the event log, for a command. */
export function createLogReaderOf(core: Core): LogReader {
  return new LogReader({ ...core, printBody: createPrinter(core) });
}

function createPrinter({ db }: Core): PrintBody {
  const sources = createEventChanges(db);
  return async (event) => printBody(event, sources);
}

/** Makes the tick that deletes old events. */
export function createEventRetentionOf(core: Core): () => Promise<void> {
  return createEventRetention({ ...core, retentionDays: core.config.eventsRetentionDays });
}
