import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCi } from '../../support/programs.ts';

/** What the k-th call that writes or flushes comes to; also all after it, unless it is the only one. */
export type DiskFault = {
  readonly k: number;
  readonly lasts: 'once' | 'on';
  /** An I/O error; no space left; or `lie`: nothing is written, and all is said to be well. */
  readonly what: 'eio' | 'enospc' | 'lie';
};

/** What the plan's file says; without a fault calls are only noted. */
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

/** Where one can be made; where everything is checked a missing compiler is a failure. */
export const hasFaultyDisk = process.platform === 'linux' && (isCi || hasCompiler());

/** A disk that can be told to fail, for processes that are started with its `env`. */
export class FaultyDisk {
  /** What is in here is on this disk. */
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

  /** Where the calls are noted. */
  get trace(): string {
    return join(this.#besides, 'trace');
  }

  /** From now on calls are counted, and fail as planned. */
  arm(fault: DiskFault | undefined): void {
    this.forget();
    writeFileSync(this.planFile, planOf(fault));
  }

  /** Forgets the calls so far. */
  forget(): void {
    rmSync(this.trace, { force: true });
  }

  /** The calls since it was armed, in their order; those in the first bytes of the trace, if that is said. */
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

  /** As long as it is there, calls are counted, and fail as it says. */
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
