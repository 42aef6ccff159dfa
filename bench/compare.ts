import { execFile } from 'node:child_process';
import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median, type Result, temporaryFolder } from './measure.ts';
import { formatFigure } from './results.ts';

const run = promisify(execFile);
/** Folders with the code that measures, which both trees must have in the same version. */
const instruments = ['bench', 'test/support'];

/**
 * Measures this tree and another revision in turn, one round of each question at a time, and prints the ratio of
 * this tree to the revision.
 *
 * The revision is checked out in another folder, with the dependencies and the bench of this tree.
 */
export async function compareWith(
  revision: string,
  names: readonly string[],
  rounds: number,
): Promise<void> {
  await using other = await checkOut(revision);
  console.log(`| what | this tree ÷ ${revision} | least | most | this tree | ${revision} | unit |`);
  console.log('|---|---|---|---|---|---|---|');
  for (const name of names) {
    const found = { here: [] as Result[][], there: [] as Result[][] };
    for (let round = 0; round < rounds; round += 1) {
      const here = async () => found.here.push(await measureIn(process.cwd(), name));
      const there = async () => found.there.push(await measureIn(other.path, name));
      // The order alternates, because the second measurement runs on a warmer machine.
      for (const measure of round % 2 === 0 ? [there, here] : [here, there]) await measure();
    }
    for (const row of pair(found)) console.log(row);
  }
}

async function checkOut(revision: string): Promise<{ readonly path: string } & AsyncDisposable> {
  await using undo = new AsyncDisposableStack();
  const folder = undo.use(temporaryFolder());
  const path = join(folder.path, 'tree');
  await run('git', ['worktree', 'add', '--detach', path, revision]);
  undo.defer(async () => void (await run('git', ['worktree', 'remove', '--force', path])));
  symlinkSync(join(process.cwd(), 'node_modules'), join(path, 'node_modules'));
  for (const folder of instruments) {
    rmSync(join(path, folder), { recursive: true, force: true });
    cpSync(folder, join(path, folder), { recursive: true });
  }
  const done = undo.move();
  return { path, [Symbol.asyncDispose]: async () => done.disposeAsync() };
}

/** Measures one round of a question; returns no results if the tree lacks a part that the question needs. */
async function measureIn(tree: string, name: string): Promise<Result[]> {
  const args = ['--expose-gc', 'bench/run.ts', '--json', '--rounds', '1', name];
  try {
    const { stdout } = await run(process.execPath, args, { cwd: tree, maxBuffer: 2 ** 26 });
    return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Result[];
  } catch (error) {
    console.error(`${name} in ${tree}:`, error);
    return [];
  }
}

/** Prints a row for each figure that both trees have. */
function pair(found: { readonly here: Result[][]; readonly there: Result[][] }): string[] {
  const [first = []] = found.here;
  return first.flatMap(({ name, unit }, at) => {
    // Matched by position, because some names contain measured values.
    const figures = (of: Result[][]): number[] => of.map((results) => valueOf(results[at]));
    const [here, there] = [figures(found.here), figures(found.there)];
    const ratios = here.map((value, round) => value / (there[round] ?? Number.NaN));
    const cells = [median(ratios), Math.min(...ratios), Math.max(...ratios)]
      .map((ratio) => ratio.toFixed(2))
      .concat([median(here), median(there)].map(formatFigure));
    return `| ${[name, ...cells, unit].join(' | ')} |`;
  });
}

function valueOf(result: Result | undefined): number {
  return result === undefined ? Number.NaN : median(result.rounds);
}
