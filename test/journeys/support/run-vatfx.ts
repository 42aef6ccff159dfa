import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { ownProgram } from '../../support/own-program.ts';

/** A cache of compiled modules for all children, which halves the time of their starts. */
const compileCache = join(tmpdir(), 'vatfx-test-compile-cache');
/** Maximum life of a child, so that none survives a test that hangs; every child is also killed when its test ends. */
const lifeMs = 600_000;

/** The settings of a process; it gets no other variables of this one. */
export type Environment = Readonly<Record<string, string>>;

export type Finished = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** The program that a process runs, if it is not `ownProgram`, and the number of files that it may open. */
export type ProcessOptions = { readonly program?: string; readonly filesMax?: number | undefined };

/** Runs the program to its end, like an operator in an empty folder. */
export async function runVatfx(
  args: readonly string[],
  env: Environment = {},
  options: ProcessOptions = {},
): Promise<Finished> {
  return startVatfx(args, env, options).ended();
}

/** The same with `--json`, and the document read; throws unless the exit code is 0. */
export async function runVatfxForJson<T>(
  args: readonly string[],
  env: Environment = {},
  options: ProcessOptions = {},
): Promise<T> {
  const { code, stdout, stderr } = await runVatfx([...args, '--json'], env, options);
  if (code !== 0) throw new Error(`vatfx ${args.join(' ')}: exit code ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

/** Starts the program in an empty folder of its own; it is killed when the test ends. */
export function startVatfx(
  args: readonly string[],
  env: Environment = {},
  { program = ownProgram(env), filesMax }: ProcessOptions = {},
): RunningVatfx {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const command = [process.execPath, program, ...args];
  const limited = ['/bin/sh', '-c', `ulimit -n ${filesMax} && exec "$@"`, 'sh', ...command];
  const [file = '', ...rest] = filesMax === undefined ? command : limited;
  const child = spawn(file, rest, {
    cwd: folder,
    env: { PATH: process.env['PATH'], TMPDIR: folder, NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new RunningVatfx(child, folder);
}

/** A child process and its output. */
export class RunningVatfx {
  readonly folder: string;
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #isOver = false;

  constructor(child: ChildProcess, folder: string) {
    this.folder = folder;
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.#ended = new Promise((resolve) => child.once('close', (code) => resolve(code)));
    const timer = setTimeout(() => child.kill('SIGKILL'), lifeMs);
    child.once('close', () => {
      this.#isOver = true;
      clearTimeout(timer);
    });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await this.#ended;
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Waits until the output matches, and returns the match. */
  async waitForOutput(pattern: RegExp, withinMs = 45_000): Promise<RegExpExecArray> {
    const find = (): RegExpExecArray | null => pattern.exec(`${this.stdout}\n${this.stderr}`);
    await eventually(() => find() !== null || this.#isOver, withinMs);
    const match = find();
    if (match === null) throw new Error(`ended without ${String(pattern)}: ${this.stderr}`);
    return match;
  }

  /** Waits for the end. The exit code is null if a signal ended the process. */
  async ended(): Promise<Finished> {
    const code = await this.#ended;
    return { code, stdout: this.stdout, stderr: this.stderr };
  }
}
