import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-database.ts';

/** A named pipe that is full, and is not read until the test reads it. */
export class UnreadPipe {
  /** For writing, in blocking mode. */
  readonly fd: number;
  readonly #reader: number;

  constructor() {
    const path = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [path]);
    const { O_RDWR, O_NONBLOCK, O_WRONLY } = constants;
    this.#reader = openSync(path, O_RDWR | O_NONBLOCK);
    this.fd = openSync(path, O_WRONLY);
    onTestFinished(() => {
      closeSync(this.fd);
      closeSync(this.#reader);
    });
    // In blocks and then byte by byte, because a pipe takes 4096 bytes completely or not at all.
    for (const size of [4096, 1]) {
      while (attempt(() => writeSync(this.#reader, ' '.repeat(size - 1) + '\n')) !== undefined);
    }
  }

  /** Reads everything that is in the pipe now. */
  read(): string {
    const bytes = Buffer.alloc(65_536);
    let text = '';
    for (;;) {
      const length = attempt(() => readSync(this.#reader, bytes));
      if (length === undefined) return text;
      text += bytes.toString('utf8', 0, length);
    }
  }
}

/** Undefined if the pipe is full, or empty for a reader. */
function attempt(work: () => number): number | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
