/**
 * Makes the files of a release in `packed/`: the tarballs of server and client, the executable for this machine, what
 * `deploy/install.sh` installs beside it, the lists of the packages in them (SBOM, CycloneDX), and `SHA256SUMS` over all of
 * them. The client has no dependencies, so it needs no list.
 *
 * `sha256sum --check SHA256SUMS` in that folder compares the files.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listBundledPackages } from './bundled-packages.ts';
import { buildExecutable, ownPlatform, platforms } from './executable.ts';
import { printSbom } from './sbom.ts';
import { writeSums } from './sums.ts';

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly files: readonly string[];
};

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'packed');
/** The fields of `package.json` that the package has. All that it needs is in it, so it has no dependencies. */
const shippedFields = [
  'name',
  'version',
  'description',
  'license',
  'bin',
  'type',
  'exports',
  'engines',
];
const deployed = ['*.service', '*.timer', 'alerts.yaml', 'install.sh'];

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const { name, version, license } = manifest;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
npm(root, ['run', '-s', 'build']);
packService();
npm(join(root, 'client'), ['pack', '--loglevel', 'error', '--pack-destination', folder]);
const packages = listBundledPackages();
const program = { name, version, license, packages };
writeFileSync(join(folder, `vatfx-${version}.cdx.json`), printSbom(program));
if (platforms.includes(ownPlatform)) {
  const executable = await buildExecutable(folder);
  const list = printSbom({ ...program, node: process.versions.node });
  writeFileSync(join(folder, `${executable}.cdx.json`), list);
  compress(executable);
} else {
  console.error(
    `no executable: one is made on ${platforms.join(', ')}, and this is ${ownPlatform}`,
  );
}
for (const file of globSync(deployed, { cwd: join(root, 'deploy') })) {
  copyFileSync(join(root, 'deploy', file), join(folder, file));
}
copyFileSync(join(root, 'dist/THIRD_PARTY_LICENSES'), join(folder, 'THIRD_PARTY_LICENSES'));
console.log(writeSums(folder).trimEnd());

/** Packs a copy of the files, whose manifest has only what concerns those who install it. */
function packService(): void {
  const copy = mkdtempSync(join(tmpdir(), 'vatfx-pack-'));
  try {
    for (const file of globSync(['LICENSE', ...manifest.files], { cwd: root })) {
      // The lists of modules are of use for the build only.
      const filter = (from: string): boolean => basename(from) !== 'built-from.json';
      cpSync(join(root, file), join(copy, file), { recursive: true, filter });
    }
    const shipped = Object.entries(manifest).filter(([field]) => shippedFields.includes(field));
    const text = JSON.stringify(Object.fromEntries(shipped), undefined, 2);
    writeFileSync(join(copy, 'package.json'), `${text}\n`);
    npm(copy, ['pack', '--loglevel', 'error', '--pack-destination', folder]);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Compresses a file to a quarter, in half a minute, and keeps it. */
function compress(file: string): void {
  const { error, status, stderr } = spawnSync('xz', ['--threads=0', '--keep', file], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (error === undefined && status === 0) return;
  console.error(
    error === undefined
      ? `${file}.xz is missing: ${stderr}`
      : `${file}.xz is missing: xz cannot be started (${error.message}); the package xz-utils has it`,
  );
}

function npm(folderOfProject: string, args: readonly string[]): void {
  execFileSync('npm', args, { cwd: folderOfProject, stdio: ['ignore', 'ignore', 'inherit'] });
}
