/**
 * Makes the files of a release in `packed/`: the tarballs of server and client, a list of every package
 * that the server runs with (SBOM, CycloneDX), and `SHA256SUMS` over all of them. The client has no
 * dependencies, so it needs no list.
 *
 * `sha256sum --check SHA256SUMS` in that folder compares the files.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeSums } from './sums.ts';

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly devDependencies?: unknown;
};
type Lockfile = {
  readonly packages: Readonly<
    Record<string, { readonly dev?: boolean; readonly devDependencies?: unknown }>
  >;
};

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'packed');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const project of [root, join(root, 'client')]) {
  npm(project, ['pack', '--loglevel', 'error', '--pack-destination', folder]);
}
writeFileSync(join(folder, `vatfx-${readManifest().version}.cdx.json`), makeSbom());
console.log(writeSums(folder).trimEnd());

/**
 * The packages in the lockfile that run in production, with their versions, licences and SHA-512.
 *
 * npm reads them from a copy of the manifest and the lockfile without development packages. npm's own
 * `--omit dev` also leaves out packages that production and development share, such as pg-types (npm 11.19).
 */
function makeSbom(): string {
  const copy = mkdtempSync(join(tmpdir(), 'vatfx-sbom-'));
  try {
    const { devDependencies: _, ...manifest } = readManifest();
    const { packages, ...lockfile } = readJson('package-lock.json') as Lockfile;
    const kept = Object.entries(packages).filter(([, { dev }]) => dev !== true);
    const { devDependencies: __, ...own } = packages[''] ?? {};
    const pruned = { ...lockfile, packages: { ...Object.fromEntries(kept), '': own } };
    writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(copy, 'package-lock.json'), JSON.stringify(pruned));
    const kind = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
    const sbom = JSON.parse(npm(copy, ['sbom', '--package-lock-only', ...kind])) as {
      readonly metadata: { readonly component: { name: string } };
    };
    // npm names the program after its folder.
    sbom.metadata.component.name = manifest.name;
    return `${JSON.stringify(sbom, undefined, 2)}\n`;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function readManifest(): Manifest {
  return readJson('package.json') as Manifest;
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(root, name), 'utf8'));
}

function npm(folderOfProject: string, args: readonly string[]): string {
  return execFileSync('npm', args, {
    cwd: folderOfProject,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64_000_000,
  });
}
