import { openLog } from '../platform/log/log.ts';
import { listenError } from '../platform/http/server/place.ts';
import { listenForStop } from './stop-signal.ts';
import type { Io } from './report.ts';
import { busyPort, isEveryAddress, isPortBusy, readHost, readPort } from './options.ts';

/** Printed if a program listens on every address, because URLs then have 127.0.0.1. */
export const everyAddress =
  'It listens on every address: from another machine or container, use its address or name instead of 127.0.0.1.';

/** Runs the simulated upstreams until a signal stops them. */
export async function sandbox(
  io: Io,
  options: { readonly host: string; readonly port: string },
): Promise<void> {
  const host = readHost('--host', options.host);
  const port = readPort('--port', options.port);
  using stop = listenForStop(io, await openLog('warn', io.stderr));
  const { startSandbox } = await import('../sandbox/sandbox.ts');
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
}
