import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../test/support/server-process.ts';

/** One line of the results: what was measured, the figure of each round, and the goal. */
export type Result = {
  readonly name: string;
  readonly rounds: readonly number[];
  readonly unit: string;
  readonly goal: string;
};

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** A temporary folder that is removed when the scope ends. */
export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'vatfx-bench-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export type Child = { readonly process: ChildProcess } & AsyncDisposable;

/** Starts a script in another process and waits until its output has a line like `line`; returns the match. */
export async function startProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  line: RegExp,
  program = process.execPath,
): Promise<Child & { readonly match: RegExpExecArray }> {
  const child = spawn(program, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const text of createInterface({ input: child.stdout })) {
    const match = line.exec(text);
    if (match === null) continue;
    // Unread output would block the child process.
    child.stdout.resume();
    return { ...asChild(child), match };
  }
  throw new Error(`${args.join(' ')} ended without a line like ${String(line)}`);
}

/** Starts `serve` on one core, with its log in a file, and waits until it is alive. */
export async function startServe(
  environment: Readonly<Record<string, string>>,
  options: {
    readonly core: string;
    readonly logFile: string;
    /** The script to run instead of the command `serve`. */
    readonly program?: readonly string[];
  },
): Promise<Child & { readonly apiUrl: string }> {
  const [port, opsPort] = [await findFreePort(), await findFreePort()];
  const log = openSync(options.logFile, 'a');
  const { program = ['bin/vatfx.js', 'serve'] } = options;
  const child = spawn('taskset', ['-c', options.core, process.execPath, ...program], {
    env: { ...process.env, ...environment, PORT: `${port}`, OPS_PORT: `${opsPort}` },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const deadlineMs = performance.now() + 30_000;
  while (!(await isAlive(`http://127.0.0.1:${opsPort}/live`))) {
    if (child.exitCode !== null)
      throw new Error(`serve ended: ${readFileSync(options.logFile, 'utf8')}`);
    if (performance.now() > deadlineMs) throw new Error('serve did not start');
    await sleep(50);
  }
  return { ...asChild(child), apiUrl: `http://127.0.0.1:${port}` };
}

/** Runs a command of vatfx to its end and returns its `--json` document. */
export function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): unknown {
  const output = execFileSync(process.execPath, ['bin/vatfx.js', ...args, '--json'], {
    env: { ...process.env, ...environment },
  });
  return JSON.parse(output.toString());
}

/** The memory of a process (RSS). */
export function readMemoryMb({ process: { pid } }: Child): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}

function asChild(child: ChildProcess): Child {
  return {
    process: child,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function isAlive(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}
