import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, inject } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
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

/** Makes a release without images from a copy of the checkout, which has one commit; returns the folder of its files. */
async function makeRelease(folder: string): Promise<string> {
  const copy = copyCheckout(folder);
  // Before the commit: git takes the link for a file that is not ignored.
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const git = async (...args: readonly string[]) => run('git', args, { cwd: copy });
  await git('init', '--quiet');
  await git('add', '--all');
  await git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'all files');
  // The fastest compression, which takes 9 s of a core instead of a minute.
  const env = { ...environment, DOCKER_HOST: 'unix:///nowhere', XZ_OPT: '-0' };
  const { stdout } = await run('npm', ['run', '-s', 'release', '--', '--dry-run'], {
    cwd: copy,
    env,
  });
  writeFileSync(join(folder, 'printed'), stdout);
  return join(copy, 'packed');
}

let release: Promise<string> | undefined;

/** Lets the suites of a process share one release, because making it takes half a minute; returns its folder. */
export function shareRelease(): () => string {
  let folder = '';
  beforeAll(async () => {
    release ??= makeRelease(inject('releaseFolder'));
    folder = await release;
  }, 400_000);
  return () => folder;
}

/** Copies the files that a clone of the checkout would have, so that a build does not change the checkout. */
function copyCheckout(folder: string): string {
  const copy = join(folder, 'checkout');
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: root, encoding: 'utf8', maxBuffer: 10_000_000 },
  );
  for (const name of listed.split('\0').filter((one) => one !== '')) {
    // A file that was deleted is listed until the next commit.
    if (existsSync(join(root, name))) cpSync(join(root, name), join(copy, name));
  }
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

/** Runs npm in a folder and returns all that it prints; undefined if the registry does not answer. */
export async function runNpm(
  folder: string,
  args: readonly string[],
  env = environment,
): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await run('npm', [...args, '--prefer-offline'], {
      cwd: folder,
      env: { ...env },
    });
    return stdout + stderr;
  } catch (error) {
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(String(error))) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Installs the tarball of the server into an empty folder, and returns what npm printed. It has no dependencies, so npm asks no
 * registry.
 */
export async function install(
  tarball: string,
  folder: string,
  ...options: readonly string[]
): Promise<string> {
  mkdirSync(folder);
  // Without a prefix npm installs into the next folder above that has a package.json.
  const args = ['install', '--offline', '--prefix', folder, ...options, tarball];
  const { stdout, stderr } = await run('npm', args, { cwd: folder, env: { ...environment } });
  return stdout + stderr;
}

/** Unpacks a tarball into a folder, and returns the folder of the package. */
export function unpack(tarball: string, folder: string): string {
  execFileSync('tar', ['-xzf', tarball, '-C', folder]);
  return join(folder, 'package');
}
