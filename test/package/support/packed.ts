import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The sources of the package, and the files that are needed to build it. */
const sources = [
  'bin',
  'src',
  'web',
  'scripts',
  'openapi.json',
  'reference.html',
  'tsconfig.json',
  'tsconfig.build.json',
  'package.json',
];
const beside = ['README.md', 'LICENSE', '.npmrc'];

const run = promisify(execFile);

/** The environment variables with which npm reaches the registry from this machine. */
const network = ['NODE_EXTRA_CA_CERTS', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/** The Node of this run is first, so that npm and its scripts use it. */
export const environment: Readonly<Record<string, string>> = {
  PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
  HOME: process.env['HOME'] ?? '',
  ...Object.fromEntries(
    network.flatMap((name) => {
      const value = process.env[name] ?? process.env[name.toLowerCase()];
      return value === undefined ? [] : [[name, value]];
    }),
  ),
};

export type Packed = {
  readonly tarball: string;
  readonly bytes: number;
  readonly unpackedBytes: number;
  readonly files: readonly string[];
};

/** Packs a copy of the checkout, so that the build does not change the checkout. */
export async function pack(folder: string): Promise<Packed> {
  const copy = copyCheckout(folder, [...sources, ...beside]);
  await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: copy,
    env: environment,
    maxBuffer: 10_000_000,
  });
  const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.tgz'));
  return readTarball(join(folder, name));
}

/** Makes a release (`npm run pack`) from a copy of the checkout; returns the folder of its files. */
export async function packRelease(folder: string): Promise<string> {
  const copy = copyCheckout(folder, [...sources, ...beside, 'client', 'package-lock.json']);
  await run('npm', ['run', '-s', 'pack'], { cwd: copy, env: environment });
  return join(copy, 'packed');
}

function copyCheckout(folder: string, names: readonly string[]): string {
  const copy = join(folder, 'checkout');
  mkdirSync(copy);
  for (const name of names) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

export async function readTarball(tarball: string): Promise<Packed> {
  const listed = await run('tar', ['-tvzf', tarball]);
  const entries = listed.stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/));
  return {
    tarball,
    bytes: statSync(tarball).size,
    unpackedBytes: entries.reduce((sum, entry) => sum + Number(entry[2]), 0),
    files: entries.map((entry) => (entry[5] ?? '').replace(/^package\//, '')),
  };
}

/** Installs a tarball into an empty folder without development packages; false if the registry does not answer. */
export async function install(tarball: string, folder: string): Promise<boolean> {
  mkdirSync(folder);
  cpSync(join(root, '.npmrc'), join(folder, '.npmrc'));
  const args = ['install', '--omit=dev', '--ignore-scripts', '--prefer-offline', tarball];
  try {
    await run('npm', args, { cwd: folder, env: environment });
    return true;
  } catch (error) {
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(String(error))) return false;
    throw error;
  }
}

export function readManifest(file: string): {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
} {
  return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof readManifest>;
}
