import { openLog } from '../../platform/log/log.ts';
import { listenError } from '../../platform/http/server/place.ts';
import { listenForStop } from '../running/stop-signal.ts';
import { plain, withDefault } from '../command/command.ts';
import {
  busyPort,
  everyAddress,
  hostAddress,
  hostSays,
  isEveryAddress,
  isPortBusy,
  portNumber,
} from './listening.ts';

/** Runs the simulated upstreams until a signal stops them. */
export const sandbox = plain({
  examples: ['sandbox --port 9100', 'sandbox --host 0.0.0.0'],
  options: {
    port: withDefault('<number>', 'port to listen on, 0 for any free port', {
      byDefault: '9100',
      form: portNumber,
    }),
    host: withDefault('<address>', hostSays, { byDefault: '127.0.0.1', form: hostAddress }),
  },
  run: async (io, { options: { port, host } }) => {
    using stop = listenForStop(io, await openLog('warn', io.stderr));
    const { startSandbox } = await import('../../sandbox/sandbox.ts');
    const running = await startSandbox({ host, port }).catch((error: unknown) => {
      const place = { host, port, hostName: '--host', portName: '--port' };
      throw isPortBusy(error) ? busyPort(port, '--port') : listenError(place, error);
    });
    const settings = Object.entries(running.environment).map(([name, url]) => `  ${name}=${url}\n`);
    io.stdout.write(
      `The sandbox is at ${running.url}\n` +
        settings.join('') +
        (isEveryAddress(host) ? `${everyAddress}\n` : '') +
        `Webhook receivers: ${running.receiverUrl('any-name')}\n` +
        `Script it with POST ${running.url}/_scenario; GET ${running.url}/ describes the scripts.\n`,
    );
    await stop.wait();
    await running.close();
  },
});
