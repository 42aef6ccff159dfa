import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The program as users start it. */
export const program = fileURLToPath(new URL('../../../bin/vatfx.js', import.meta.url));

/** Runs a command whose standard output is closed before it writes; returns its exit code and its lines of errors. */
export async function runIntoClosedPipe(
  words: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'>,
): Promise<{ readonly code: number | null; readonly errors: readonly string[] }> {
  const child = spawn(process.execPath, [program, ...words], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors: string[] = [];
  createInterface(child.stderr).on('line', (line) => errors.push(line));
  child.stdout.destroy();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, errors };
}
