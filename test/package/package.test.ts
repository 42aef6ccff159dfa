import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import clientManifest from '../../client/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../support/temporary-database.ts';
import { packagesFor, readLockfile } from './support/lockfile.ts';
import { environment, install, pack, packRelease, readTarball } from './support/packed.ts';

const lifeMs = 400_000;

describe('the package (npm pack)', () => {
  it(
    'starts by npx vatfx demo in an empty folder, and answers',
    async (context) => {
      const startMs = performance.now();
      const seconds = (): string => ((performance.now() - startMs) / 1_000).toFixed(1);
      const folder = temporaryFolder();
      const packed = await pack(folder);
      const packedAfter = seconds();
      const home = join(folder, 'clean');
      if (!(await install(packed.tarball, home))) context.skip('the registry cannot be reached');
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
        `npm pack: ${packedAfter} s, ${packed.files.length} files, ${kilobytes(packed.bytes)} packed, ` +
          `${kilobytes(packed.unpackedBytes)} unpacked; installed after ${installedAfter} s; ` +
          `answered after ${seconds()} s`,
      );
      const shown = execFileSync('npx', ['--no-install', 'vatfx', '--version'], {
        cwd: home,
        env: environment,
        encoding: 'utf8',
      });
      expect(shown).toBe(`${manifest.version}\n`);
    },
    lifeMs,
  );

  it(
    'has what runs, and neither sources nor tests, beside its list of packages and checksums',
    async () => {
      const release = await packRelease(temporaryFolder());
      const { version } = manifest;
      const { files } = await readTarball(join(release, `vatfx-${version}.tgz`));
      const read = (name: string): string => readFileSync(join(release, name), 'utf8');
      const sbom = JSON.parse(read(`vatfx-${version}.cdx.json`)) as Sbom;

      const made = [`vatfx-${version}.cdx.json`, `vatfx-${version}.tgz`];
      expect(readdirSync(release).toSorted()).toEqual([
        'SHA256SUMS',
        ...made,
        `vatfx-client-${clientManifest.version}.tgz`,
      ]);
      execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release });
      expect(read('SHA256SUMS').trim().split('\n')).toHaveLength(3);
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
        ]),
      );
      // The simulators and the migrations have their own files.
      expect(files).toEqual(
        expect.arrayContaining([
          'dist/sandbox/sandbox.js',
          'dist/platform/database/migrations/0001-first-tables.js',
        ]),
      );
      const allowed =
        /^(?:package\.json|README\.md|LICENSE|openapi\.json|reference\.html|bin\/vatfx\.js|dist\/.+\.js|dist\/sandbox\/data\/.+\.json|dist\/web\/.+)$/;
      expect(files.filter((file) => !allowed.test(file))).toEqual([]);
      expect(files.filter((file) => file.endsWith('.test.js'))).toEqual([]);
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
