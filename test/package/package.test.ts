import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import clientManifest from '../../client/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { relativeLinksIn } from '../docs/support/markdown-links.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { packagesFor, readLockfile } from './support/lockfile.ts';
import { environment, install, readTarball, runNpm, shareRelease } from './support/packed.ts';

const lifeMs = 400_000;
const { version } = manifest;
const noRegistry = 'the registry cannot be reached';
const release = shareRelease();
const serverTarball = (): string => join(release(), `vatfx-${version}.tgz`);
const clientTarball = (): string => join(release(), `vatfx-client-${clientManifest.version}.tgz`);

describe('the package (npm pack)', () => {
  it(
    'starts by npx vatfx demo in an empty folder, and answers',
    async (context) => {
      const startMs = performance.now();
      const seconds = (): string => ((performance.now() - startMs) / 1_000).toFixed(1);
      const packed = await readTarball(serverTarball());
      const home = join(temporaryFolder(), 'clean');
      const printed = await install(packed.tarball, home);
      if (printed === undefined) return context.skip(noRegistry);
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
      const shown = execFileSync('npx', ['--no-install', 'vatfx', '--version'], {
        cwd: home,
        env: environment,
        encoding: 'utf8',
      });
      expect(shown).toBe(`${version}\n`);
      // npm names packages whose install scripts it did not run.
      expect(printed).not.toContain('install-scripts');
    },
    lifeMs,
  );

  it(
    'has what runs, and neither sources nor tests, beside its list of packages and checksums',
    async () => {
      const { files } = await readTarball(serverTarball());
      const read = (name: string): string => readFileSync(join(release(), name), 'utf8');
      const sbom = JSON.parse(read(`vatfx-${version}.cdx.json`)) as Sbom;

      expect(readdirSync(release()).toSorted()).toEqual([
        'SHA256SUMS',
        'provenance.json',
        'release-notes.md',
        `vatfx-${version}.cdx.json`,
        `vatfx-${version}.tgz`,
        `vatfx-client-${clientManifest.version}.tgz`,
      ]);
      execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release() });
      expect(read('SHA256SUMS').trim().split('\n')).toHaveLength(5);
      expect(sbom).toMatchObject({
        bomFormat: 'CycloneDX',
        metadata: { component: { type: 'application', name: 'vatfx', version } },
      });
      const locked = packagesFor(readLockfile(), 'service');
      expect(sbom.components.map(({ name }) => name).toSorted()).toEqual(
        locked.map((path) => path.replace(/^.*node_modules\//, '')).toSorted(),
      );
      expect(sbom.components.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512')).toEqual([]);
      expect(files).toEqual(
        expect.arrayContaining([
          'package.json',
          'README.md',
          'LICENSE',
          'bin/vatfx.js',
          'dist/main.js',
          'dist/web/index.html',
          'openapi.json',
          'reference.html',
          'deploy/vatfx.service',
          'docs/install-npm.md',
        ]),
      );
      // The simulators and the migrations have their own files.
      expect(files).toEqual(
        expect.arrayContaining([
          'dist/sandbox/sandbox.js',
          'dist/platform/database/migrations/0001-first-tables.js',
        ]),
      );
      const program =
        /^(?:package\.json|openapi\.json|reference\.html|bin\/vatfx\.js|dist\/.+\.js|dist\/(?:sandbox\/data|rates\/(?:errata|territories)|platform\/database\/objects)\/.+\.json|dist\/web\/.+)$/;
      const documents =
        /^(?:[A-Z]+\.md|LICENSE|Dockerfile|compose\.yaml|docs\/.+|deploy\/.+|bench\/\w+\.md|client\/(?:README\.md|(?:examples|vectors)\/.+))$/;
      const others = files.filter((file) => !program.test(file) && !documents.test(file));
      expect(others).toEqual([]);
      expect(files.filter((file) => file.endsWith('.test.js'))).toEqual([]);
    },
    lifeMs,
  );

  it('has the notes and the sources of its version, and says what else a release needs', () => {
    const read = (name: string): string => readFileSync(join(release(), name), 'utf8');
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
      images: ['linux/amd64', 'linux/arm64'].map((platform) => ({
        platform,
        missing: expect.stringContaining('docker') as unknown,
      })),
    });
    expect(made).toContain(read('SHA256SUMS'));
    expect(made).toContain('no image for linux/arm64: docker');
    expect(made).toContain(`npm publish packed/vatfx-${version}.tgz`);
  });

  it.each([
    ['the server', serverTarball, 40],
    ['the client', clientTarball, 1],
  ] as const)(
    '%s has every file that its documents link to, and no script that npm runs when it is installed',
    (_name, tarball, documentCount) => {
      const folder = temporaryFolder();
      execFileSync('tar', ['-xzf', tarball(), '-C', folder]);
      const unpacked = join(folder, 'package');
      const documents = globSync('**/*.md', { cwd: unpacked });

      const dead = documents.flatMap((document) =>
        relativeLinksIn(readFileSync(join(unpacked, document), 'utf8'))
          .filter((target) => !existsSync(join(unpacked, dirname(document), target)))
          .map((target) => `${document} links to ${target}`),
      );
      const { scripts } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as {
        readonly scripts: Readonly<Record<string, string>>;
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

/** The parts of the list of packages (CycloneDX) that the test reads. */
type Sbom = {
  readonly bomFormat: string;
  readonly components: readonly {
    readonly name: string;
    readonly hashes?: readonly { readonly alg: string }[];
  }[];
};

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
