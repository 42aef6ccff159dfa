import { spawn, spawnSync } from 'node:child_process';
import { type Environment, RunningVatfx } from '../../journeys/support/run-vatfx.ts';
import { ownProgram } from '../../support/own-program.ts';

/** Whether a test may mount file systems of its own: as root, on Linux. Otherwise its suites are skipped. */
export const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

/** Makes every file system read-only; the folder `$1` stays writable, if there is one. */
export const readOnly = `
  [ -z "$1" ] || mount --bind "$1" "$1"
  cut -d' ' -f2 /proc/self/mounts | while read -r at; do
    [ "$at" = "$1" ] || mount -o remount,bind,ro "$at" 2>/dev/null
  done`;
/** Puts a disk with the files of `$2` at the folder `$1`, and fills it to its end. */
const fullDisks = {
  ofBytes: `
    mount -t tmpfs -o size=4m none "$1"
    cp -r "$2"/. "$1"
    dd if=/dev/zero of="$1/fill" bs=4k 2>/dev/null || true`,
  ofFiles: `
    mount -t tmpfs -o size=4m,nr_inodes=4 none "$1"
    cp -r "$2"/. "$1"
    touch "$1/fill-1" "$1/fill-2" "$1/fill-3" "$1/fill-4" 2>/dev/null || true`,
} as const;

/** Starts vatfx without a temporary folder that it could write to. Only the folder is writable; without one, nothing is. */
export function startReadOnly(
  args: readonly string[],
  env: Environment,
  folder = '',
): RunningVatfx {
  return startBehind(readOnly, args, { env, folder });
}

/** A disk that has no room for bytes, or for a further file. */
export type FullDisk = keyof typeof fullDisks;

/** Starts vatfx with a full disk at the folder, on which are copies of files. */
export function startOnFullDisk(
  args: readonly string[],
  env: Environment,
  disk: { readonly folder: string; readonly filesOf: string; readonly full: FullDisk },
): RunningVatfx {
  return startBehind(fullDisks[disk.full], args, { env, ...disk });
}

function startBehind(
  mounts: string,
  args: readonly string[],
  {
    env,
    folder,
    filesOf = '',
  }: { readonly env: Environment; readonly folder: string; readonly filesOf?: string },
): RunningVatfx {
  const script = `set -e; ${mounts}\nshift 2; cd /; exec "$@"`;
  const command = [process.execPath, ownProgram(env), ...args];
  const child = spawn(
    'unshare',
    ['--mount', 'sh', '-c', script, 'sh', folder, filesOf, ...command],
    {
      // No HOME and no TMPDIR.
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  return new RunningVatfx(child, folder);
}
