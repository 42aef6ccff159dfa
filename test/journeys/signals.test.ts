import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findFreePort } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { RunningVatfx, startVatfx } from './support/run-vatfx.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const hasNpm = spawnSync('npm', ['--version']).error === undefined;
const serving = /"apiUrl":"(http:[^"]+)".*"msg":"listening"/;

/** Starts a script of npm as the leader of a group of processes, as a shell does. */
async function startScript(name: string): Promise<RunningVatfx & { readonly port: number }> {
  const folder = temporaryFolder();
  const port = await findFreePort();
  const child = spawn('npm', ['run', name], {
    cwd: checkout,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      TMPDIR: folder,
      DATABASE_URL: `file:${folder}/vatfx.db`,
      PORT: `${port}`,
      OPS_PORT: '0',
      JOBS: 'off',
      DELIVERY: 'off',
    },
  });
  return Object.assign(new RunningVatfx(child, folder), { port });
}

/** Listens on a port, which fails if a process still has it. */
async function takePort(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
}

describe.skipIf(!hasNpm)('a signal to npm (rule O9)', () => {
  it('drains the server of `npm start`, and leaves no process', async () => {
    const npm = await startScript('start');
    await npm.waitForOutput(serving);

    npm.signal('SIGTERM');
    const { code, stdout } = await npm.ended();
    await takePort(npm.port);

    expect(code).toBe(0);
    expect(stdout).toMatch(/"signal":"SIGTERM","msg":"stopping"[^]*"msg":"stopped"/);
  });

  // Ctrl-C on a terminal: the group gets it, and npm passes it on.
  it('drains the server once if it comes from the terminal', async () => {
    const npm = await startScript('start');
    await npm.waitForOutput(serving);

    process.kill(-npm.pid, 'SIGINT');
    const { stdout } = await npm.ended();

    expect(stdout).toMatch(/"signal":"SIGINT","msg":"stopping"[^]*"msg":"stopped"/);
  });

  it('ends `npm run demo` with its files', async () => {
    const npm = await startScript('demo');
    await npm.waitForOutput(/Running the jobs/);

    npm.signal('SIGTERM');
    const { code } = await npm.ended();

    expect(code).toBe(0);
    expect(readdirSync(npm.folder).filter((name) => name.startsWith('vatfx-demo'))).toEqual([]);
  });
});

describe('signals of a server (rule O9)', () => {
  it('drains it at SIGHUP, as when a terminal is closed', async () => {
    const server = startVatfx(['serve'], { PORT: '0', OPS_PORT: '0', JOBS: 'off' });
    await server.waitForOutput(serving);

    server.signal('SIGHUP');
    const { code, stdout } = await server.ended();

    expect(code).toBe(0);
    expect(stdout).toMatch(/"signal":"SIGHUP","msg":"stopping"[^]*"msg":"stopped"/);
  });

  it.each(['serve', 'sandbox'])(
    'opens no debugger at SIGUSR1, and ignores SIGUSR2: %s',
    async (command) => {
      const options = command === 'sandbox' ? ['--port', '0'] : [];
      const env = { PORT: '0', OPS_PORT: '0', JOBS: 'off', NODE_OPTIONS: '--inspect-port=0' };
      const server = startVatfx([command, ...options], env);
      const [, url = ''] = await server.waitForOutput(/(http:\/\/[\d.:]+)/);

      server.signal('SIGUSR1');
      server.signal('SIGUSR2');
      await fetch(url);
      server.signal('SIGHUP');
      const { code, stderr } = await server.ended();

      expect(code).toBe(0);
      expect(stderr).toBe('');
    },
  );
});
