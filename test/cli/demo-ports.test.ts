import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chooseDemoPlace } from '../../src/cli/demo/ports.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { runCommand } from '../support/run-cli.ts';
import { findFreePort } from '../support/server-process.ts';

/** Listens on a free port of loopback until the test ends. */
async function holdPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function choose(
  env: Readonly<Record<string, string>>,
  options: Parameters<typeof chooseDemoPlace>[1] = {},
) {
  const told: string[] = [];
  const { config } = readConfig(env, '');
  const place = await chooseDemoPlace(config, options, (sentence) => told.push(sentence));
  const { host, port, opsHost, opsPort } = place.config;
  return { host, port, opsHost, opsPort, sandbox: place.sandbox, told };
}

describe('the ports of the demo', () => {
  it('are free ones instead of busy ones, with a sentence for each', async () => {
    const [port, opsPort] = [await holdPort(), await holdPort()];

    const chosen = await choose({ PORT: `${port}`, OPS_PORT: `${opsPort}` });

    expect(chosen.told.filter((sentence) => !sentence.includes('9100'))).toEqual([
      `port ${port} is busy: using ${chosen.port}; choose with --port`,
      `port ${opsPort} is busy: using ${chosen.opsPort}; choose with --ops-port`,
    ]);
    expect([port, opsPort]).not.toContain(chosen.port);
  });

  it('are different ones, also if an option has the port of a setting', async () => {
    const port = await findFreePort();

    const chosen = await choose({ OPS_PORT: `${port}` }, { port });

    expect(chosen.port).toBe(port);
    expect(chosen.told).toContain(
      `port ${port} is busy: using ${chosen.opsPort}; choose with --ops-port`,
    );
  });

  it.each(['port', 'opsPort'] as const)('fail if that of the option %s is busy', async (option) => {
    const port = await holdPort();

    const choosing = choose({ PORT: '0', OPS_PORT: '0' }, { [option]: port });

    const name = { port: '--port', opsPort: '--ops-port' }[option];
    await expect(choosing).rejects.toThrow(`port ${port} is busy; choose another with ${name}`);
  });

  it.each([
    ['--port', '70000', '--port is 70000, expected a port from 0 to 65535'],
    ['--ops-port', 'x', '--ops-port is x, expected a port from 0 to 65535'],
    ['--host', 'demo.example', '--host is demo.example, expected an IP address'],
    ['--host', '/run/x', 'every address; vatfx does not listen on Unix sockets'],
    ['--port', '/run/x', 'from 0 to 65535; vatfx does not listen on Unix sockets'],
  ])('are refused with the option %s %s', async (option, text, sentence) => {
    const { code, stderr } = await runCommand(['demo', option, text]);

    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});
