import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The lists of modules that the builds of service and console write. */
const builds = ['dist/service/built-from.json', 'dist/web/built-from.json'];
/** Packages of which the program has data: `web/map/generate.ts` made the console's map from it. */
const dataOf = ['node_modules/world-atlas'];

/** A package that is part of the program. */
export type BundledPackage = {
  /** Its folder below the checkout, as in the lockfile. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** SHA-512 of the package's tarball in base64, behind `sha512-`. */
  readonly integrity: string;
  /** SPDX expression, as its manifest has it. */
  readonly license: string;
  readonly author?: string;
};

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly license?: unknown;
  readonly author?: string | { readonly name: string; readonly email?: string };
};

type Lockfile = {
  readonly packages: Readonly<
    Record<string, { readonly version: string; readonly integrity: string }>
  >;
};

/**
 * Lists the packages whose code or data is in the built program, ordered by name and version.
 *
 * @throws If the program is not built, if an installed package is not the locked one, or has no licence in its manifest.
 */
export function listBundledPackages(): readonly BundledPackage[] {
  const { packages } = readJson('package-lock.json') as Lockfile;
  const folders = new Set([
    ...builds.flatMap(readModules).flatMap((module) => folderOf(module) ?? []),
    ...dataOf,
  ]);
  return [...folders]
    .map((folder) => {
      const { name, version, license, author } = readJson(`${folder}/package.json`) as Manifest;
      const locked = packages[folder];
      if (locked?.version !== version) {
        throw new Error(`${folder} is ${version}, the lockfile has ${locked?.version}: run npm ci`);
      }
      if (typeof license !== 'string') throw new Error(`${folder} names no licence`);
      const person = typeof author === 'object' ? author.name : author;
      const { integrity } = locked;
      return { folder, name, version, integrity, license, ...(person && { author: person }) };
    })
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** The folder of the package that a module is in; undefined for a module of vatfx. */
function folderOf(module: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module)?.[0];
}

function readModules(build: string): readonly string[] {
  if (!existsSync(join(root, build))) throw new Error(`${build} is missing: run npm run build`);
  return (readJson(build) as { readonly modules: readonly string[] }).modules;
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(root, name), 'utf8'));
}

function keyOf({ name, version }: BundledPackage): string {
  return `${name} ${version}`;
}
