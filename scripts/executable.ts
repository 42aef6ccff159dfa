import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Build } from '../src/platform/build.ts';
import { printLicences } from './licences.ts';
import { bundleInOneFile } from './service-bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const thirdParty = 'dist/THIRD_PARTY_LICENSES';

/** Where executables are made, by the end of their names. Each is made on a machine of its own kind. */
export const platforms = ['linux-x64', 'linux-arm64', 'macos-arm64'];

/** The platform of this machine and its Node, as the end of an executable's name. */
export const ownPlatform = `${nameSystem()}-${process.arch}`;

/**
 * Makes the executable for this machine from the built program (`npm run build`) and the Node that runs: no Node has to be
 * installed where it runs. Its files are assets in it: those of `dist/build.json`, the licences with those of Node, and the
 * source map.
 *
 * Returns its name. Throws if it does not start, or if Node has no licence beside it: that of a distribution may need libraries
 * that other machines lack.
 */
export async function buildExecutable(folder: string): Promise<string> {
  const name = `vatfx-${ownPlatform}`;
  const executable = join(folder, name);
  // Two folders below the checkout, so that the paths in its source map are those in the maps of the package.
  const work = mkdtempSync(join(root, 'dist/executable-'));
  try {
    const main = await bundleInOneFile(work);
    const licences = join(work, 'licences');
    writeFileSync(
      licences,
      `${readFileSync(join(root, thirdParty), 'utf8')}\n${printLicences([readLicenceOfNode()])}`,
    );
    const config = join(work, 'config.json');
    writeFileSync(config, JSON.stringify(describeExecutable(executable, { main, licences })));
    execFileSync(process.execPath, ['--build-sea', config], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } finally {
    rmSync(work, { recursive: true });
  }
  // macOS starts no program without a signature, and the one of Node is broken now.
  if (process.platform === 'darwin')
    execFileSync('codesign', ['--force', '--sign', '-', executable]);
  const { status, stderr } = spawnSync(executable, ['--version'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} does not start: ${stderr}`);
  return name;
}

/** The configuration of Node's `--build-sea`. */
function describeExecutable(output: string, paths: { main: string; licences: string }): object {
  const { assets } = JSON.parse(readFileSync(join(root, 'dist/build.json'), 'utf8')) as Build;
  const places = Object.fromEntries(
    ['dist/build.json', ...assets].map((name) => [name, join(root, name)]),
  );
  return {
    main: paths.main,
    mainFormat: 'module',
    output,
    assets: {
      ...places,
      [thirdParty]: paths.licences,
      // The name that src/platform/assets.ts gives to the one file of the program.
      'dist/service/main.js.map': `${paths.main}.map`,
    },
    disableExperimentalSEAWarning: true,
    // Half the time of a start.
    useCodeCache: true,
    // NODE_OPTIONS of a shell may be meant for other programs.
    execArgvExtension: 'none',
    // No debugger, also in the first moment, in which vatfx does not handle the signal yet.
    execArgv: ['--disable-sigusr1'],
  };
}

function nameSystem(): string {
  if (process.platform === 'darwin') return 'macos';
  if (process.platform !== 'linux') return process.platform;
  // Otherwise the report asks the DNS for names of this machine's addresses.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { header } = report.getReport() as {
    readonly header: { readonly glibcVersionRuntime?: string };
  };
  // Node for Alpine is linked with another C library.
  return header.glibcVersionRuntime === undefined ? 'linux-musl' : 'linux';
}

function readLicenceOfNode(): { name: string; version: string; text: string } {
  const folder = dirname(dirname(process.execPath));
  const file = ['LICENSE', `node_modules/node-${process.platform}-${process.arch}/LICENSE`]
    .map((name) => join(folder, name))
    .find((path) => existsSync(path));
  if (file === undefined) throw new Error(`${folder} has no licence of Node: use that of npm ci`);
  return { name: 'node', version: process.versions.node, text: readFileSync(file, 'utf8') };
}
