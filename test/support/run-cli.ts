import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { runCli } from '../../src/cli/run-cli.ts';
import { eventually } from './eventually.ts';
import { temporaryFolder } from './temporary-database.ts';

/** The settings of a command; no others reach it. */
export type Environment = Readonly<Record<string, string>>;

/** The chunks of standard input. */
export type Input = readonly Buffer[] | Readable;

/** The end of a command. */
export type Finished = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
};

/** Calls a command in this process, in an empty folder of the running test, and waits for its end. */
export async function runCommand(
  args: readonly string[],
  env: Environment = {},
  input: Input = [],
): Promise<Finished> {
  return startCommand(args, env, input).ended();
}

/** Calls a command with `--json` and returns the document; throws unless the exit code is 0. */
export async function runForJson<T>(args: readonly string[], env: Environment = {}): Promise<T> {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], env);
  if (code !== 0) throw new Error(`vatfx ${args.join(' ')}: exit code ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

/** Calls a command that may run for long; it gets SIGTERM if it still runs when the test ends. */
export function startCommand(
  args: readonly string[],
  env: Environment = {},
  input: Input = [],
): RunningCommand {
  return new RunningCommand(args, env, input);
}

/** A command that runs in this process, with its output so far. */
export class RunningCommand {
  /** The working directory. */
  readonly folder: string;
  readonly #stdout = new Collected();
  readonly #stderr = new Collected();
  readonly #signals = new EventEmitter();
  readonly #ended: Promise<number>;
  #isOver = false;

  constructor(args: readonly string[], env: Environment, input: Input) {
    this.folder = enterFolder();
    const run = runCli(args, {
      stdin: input instanceof Readable ? input : Readable.from(input, { objectMode: false }),
      stdout: this.#stdout,
      stderr: this.#stderr,
      env,
      on: (event, listener) => this.#signals.on(event, listener),
      off: (event, listener) => this.#signals.off(event, listener),
      exit: (code) => {
        throw new Error(`the command tried to end this process with exit code ${code}`);
      },
    });
    this.#ended = run.finally(() => {
      this.#isOver = true;
    });
    onTestFinished(async () => {
      if (!this.#isOver) this.signal('SIGTERM');
      await this.#ended;
    });
  }

  get stdout(): string {
    return this.#stdout.bytes.toString();
  }

  get stdoutBytes(): Buffer {
    return this.#stdout.bytes;
  }

  get stderr(): string {
    return this.#stderr.bytes.toString();
  }

  signal(name: NodeJS.Signals): void {
    this.#signals.emit(name, name);
  }

  /** Waits until the output matches, and returns the match. */
  async waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    const find = (): RegExpExecArray | null => pattern.exec(`${this.stdout}\n${this.stderr}`);
    await eventually(() => find() !== null || this.#isOver);
    const match = find();
    if (match === null) throw new Error(`ended without ${String(pattern)}: ${this.stderr}`);
    return match;
  }

  async ended(): Promise<Finished> {
    return { code: await this.#ended, stdout: this.stdout, stderr: this.stderr };
  }
}

/** A stream that keeps all bytes written to it. */
class Collected extends Writable {
  readonly #chunks: Buffer[] = [];

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }
}

let folder: string | undefined;

/** Makes an empty folder the working directory until the running test ends. */
function enterFolder(): string {
  if (folder !== undefined) return folder;
  const home = process.cwd();
  folder = temporaryFolder();
  process.chdir(folder);
  onTestFinished(() => {
    process.chdir(home);
    folder = undefined;
  });
  return folder;
}
