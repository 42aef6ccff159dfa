import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** One line of the results: what was measured, over how many rounds, against which goal. */
export type Result = {
  readonly name: string;
  readonly rounds: readonly number[];
  readonly unit: string;
  readonly goal: string;
};

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The line that every result file begins with: figures of another machine mean nothing here. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpu?.model.trim()}, ${memory} GiB, Linux ${release()}, Node ${process.versions.node}`;
}

/** A temporary folder that is removed when the scope ends. */
export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'vatfx-bench-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export type Child = {
  readonly process: ChildProcess;
  /** The first standard-output line that matches, and what its groups matched. */
  readonly match: RegExpExecArray;
} & AsyncDisposable;

/** Starts the program in a process of its own and waits for a line of its output. */
export async function startProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  line: RegExp,
): Promise<Child> {
  const child = spawn(process.execPath, ['bin/vatfx.js', ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const text of createInterface({ input: child.stdout })) {
    const match = line.exec(text);
    if (match === null) continue;
    // Unread output would end up blocking the child.
    child.stdout.resume();
    return {
      process: child,
      match,
      [Symbol.asyncDispose]: async () => {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error(`vatfx ${args.join(' ')} ended without a line like ${String(line)}`);
}
