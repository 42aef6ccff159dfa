import { spawnSync } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';

/** `2 × <model>, 24 GiB, Linux <release>, Node <version>`: where something was measured. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const model = cpu?.model.trim() ?? 'unknown';
  return `${cpus().length} × ${model}, ${memory} GiB, Linux ${release()}, Node ${process.versions.node}`;
}

/** A program's version: the first number with a dot that it prints, wherever it prints it. */
export function describeProgram(
  name: string,
  [program = '', ...args]: readonly [string | undefined, ...string[]],
): string {
  const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return `${name} ${/\d+\.\d[\d.]*/.exec(`${stdout} ${stderr}`)?.[0] ?? 'missing'}`;
}
