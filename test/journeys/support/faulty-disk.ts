import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCi } from '../../support/programs.ts';

/** The result of the k-th call that writes or flushes; with `on` also of all calls after it. */
export type DiskFault = {
  readonly k: number;
  readonly lasts: 'once' | 'on';
  /** An I/O error; no space left; or `lie`: the call writes nothing and reports success. */
  readonly what: 'eio' | 'enospc' | 'lie';
};

/** The content of the plan's file; without a fault calls are only recorded. */
export function planOf(fault: DiskFault | undefined): string {
  const { k, lasts, what } = fault ?? { k: Number.MAX_SAFE_INTEGER, lasts: 'once', what: 'eio' };
  return `${k} ${lasts} ${what}`;
}

export function printFault({ k, lasts, what }: DiskFault): string {
  return `${what} at call ${k}${lasts === 'on' ? ' and all after it' : ''}`;
}

/** A call of a process to its disk. */
export type DiskCall = {
  readonly call: 'write' | 'truncate' | 'flush';
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
};

const compiler = 'gcc';
const source = fileURLToPath(new URL('./faulty-disk.c', import.meta.url));

/** True if a faulty disk can be built; in CI a missing compiler is a failure. */
export const hasFaultyDisk = process.platform === 'linux' && (isCi || hasCompiler());

/** A disk whose calls can be made to fail, for processes that are started with its `env`. */
export class FaultyDisk {
  /** The folder of this disk. */
  readonly folder: string;
  readonly #besides: string;

  static make(): FaultyDisk {
    const besides = mkdtempSync(join(tmpdir(), 'vatfx-disk-'));
    const args = ['-shared', '-fPIC', '-O1', '-o', join(besides, 'disk.so'), source, '-ldl'];
    execFileSync(compiler, args);
    return new FaultyDisk(besides);
  }

  private constructor(besides: string) {
    this.#besides = besides;
    this.folder = mkdtempSync(join(tmpdir(), 'vatfx-on-disk-'));
  }

  get env(): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: join(this.#besides, 'disk.so'),
      DISK_FOLDER: this.folder,
      DISK_PLAN: this.planFile,
      DISK_TRACE: this.trace,
    };
  }

  /** The file in which calls are recorded. */
  get trace(): string {
    return join(this.#besides, 'trace');
  }

  /** Starts to count calls and to make them fail as planned. */
  arm(fault: DiskFault | undefined): void {
    this.forget();
    writeFileSync(this.planFile, planOf(fault));
  }

  /** Deletes the recorded calls. */
  forget(): void {
    rmSync(this.trace, { force: true });
  }

  /** The calls since the disk was armed, in order; only those in the first bytes of the trace if a length is given. */
  calls(traceBytes?: number): DiskCall[] {
    if (!existsSync(this.trace)) return [];
    const text = readFileSync(this.trace).subarray(0, traceBytes).toString();
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map((line) => {
      const [call = '', file = '', offset, bytes] = line.split(' ');
      return { call: call as DiskCall['call'], file, offset: Number(offset), bytes: Number(bytes) };
    });
  }

  remove(): void {
    for (const folder of [this.#besides, this.folder]) {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** While this file exists, calls are counted, and fail as it says. */
  get planFile(): string {
    return join(this.#besides, 'plan');
  }
}

function hasCompiler(): boolean {
  try {
    execFileSync(compiler, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
