import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Environment, RunningVatfx } from '../../journeys/support/run-vatfx.ts';

const program = fileURLToPath(new URL('../../../bin/vatfx.js', import.meta.url));

/** Whether a test may mount file systems of its own: as root, on Linux. Otherwise its suites are skipped. */
export const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

/** Makes every file system read-only; the folder `$1` stays writable, if there is one. */
const readOnly = `
  [ -z "$1" ] || mount --bind "$1" "$1"
  cut -d' ' -f2 /proc/self/mounts | while read -r at; do
    [ "$at" = "$1" ] || mount -o remount,bind,ro "$at" 2>/dev/null
  done`;
/** Puts a disk of 256 kB at the folder `$1`. */
const smallDisk = 'mount -t tmpfs -o size=256k none "$1"';

/** Starts vatfx without a temporary folder that it could write to. Only the folder is writable; without one, nothing is. */
export function startReadOnly(
  args: readonly string[],
  env: Environment,
  folder = '',
): RunningVatfx {
  return startBehind(readOnly, args, { env, folder });
}

/** Starts vatfx with a full disk at the folder. */
export function startOnSmallDisk(
  args: readonly string[],
  env: Environment,
  folder: string,
): RunningVatfx {
  return startBehind(smallDisk, args, { env, folder });
}

function startBehind(
  mounts: string,
  args: readonly string[],
  { env, folder }: { readonly env: Environment; readonly folder: string },
): RunningVatfx {
  const script = `set -e; ${mounts}; shift; cd /; exec "$@"`;
  const command = [process.execPath, program, ...args];
  const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', folder, ...command], {
    // No HOME and no TMPDIR.
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new RunningVatfx(child, folder);
}
