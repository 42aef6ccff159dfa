import { spawnSync } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';

/** The machine of a measurement: `2 × <model>, 24 GiB, Linux <release>, Node <version>`. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const model = cpu?.model.trim() ?? 'unknown';
  return `${cpus().length} × ${model}, ${memory} GiB, Linux ${release()}, Node ${process.versions.node}`;
}

/** A program's version: the first number with a dot in its output, including stderr. */
export function describeProgram(
  name: string,
  [program = '', ...args]: readonly [string | undefined, ...string[]],
): string {
  const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return `${name} ${/\d+\.\d[\d.]*/.exec(`${stdout} ${stderr}`)?.[0] ?? 'missing'}`;
}
