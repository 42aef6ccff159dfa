/**
 * Packs the program of an earlier release and its client for the tests of upgrades, as `npm pack` of that release does, and
 * keeps its `openapi.json`.
 *
 *     node test/releases/make.ts <commit>
 *
 * Libraries that the release needs and this checkout no longer has are put into the tarball
 * (`bundleDependencies`); all others are loaded from `node_modules` of this checkout.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Manifest = {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const [commit] = process.argv.slice(2);
if (commit === undefined) throw new Error('expected the commit of the release');

const folder = mkdtempSync(join(tmpdir(), 'vatfx-release-'));
try {
  const checkout = join(folder, 'checkout');
  mkdirSync(checkout);
  run(root, 'git', 'archive', '--output', join(folder, 'checkout.tar'), commit);
  run(checkout, 'tar', '-xf', join(folder, 'checkout.tar'));
  run(checkout, 'npm', 'ci', '--no-audit', '--no-fund');
  const manifest = readManifest(checkout);
  const present = readManifest(root).dependencies;
  const bundleDependencies = Object.keys(manifest.dependencies).filter(
    (name) => present[name] === undefined,
  );
  const text = JSON.stringify({ ...manifest, bundleDependencies }, undefined, 2);
  writeFileSync(join(checkout, 'package.json'), `${text}\n`);
  const kept = join(root, 'test/releases', manifest.version);
  mkdirSync(kept, { recursive: true });
  copyFileSync(join(checkout, 'openapi.json'), join(kept, 'openapi.json'));
  for (const project of [checkout, join(checkout, 'client')]) {
    run(project, 'npm', 'pack', '--pack-destination', join(root, 'test/releases'));
  }
} finally {
  rmSync(folder, { recursive: true });
}

function readManifest(checkout: string): Manifest {
  return JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as Manifest;
}

function run(cwd: string, program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { cwd, stdio: 'inherit' });
}
