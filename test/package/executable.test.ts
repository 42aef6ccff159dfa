import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { ownPlatform } from '../../scripts/executable.ts';
import { canMount, readOnly } from '../deploy/support/mounts.ts';
import { RunningVatfx } from '../journeys/support/run-vatfx.ts';
import { patienceMs } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { environment, shareRelease, unpack } from './support/packed.ts';

const release = shareRelease();
const executable = (): string => join(release(), `vatfx-${ownPlatform}`);
/** No upstream answers, and ports are free ones. */
const settings = {
  TEDB_URL: 'http://127.0.0.1:9/',
  ECB_URL: 'http://127.0.0.1:9/',
  PORT: '0',
  OPS_PORT: '0',
};

describe('the executable (O18)', () => {
  it('prints the version and the commit that the package prints, and is small enough to fetch', () => {
    const unpacked = unpack(join(release(), `vatfx-${manifest.version}.tgz`), temporaryFolder());
    const program = join(unpacked, 'bin/vatfx.js');
    const ofPackage = spawnSync(process.execPath, [program, '--version'], { encoding: 'utf8' });

    const { status, stdout } = run(executable(), ['--version']);

    expect(status).toBe(0);
    expect(stdout).toMatch(/^\S+ \(commit [0-9a-f]{12}\)\n$/);
    expect(stdout).toBe(ofPackage.stdout);
    // A release compresses more.
    expect(statSync(`${executable()}.xz`).size).toBeLessThan(45_000_000);
  });

  it.each([
    ['--import ./missing.mjs --inspect=127.0.0.1:0'],
    ['--max-semi-space-size=1 --no-such-option'],
    ['--permission --test'],
  ])('takes nothing from NODE_OPTIONS: %s', (NODE_OPTIONS) => {
    const ended = run(executable(), ['config'], { NODE_OPTIONS });

    expect(ended).toMatchObject({ status: 0, stderr: '' });
    expect(ended.stdout).toMatch(/^DATABASE_URL /m);
  });

  it('runs under another name, from a path with blanks, below a broken package.json, and passes arguments on', () => {
    const folder = join(temporaryFolder(), 'a b');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ broken');
    const program = join(folder, 'other name');
    copyFileSync(executable(), program);

    const created = run(program, ['keys', 'create', '--name', 'me'], {}, folder);
    const wrong = run(program, ['--inspect'], {}, folder);

    expect(created).toMatchObject({ status: 0, stdout: expect.stringMatching(/^vfx_/) as unknown });
    expect(run(program, ['keys', 'list'], {}, folder).stdout).toMatch(/^key_\S+ +me /m);
    expect(wrong).toMatchObject({ status: 2, stdout: '' });
    expect(wrong.stderr).toContain("unknown option '--inspect'");
  });

  it('says that the demo needs a temporary folder', () => {
    const { status, stderr } = run(executable(), ['demo'], { TMPDIR: '/dev/null/tmp' });

    expect(status).toBe(1);
    expect(stderr).toContain(
      'the demo makes its data folder in /dev/null/tmp, which cannot be written',
    );
  });

  it('does not start on the database of a newer vatfx, and leaves it as it is', () => {
    const folder = temporaryFolder();
    const list = (): unknown => {
      using database = new DatabaseSync(join(folder, 'data/vatfx.db'));
      return database.prepare('select name from kysely_migration order by name').all();
    };
    expect(run(executable(), ['migrate'], {}, folder).status).toBe(0);
    new DatabaseSync(join(folder, 'data/vatfx.db')).exec(
      "insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00Z')",
    );
    const before = list();

    const ended = run(executable(), ['serve'], {}, folder);

    expect(ended.status).toBe(1);
    expect(ended.stdout + ended.stderr).toContain('it was made by a newer vatfx (9999-later)');
    expect(list()).toEqual(before);
  });

  it.skipIf(!canMount)(
    'serves where only its data folder can be written, ignores SIGUSR1 and SIGUSR2, and names sources in its log',
    async () => {
      const folder = temporaryFolder();
      const server = startReadOnly(folder);
      const [, apiUrl = ''] = await server.waitForOutput(/"apiUrl":"(http:[^"]+)"/);
      // No upstream answers, so the first run fails.
      await server.waitForOutput(/at exchange \(src\/platform\/upstream\/exchange\.ts:\d+\)/);

      server.signal('SIGUSR1');
      server.signal('SIGUSR2');
      const answers = ['/', '/docs', '/openapi.json', '/rates'].map(async (path) => {
        const { status, headers } = await fetch(apiUrl + path);
        return `${path} ${status} ${headers.get('content-type')}`;
      });

      expect(await Promise.all(answers)).toEqual([
        '/ 200 text/html; charset=utf-8',
        '/docs 200 text/html; charset=utf-8',
        '/openapi.json 200 application/json; charset=utf-8',
        '/rates 401 application/json; charset=utf-8',
      ]);
      server.signal('SIGTERM');
      const { code, stderr } = await server.ended();
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    },
  );
});

function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  folder = temporaryFolder(),
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(program, args, {
    cwd: folder,
    env: { ...settings, ...env },
    encoding: 'utf8',
    // A server that starts all the same would not end.
    timeout: patienceMs,
  });
}

/** Starts the server without HOME and PATH; of all file systems it can write to the folder only. */
function startReadOnly(folder: string): RunningVatfx {
  const script = `set -e; ${readOnly}\ncd "$1"; exec env -i $3 "$2" serve`;
  const variables = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const args = ['sh', folder, executable(), variables.join(' ')];
  const child = spawn('unshare', ['--mount', 'sh', '-c', script, ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new RunningVatfx(child, folder);
}
