import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import clientManifest from '../../client/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { relativeLinksIn } from '../docs/support/markdown-links.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { ownPlatform, platforms } from '../../scripts/executable.ts';
import { readLockfile } from './support/lockfile.ts';
import {
  environment,
  install,
  readTarball,
  runNpm,
  shareRelease,
  unpack,
} from './support/packed.ts';

const lifeMs = 400_000;
const { version } = manifest;
const noRegistry = 'the registry cannot be reached';
const release = shareRelease();
const read = (name: string): string => readFileSync(join(release(), name), 'utf8');
const serverTarball = (): string => join(release(), `vatfx-${version}.tgz`);
const clientTarball = (): string => join(release(), `vatfx-client-${clientManifest.version}.tgz`);

describe('the package (npm pack)', () => {
  it(
    'starts by npx vatfx demo in an empty folder, and answers',
    async () => {
      const startMs = performance.now();
      const seconds = (): string => ((performance.now() - startMs) / 1_000).toFixed(1);
      const packed = await readTarball(serverTarball());
      const home = join(temporaryFolder(), 'clean');
      const printed = await install(packed.tarball, home);
      const installedAfter = seconds();

      const { apiUrl, key } = await startDemo(home);
      const answer = await fetch(`${apiUrl}/rates`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const { rates } = (await answer.json()) as { readonly rates: Record<string, unknown> };

      expect(answer.status).toBe(200);
      for (const path of ['/', '/docs', '/openapi.json']) {
        expect((await fetch(`${apiUrl}${path}`)).status).toBe(200);
      }
      expect(Object.keys(rates)).toHaveLength(27);
      const kilobytes = (bytes: number): string => `${Math.round(bytes / 1_000)} KB`;
      console.log(
        `npm pack: ${packed.files.length} files, ${kilobytes(packed.bytes)} packed, ` +
          `${kilobytes(packed.unpackedBytes)} unpacked; installed after ${installedAfter} s; ` +
          `answered after ${seconds()} s`,
      );
      expect(printed).toContain('added 1 package in');
      expect(packed.unpackedBytes).toBeLessThan(20_000_000);
    },
    lifeMs,
  );

  it('is one command after npm install --global, with the version and the commit of its build', async () => {
    const home = join(temporaryFolder(), 'global');
    const printed = await install(serverTarball(), home, '--global');

    const shown = execFileSync('vatfx', ['--version'], {
      env: { ...environment, PATH: `${join(home, 'bin')}:${environment['PATH']}` },
      encoding: 'utf8',
    });

    expect(printed).toContain('added 1 package in');
    const { commit } = JSON.parse(read('provenance.json')) as { readonly commit: string };
    expect(shown).toBe(`${version} (commit ${commit.slice(0, 12)})\n`);
  });

  it(
    'has what runs, and neither sources nor tests, beside the executable and checksums',
    async () => {
      const { files } = await readTarball(serverTarball());

      const made = [
        'SHA256SUMS',
        'THIRD_PARTY_LICENSES',
        'alerts.yaml',
        'install.sh',
        'provenance.json',
        'release-notes.md',
        'vatfx-backup.service',
        'vatfx-backup.timer',
        `vatfx-${ownPlatform}`,
        `vatfx-${ownPlatform}.cdx.json`,
        `vatfx-${ownPlatform}.xz`,
        'vatfx.service',
        `vatfx-${version}.cdx.json`,
        `vatfx-${version}.tgz`,
        `vatfx-client-${clientManifest.version}.tgz`,
      ];
      expect(readdirSync(release()).toSorted()).toEqual(made.toSorted());
      execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release() });
      expect(read('SHA256SUMS').trim().split('\n')).toHaveLength(made.length - 1);
      expect(files).toEqual(
        expect.arrayContaining([
          'package.json',
          'README.md',
          'LICENSE',
          'bin/vatfx.js',
          'dist/THIRD_PARTY_LICENSES',
          'dist/service/main.js',
          'dist/service/main.js.map',
          'dist/web/index.html',
          'openapi.json',
          'reference.html',
          'deploy/vatfx.service',
          'docs/install-npm.md',
        ]),
      );
      const program =
        /^(?:package\.json|openapi\.json|reference\.html|bin\/vatfx\.js|dist\/(?:THIRD_PARTY_LICENSES|build\.json|service\/[^/]+\.js(?:\.map)?|web\/.+))$/;
      const documents =
        /^(?:[A-Z]+\.md|LICENSE|Dockerfile|compose\.yaml|docs\/.+|deploy\/.+|bench\/\w+\.md|client\/(?:README\.md|(?:examples|vectors)\/.+))$/;
      const others = files.filter((file) => !program.test(file) && !documents.test(file));
      expect(others).toEqual([]);
      expect(files.filter((file) => file.endsWith('built-from.json'))).toEqual([]);
    },
    lifeMs,
  );

  it('has the notes and the sources of its version, and says what else a release needs', () => {
    const git = (...args: readonly string[]): string =>
      execFileSync('git', args, { cwd: join(release(), '..'), encoding: 'utf8' }).trim();
    const notes = read('release-notes.md');
    const made = readFileSync(join(release(), '../../printed'), 'utf8');

    expect(notes.match(/^## [^ \n]+/gm)).toEqual([`## ${version}`]);
    expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(notes);
    expect(JSON.parse(read('provenance.json'))).toMatchObject({
      version,
      commit: git('rev-parse', 'HEAD'),
      isCommitted: true,
      executables: expect.arrayContaining([
        { platform: ownPlatform, file: `vatfx-${ownPlatform}.xz` },
      ]) as unknown,
      images: ['linux/amd64', 'linux/arm64'].map((platform) => ({
        platform,
        missing: expect.stringContaining('docker') as unknown,
      })),
    });
    expect(made).toContain(read('SHA256SUMS'));
    expect(made).toContain('no image for linux/arm64: docker');
    for (const other of platforms.filter((platform) => platform !== ownPlatform)) {
      expect(made).toContain(`no executable for ${other}: npm run pack makes it on ${other}\n`);
    }
    expect(made).toContain(`npm publish packed/vatfx-${version}.tgz`);
  });

  it.each([
    ['the server', serverTarball, 40],
    ['the client', clientTarball, 1],
  ] as const)(
    '%s has every file that its documents link to, and no script that npm runs when it is installed',
    (_name, tarball, documentCount) => {
      const folder = temporaryFolder();
      const unpacked = unpack(tarball(), folder);
      const documents = globSync('**/*.md', { cwd: unpacked });

      const dead = documents.flatMap((document) =>
        relativeLinksIn(readFileSync(join(unpacked, document), 'utf8'))
          .filter((target) => !existsSync(join(unpacked, dirname(document), target)))
          .map((target) => `${document} links to ${target}`),
      );
      const { scripts = {} } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as {
        readonly scripts?: Readonly<Record<string, string>>;
      };

      expect(documents.length).toBeGreaterThanOrEqual(documentCount);
      expect(dead).toEqual([]);
      const ran = ['preinstall', 'install', 'postinstall', 'prepublish', 'prepare'];
      expect(ran.filter((name) => Object.hasOwn(scripts, name))).toEqual([]);
    },
  );
});

describe('a checkout', () => {
  it(
    'has its console built by npm ci',
    async (context) => {
      const folder = temporaryFolder();
      const locked = readLockfile().packages['node_modules/ipaddr.js'];
      const small = {
        name: manifest.name,
        version,
        scripts: manifest.scripts,
        dependencies: { 'ipaddr.js': manifest.dependencies['ipaddr.js'] },
      };
      const packages = { '': small, 'node_modules/ipaddr.js': locked };
      writeFileSync(join(folder, 'package.json'), JSON.stringify(small));
      writeFileSync(
        join(folder, 'package-lock.json'),
        JSON.stringify({ name: manifest.name, version, lockfileVersion: 3, packages }),
      );
      cpSync('web', join(folder, 'web'), { recursive: true });

      const printed = await runNpm(folder, ['ci', '--foreground-scripts']);

      if (printed === undefined) return context.skip(noRegistry);
      // Only one small package is installed, and the build says what it lacks.
      expect(printed).toContain('the console is not built, because Vite is not installed');
    },
    lifeMs,
  );
});

/** Starts the demo as the README says, on free ports. */
async function startDemo(
  folder: string,
): Promise<{ readonly apiUrl: string; readonly key: string }> {
  const demo = spawn('npx', ['--no-install', 'vatfx', 'demo'], {
    cwd: folder,
    env: { ...environment, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // npx does not pass signals on, so its whole process group is ended.
    detached: true,
  });
  onTestFinished(async () => endGroup(demo));
  let said = '';
  demo.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  demo.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await expect.poll(() => said, { timeout: 120_000 }).toContain('Ctrl-C ends it.');
  const find = (pattern: RegExp): string => pattern.exec(said)?.[1] ?? '';
  return { apiUrl: find(/vatfx is at +(http:\S+)/), key: find(/API key +(vfx_\w+)/) };
}

async function endGroup(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve));
  process.kill(-(child.pid ?? 0), 'SIGTERM');
  await ended;
}
