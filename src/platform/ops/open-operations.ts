import type { Config } from '../config/options.ts';
import type { ConnectionLimits } from '../connections/connection-limits.ts';
import { listen } from '../http/server/listening.ts';
import { createOpsApp } from './ops-app.ts';
import type { StatusSources } from './status.ts';

/** Opens the operations port and returns its address; `starting` closes it. */
export async function openOperations(
  statusSources: StatusSources,
  parts: {
    readonly config: Pick<Config, 'opsHost' | 'opsHosts' | 'opsPort'>;
    readonly limits: ConnectionLimits;
    readonly starting: AsyncDisposableStack;
  },
): Promise<string> {
  const { config, limits, starting } = parts;
  const ops = createOpsApp(statusSources, config);
  limits.guard(ops.server);
  starting.defer(limits.watch(ops.server));
  starting.defer(async () => ops.close());
  return listen(ops, 'OPS_PORT', { host: config.opsHost, port: config.opsPort });
}
