import { startServer } from '../../composition/server.ts';
import { checkAssets } from '../../platform/build.ts';
import { openLog } from '../../platform/log/log.ts';
import { plain } from '../command/command.ts';
import { listenForStop } from '../running/stop-signal.ts';
import { loadWithWarnings } from '../running/with-database.ts';

/** Runs the service until a signal stops it. */
export const serve = plain({
  examples: ['serve'],
  run: async (io) => {
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
  },
});
