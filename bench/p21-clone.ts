import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { goals } from './goals.ts';
import { type Result, temporaryFolder } from './measure.ts';

const run = promisify(execFile);

/**
 * P21: `npm ci` and `npm test` in a clone of the last commit, once. The cache of npm is that of this machine. Throws if
 * a test fails.
 *
 * `.ci/run` prints its own time.
 */
export async function measureClone(): Promise<Result[]> {
  using folder = temporaryFolder();
  const clone = join(folder.path, 'clone');
  await run('git', ['clone', '--quiet', '--no-hardlinks', '.', clone]);
  const seconds = async (...args: readonly string[]): Promise<number> => {
    const startedMs = performance.now();
    await run('npm', args, { cwd: clone, maxBuffer: 2 ** 28 });
    return (performance.now() - startedMs) / 1_000;
  };
  const [install, tests] = [await seconds('ci'), await seconds('test')];
  return [
    { name: 'P21 npm ci in a clone', rounds: [install], unit: 's', goal: goals.P21.install },
    { name: 'P21 npm test', rounds: [tests / 60], unit: 'minutes', goal: goals.P21.tests },
  ];
}
