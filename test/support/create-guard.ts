import { pino } from 'pino';
import { ConnectionGuard } from '../../src/platform/connections/connection-guard.ts';
import { createMetrics } from '../../src/platform/metrics.ts';

/** A guard with a log and metrics of its own, which watches no server yet. */
export function createGuard(connectionsMax = 100): ConnectionGuard {
  const log = pino({ level: 'silent' });
  return new ConnectionGuard({ port: 'api', connectionsMax, log, metrics: createMetrics() });
}
