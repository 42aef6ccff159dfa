import { execFileSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { buildExecutable } from '../scripts/executable.ts';
import { bundleForTests } from '../scripts/service-bundle.ts';
import type { Engine } from './engines.ts';
import { goals } from './goals.ts';
import type { Result } from './measure.ts';

/** A form of the program: a file to execute, and its first arguments. */
export type Form = {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
};

/** Makes the forms of the program: sources and bundle in this checkout, and the executable in a folder. */
export async function makeForms(
  folder: string,
): Promise<{ readonly sources: Form; readonly bundle: Form; readonly executable: Form }> {
  const node = process.execPath;
  execFileSync('npm', ['run', '-s', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  return {
    sources: { name: 'sources', program: node, args: ['bin/vatfx.js'] },
    bundle: { name: 'bundle', program: node, args: [await bundleForTests()] },
    executable: {
      name: 'executable',
      program: join(folder, await buildExecutable(folder)),
      args: [],
    },
  };
}

/**
 * Measures a start, the idle memory after it, and the command `keys list` on a database without keys, in each form by turns.
 * The goals are ratios to the sources, because times in ms vary with the load of the machine.
 *
 * The memory of the executable contains pages of its file that the kernel can drop, so it has no goal.
 */
export async function measureForms(
  rounds: number,
  { sources, bundle, executable }: Awaited<ReturnType<typeof makeForms>>,
  {
    start,
    empty,
  }: {
    readonly start: (
      form: Form,
    ) => Promise<{ readonly listeningMs: number; readonly idleMb: number }>;
    readonly empty: Engine;
  },
): Promise<readonly Result[]> {
  const measured = [sources, bundle, executable].map((form) => ({
    form,
    figures: { start: [] as number[], idle: [] as number[], command: [] as number[] },
  }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { form, figures } of measured) {
      const { listeningMs, idleMb } = await start(form);
      figures.start.push(listeningMs);
      figures.idle.push(idleMb);
      figures.command.push(timeCommand(form, empty));
    }
  }
  const [base] = measured;
  return measured.flatMap(({ form: { name }, figures }) => {
    const compare = (what: keyof typeof figures): readonly number[] =>
      figures[what].map((figure, at) => figure / (base?.figures[what][at] ?? Number.NaN));
    const goalOf = (what: keyof typeof goals.P12): string =>
      name === bundle.name ? goals.P12[what] : '—';
    const command = { name: `P12 ${name}, keys list`, rounds: figures.command, unit: 'ms' };
    if (name === sources.name) return [{ ...command, goal: '—' }];
    const unit = '× sources';
    return [
      { ...command, goal: goalOf('command') },
      { ...command, rounds: compare('command'), unit, goal: goalOf('commandOfSources') },
      {
        name: `P12 ${name}, start to listening`,
        rounds: compare('start'),
        unit,
        goal: goalOf('startOfSources'),
      },
      {
        name: `P12 ${name}, idle memory`,
        rounds: compare('idle'),
        unit,
        goal: goalOf('memoryOfSources'),
      },
    ];
  });
}

/** Milliseconds from the start of the process to its end. */
function timeCommand({ program, args }: Form, { settings }: Engine): number {
  const startedMs = performance.now();
  execFileSync(program, [...args, 'keys', 'list'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return performance.now() - startedMs;
}

/** The size of the one package that npm installs; the build has been made. */
export function measurePackage(): Result {
  const patterns = manifest.files.flatMap((file) => [file, `${file}/**`]);
  const files = [...new Set(globSync(patterns))]
    // `scripts/pack.ts` leaves it out.
    .filter((path) => basename(path) !== 'built-from.json')
    .map((path) => statSync(path))
    .filter((stats) => stats.isFile());
  return {
    name: 'P12 package, installed',
    rounds: [files.reduce((sum, { size }) => sum + size, 0) / 1e6],
    unit: 'MB',
    goal: goals.P12.installed,
  };
}
