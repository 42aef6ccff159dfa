import { startService } from '../service.ts';
import { createLog } from '../platform/log.ts';
import { loadWithWarnings } from './with-core.ts';
import { listenForStop } from './stop-signal.ts';

/** Runs the service until it is told to stop. */
export async function serve(): Promise<void> {
  const { config } = loadWithWarnings();
  const log = createLog(config.logLevel, process.stdout);
  const stopSignal = listenForStop(log);
  const service = await startService({ config, log });
  if (config.jobs) service.startJobs();
  if (config.delivery) service.startDelivery();
  await stopSignal.whenAsked(async () => service.stop());
}
