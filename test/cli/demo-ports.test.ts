import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chooseDemoPlace, type DemoOptions } from '../../src/cli/demo/ports.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';

/** Listens on a free port of loopback until the test ends. */
async function holdPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function choose(env: Readonly<Record<string, string>>, options: DemoOptions = {}) {
  const told: string[] = [];
  const { config } = readConfig(env, '');
  const place = await chooseDemoPlace(config, options, (sentence) => told.push(sentence));
  const { host, port, opsHost, opsPort } = place.config;
  return { host, port, opsHost, opsPort, sandbox: place.sandbox, told };
}

describe('the ports of the demo', () => {
  it('are those of the settings if they are free', async () => {
    const [port, opsPort] = [await freePort(), await freePort()];

    const chosen = await choose({ PORT: `${port}`, OPS_PORT: `${opsPort}` });

    expect(chosen).toMatchObject({ host: '127.0.0.1', opsHost: '127.0.0.1', port, opsPort });
    expect(chosen.sandbox.host).toBe('127.0.0.1');
  });

  it('are free ones instead of busy ones, with a sentence for each', async () => {
    const [port, opsPort] = [await holdPort(), await holdPort()];

    const chosen = await choose({ PORT: `${port}`, OPS_PORT: `${opsPort}` });

    expect(chosen.told.filter((sentence) => !sentence.includes('9100'))).toEqual([
      `port ${port} is busy: using ${chosen.port}; choose with --port`,
      `port ${opsPort} is busy: using ${chosen.opsPort}; choose with --ops-port`,
    ]);
    expect([port, opsPort]).not.toContain(chosen.port);
  });

  it('are those of --port and --ops-port', async () => {
    const [port, opsPort] = [await freePort(), await freePort()];

    const chosen = await choose({ PORT: '0' }, { port: `${port}`, opsPort: `${opsPort}` });

    expect(chosen).toMatchObject({ port, opsPort });
  });

  it.each(['port', 'opsPort'] as const)('fail if that of the option %s is busy', async (option) => {
    const port = await holdPort();

    const choosing = choose({ PORT: '0', OPS_PORT: '0' }, { [option]: `${port}` });

    const name = { port: '--port', opsPort: '--ops-port' }[option];
    await expect(choosing).rejects.toThrow(`port ${port} is busy; choose another with ${name}`);
  });

  it('are any free ones with port 0', async () => {
    expect(await choose({}, { port: '0' })).toMatchObject({
      port: 0,
      opsPort: 0,
      sandbox: { host: '127.0.0.1', port: 0 },
      told: [],
    });
  });

  it('are on the address of --host, all three', async () => {
    expect(await choose({}, { port: '0', host: '0.0.0.0' })).toMatchObject({
      host: '0.0.0.0',
      opsHost: '0.0.0.0',
      sandbox: { host: '0.0.0.0' },
    });
  });

  it.each([
    [{ port: '70000' }, '--port is 70000, expected a port from 0 to 65535'],
    [{ opsPort: 'x' }, '--ops-port is x, expected a port from 0 to 65535'],
    [{ host: 'demo.example' }, '--host is demo.example, expected an IP address'],
  ])('are refused with the options %o', async (options, sentence) => {
    await expect(choose({ PORT: '0' }, options)).rejects.toThrow(sentence);
  });
});

describe('a sandbox on every address', () => {
  it('has URLs that this machine reaches', async () => {
    const sandbox = await startSandbox({ host: '0.0.0.0', brief: true });
    onTestFinished(async () => sandbox.close());

    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${sandbox.url}/`)).status).toBe(200);
  });
});
