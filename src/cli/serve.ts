import { startServer } from '../composition/server.ts';
import { checkAssets } from '../platform/build.ts';
import { openLog } from '../platform/log/log.ts';
import type { Io } from './report.ts';
import { listenForStop } from './stop-signal.ts';
import { loadWithWarnings } from './with-database.ts';

/** Runs the service until a signal stops it. */
export async function serve(io: Io): Promise<void> {
  checkAssets();
  const { config } = loadWithWarnings(io);
  const log = await openLog(config.logLevel, io.stdout);
  using stop = listenForStop(io, log);
  const service = await startServer({ config, log });
  if (config.jobs) service.startJobs();
  if (config.delivery) service.startDelivery();
  await stop.wait();
  await service.stop();
  log.info('stopped');
}
