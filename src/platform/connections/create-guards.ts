import type { Config } from '../config/options.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics.ts';
import { ConnectionGuard } from './connection-guard.ts';
import { roomFor } from './open-files.ts';

/** Connections of the operations port, which has few callers. */
const operationsMax = 256;

/** The guards of both ports, which watch no server yet. Logs a warning if there is room for fewer connections than set. */
export function createConnectionGuards(parts: {
  readonly config: Pick<Config, 'maxConnections'>;
  readonly log: Log;
  readonly metrics: Metrics;
}): { readonly api: ConnectionGuard; readonly operations: ConnectionGuard } {
  const { config, log, metrics } = parts;
  const { maxConnections } = config;
  const { connectionsMax, filesMax } = roomFor(maxConnections);
  if (connectionsMax < maxConnections) {
    log.warn(
      { connectionsMax, maxConnections, filesMax },
      'fewer connections than MAX_CONNECTIONS, because the process may open too few files',
    );
  }
  return {
    api: new ConnectionGuard({ port: 'api', connectionsMax, log, metrics }),
    operations: new ConnectionGuard({
      port: 'operations',
      connectionsMax: operationsMax,
      log,
      metrics,
    }),
  };
}
