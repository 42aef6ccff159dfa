import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import clientManifest from '../../client/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { shareService } from '../support/start-service.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { DocumentedInstall, serviceUser } from './support/documented-install.ts';
import { environmentOf } from './support/node-versions.ts';
import { environment, install, runNpm, shareRelease } from './support/packed.ts';

const run = promisify(execFile);
const lifeMs = 400_000;
const noRegistry = 'the registry cannot be reached';
const release = shareRelease();

describe('the client, installed from its tarball into an empty folder', () => {
  const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });
  const program = `
    import { VatfxClient } from 'vatfx-client';
    const vatfx = new VatfxClient({ url: process.env.VATFX_URL, key: process.env.VATFX_KEY });
    console.log((await vatfx.rates()).rates.AT.standard, (await vatfx.checkVat('GR', '100')).valid);
  `;

  it.each([20, 26])(
    'answers on Node %i',
    async (major) => {
      const folder = temporaryFolder();
      const env = await environmentOf(major, folder);
      const home = join(folder, 'shop');
      mkdirSync(home);
      const tarball = join(release(), `vatfx-client-${clientManifest.version}.tgz`);
      const printed = env && (await runNpm(home, ['install', '--prefix', home, tarball], env));
      if (printed === undefined) throw new Error(noRegistry);
      writeFileSync(join(home, 'program.mjs'), program);

      const { stdout } = await run('node', ['program.mjs'], {
        cwd: home,
        env: { ...env, VATFX_URL: service().apiUrl, VATFX_KEY: service().key },
      });

      expect(stdout).toBe('20 true\n');
    },
    lifeMs,
  );
});

describe('the server, installed from its tarball', () => {
  it(
    'runs its commands on Node 26 as any user',
    async () => {
      const home = join(temporaryFolder(), 'clean');
      const { env: upstreams } = await startUpstreams();
      await install(join(release(), `vatfx-${manifest.version}.tgz`), home);
      const vatfx = async (...args: string[]): Promise<string> => {
        const env = { ...environment, ...upstreams, DATABASE_URL: 'file:./data/vatfx.db' };
        const options = { cwd: home, env };
        return (await run('npx', ['--no-install', 'vatfx', ...args], options)).stdout;
      };

      expect(await vatfx('keys', 'create', '--name', 'me')).toMatch(/^vfx_\w+\n$/);
      await vatfx('jobs', 'run', 'rates');

      expect(await vatfx('backup', 'copy.db')).toContain(`${join(home, 'copy.db')}: `);
    },
    lifeMs,
  );

  it.skipIf(process.getuid?.() !== 0)(
    'runs as a service on a machine with Node 20, by the commands of docs/install-npm.md',
    async () => {
      const folder = temporaryFolder();
      const env = await environmentOf(20, folder);
      if (env === undefined) throw new Error(noRegistry);
      const { sandbox } = await startUpstreams();
      const machine = new DocumentedInstall(folder, env);
      symlinkSync(release(), join(folder, 'packed'));
      const page = 'docs/install-npm.md';

      const installed = await machine.run(
        machine.blocksOf(page, '2. Install it with Node 26').join(''),
      );
      await machine.run(machine.blocksOf(page, '3. Run it as a service').join(''));
      const settings = { ...sandbox.environment, PORT: '0', OPS_PORT: '0' };
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
      appendFileSync(machine.place('/etc/vatfx/vatfx.env'), lines.join(''));
      const service = startCommand(machine.serviceCommand());
      const apiUrl = await service.waitFor(/"apiUrl":"(http:[^"]+)"/);

      expect(installed).not.toContain('install-scripts');
      expect(installed).toMatch(/^\S+ \(commit [0-9a-f]{12}\)$/m);
      await service.waitFor(/"job":"fx".*"outcome":"(published)"/);
      const [commands = '', curl = ''] = machine.blocksOf(page, '4. Check it, and create a key');
      const printed = await machine.run(commands);
      const [key = ''] = /^vfx_\w+$/m.exec(printed) ?? [];
      expect(printed).toMatch(/^ok +secret key +SECRET_KEY is set, and fits$/m);
      expect(printed).not.toMatch(/^wrong/m);
      const answer = await machine.run(
        `KEY=${key}; ${curl.replace('http://127.0.0.1:8080', apiUrl).replace('curl', 'curl -sS')}`,
      );
      expect(Object.keys((JSON.parse(answer) as { rates: object }).rates)).toHaveLength(27);
      const asUser = (command: string): string =>
        `sudo -u vatfx sh -c 'cd /var/lib/vatfx && vatfx ${command}'`;
      expect(await machine.run(asUser('backup copy.db'))).toContain('SECRET_KEY is configured');
      expect(await machine.run(`find ${folder} -user ${serviceUser}`)).not.toMatch(
        /\/(?:opt|etc|usr)\//,
      );
      expect(await service.stop()).toBe(0);
    },
    lifeMs,
  );
});

/** A process whose output is collected. */
function startCommand([program = '', ...args]: readonly string[]): {
  readonly waitFor: (pattern: RegExp) => Promise<string>;
  readonly stop: () => Promise<number | null>;
} {
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  }
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));
  return {
    waitFor: async (pattern) => {
      await expect.poll(() => printed, { timeout: 120_000 }).toMatch(pattern);
      return pattern.exec(printed)?.[1] ?? '';
    },
    stop: async () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
