import type { Core } from './composition.ts';
import type { OnEnded } from './vat-check/stored/attempt-writer.ts';
import { createStoredChecks, type StoredChecks } from './vat-check/stored/create-stored-checks.ts';
import { inOrder } from './vat-check/stored/on-ended.ts';

/** Creates stored checks with all consequences of their ends, for the server and for commands. */
export function createStored(core: Core): StoredChecks {
  const { viesTimeoutMs: timeoutMs, viesBackgroundPerSecond: perSecond } = core.config;
  const consequences: readonly OnEnded[] = [];
  return createStoredChecks({ ...core, onEnded: inOrder(consequences), timeoutMs, perSecond });
}
