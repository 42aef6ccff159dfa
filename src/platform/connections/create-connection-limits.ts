import type { Config } from '../config/options.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { ConnectionLimits } from './connection-limits.ts';
import { roomFor } from './open-files.ts';

/** Connections of the operations port, which has few callers: one more ends the oldest. */
const operationsConnectionsMax = 256;
/** Low, because its answers are made for each request. */
const operationsLimits = { underWayMax: 4, underWayInAllMax: 32 };

/** The limits of both ports, which watch no server yet. Logs a warning if there is room for fewer connections than set. */
export function createConnectionLimits(parts: {
  readonly config: Pick<Config, 'maxConnections' | 'maxConnectionsPerAddress' | 'trustedProxies'>;
  readonly log: Log;
  readonly metrics: Metrics;
}): { readonly api: ConnectionLimits; readonly operations: ConnectionLimits } {
  const { config, log, metrics } = parts;
  const { maxConnections, maxConnectionsPerAddress: perAddressMax, trustedProxies } = config;
  const { connectionsMax, filesMax } = roomFor(maxConnections);
  if (connectionsMax < maxConnections) {
    log.warn(
      { connectionsMax, maxConnections, filesMax },
      'fewer connections than MAX_CONNECTIONS, because the process may open too few files',
    );
  }
  const shared = { log, metrics };
  return {
    api: new ConnectionLimits({
      ...shared,
      port: 'api',
      connectionsMax,
      perAddressMax,
      trustedProxies,
    }),
    operations: new ConnectionLimits({
      ...shared,
      port: 'operations',
      connectionsMax: operationsConnectionsMax,
      perAddressMax: operationsConnectionsMax,
      trustedProxies: [],
      limits: operationsLimits,
    }),
  };
}
