import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);

/** The parts of a package's entry in a lockfile that the tests read. */
export type Locked = {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
};

export type Lockfile = {
  readonly lockfileVersion: number;
  /** By folder; the folder of the checkout itself is empty. */
  readonly packages: Readonly<Record<string, Locked>>;
};

type Manifest = Pick<Locked, 'version' | 'dependencies' | 'devDependencies'> & {
  readonly scripts?: Readonly<Record<string, string>>;
};

/** npm runs these when it installs a package. */
const installScripts = ['preinstall', 'install', 'postinstall'];

export function readLockfile(): Lockfile {
  return read('package-lock.json') as Lockfile;
}

/** The locked packages that are installed with the service, by folder, or those that only developers have. */
export function packagesFor(lockfile: Lockfile, whom: 'service' | 'developers'): string[] {
  return Object.entries(lockfile.packages)
    .filter(([folder, { dev = false }]) => folder !== '' && dev === (whom === 'developers'))
    .map(([folder]) => folder);
}

/** The faults of a lockfile that allow an installation with other contents than the tested ones. */
export function findOpen(lockfile: Lockfile): string[] {
  const open = Object.entries(lockfile.packages)
    .filter(([folder, { integrity }]) => folder !== '' && !integrity?.startsWith('sha512-'))
    .map(([folder]) => `${folder} has no SHA-512`);
  const { dependencies, devDependencies } = read('package.json') as Manifest;
  const wanted = { ...dependencies, ...devDependencies };
  const locked = lockfile.packages['']?.dependencies ?? {};
  const all = { ...locked, ...lockfile.packages['']?.devDependencies };
  for (const [name, range] of Object.entries(wanted)) {
    if (all[name] !== range) open.push(`${name} is locked for ${all[name]}, wanted is ${range}`);
    if (lockfile.packages[`node_modules/${name}`] === undefined) open.push(`${name} is not locked`);
  }
  return open;
}

/** The packages of the service with an install script, according to npm and to their files. */
export function findInstallScripts(lockfile: Lockfile): string[] {
  return packagesFor(lockfile, 'service').filter((folder) => {
    if (lockfile.packages[folder]?.hasInstallScript === true) return true;
    // Optional packages for other systems are not installed.
    if (!existsSync(new URL(`${folder}/package.json`, root))) return false;
    const { scripts = {} } = readManifest(folder);
    // npm builds any package that has this file.
    const isBuilt = existsSync(new URL(`${folder}/binding.gyp`, root));
    return isBuilt || installScripts.some((name) => Object.hasOwn(scripts, name));
  });
}

/** The folders whose installed package has another version than in the lockfile. */
export function findOthers(lockfile: Lockfile, folders: readonly string[]): string[] {
  return folders.filter(
    (folder) => readManifest(folder).version !== lockfile.packages[folder]?.version,
  );
}

function readManifest(folder: string): Manifest {
  return read(`${folder}/package.json`) as Manifest;
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(fileURLToPath(new URL(file, root)), 'utf8'));
}
