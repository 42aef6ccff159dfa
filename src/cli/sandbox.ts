import { once } from 'node:events';
import { withInterrupt } from './interrupt.ts';
import type { Io } from './io.ts';
import { UsageError } from './report.ts';

/** Runs the simulated upstreams until a signal stops them. */
export async function sandbox(io: Io, options: { readonly port: string }): Promise<void> {
  const port = Number(options.port);
  if (!/^[0-9]{1,5}$/.test(options.port) || port > 65_535) {
    throw new UsageError(`--port is ${options.port}, expected a port from 0 to 65535`);
  }
  const { startSandbox } = await import('../sandbox/sandbox.ts');
  const running = await startSandbox({ port });
  const settings = Object.entries(running.environment).map(([name, url]) => `  ${name}=${url}\n`);
  io.stdout.write(
    `The sandbox is at ${running.url}\n` +
      settings.join('') +
      `Webhook receivers: ${running.receiverUrl('any-name')}\n` +
      `Script it with POST ${running.url}/_scenario; GET ${running.url}/ describes the scripts.\n`,
  );
  await withInterrupt(io, async (signal) => once(signal, 'abort'));
  await running.close();
}
