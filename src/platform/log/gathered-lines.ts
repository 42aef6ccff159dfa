import { constants, fstatSync, openSync } from 'node:fs';
import { type DestinationStream, pino } from 'pino';
import { errorCodeOf } from './errors.ts';

/** The longest time for which a line waits to be written together with later ones, and the time between two attempts. */
const waitMs = 50;
/** Waiting lines of this length in all are written immediately. */
const chunkChars = 16_000;
/** Lines of this length in all are kept while they cannot be written; further ones are dropped. */
const unwrittenCharsMax = 1_000_000;
/** The longest time for which the end of the process waits for a slow reader. */
const lastWaitMs = 1_000;

/** The level `info` of pino. */
export const { info: infoLevel = 30 } = pino.levels.values;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

let droppedLines = 0;

/** The number of log lines that this process has dropped, because they could not be written. */
export function countDroppedLines(): number {
  return droppedLines;
}

/**
 * The destination of a log: gathers lines, and writes several at a time.
 *
 * Writing never waits for the reader of the log. Lines that cannot be written, because the reader has stopped or the disk is
 * full, are kept up to 1 MB and tried again; further ones are dropped. They are written in their order; only the end of the process may cut one.
 */
export class GatheredLines implements DestinationStream {
  /** Makes pino set `lastLevel` to the level of each line before `write`. */
  readonly [pino.symbols.needsMetadataGsym] = true;
  lastLevel = 0;
  /** Called if lines can be written again after some were dropped. */
  onDropped: (count: number) => void = () => {};
  readonly #destination: DestinationStream;
  readonly #format: (line: string) => string;
  #lines = '';
  #lineCount = 0;
  #droppedCount = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The code of the error of the last attempt to write; undefined if it succeeded. */
  #failure: unknown;

  /** `format` makes the text of a line from its JSON. */
  constructor(fd: number, format: (line: string) => string = (line) => line) {
    // Writes are synchronous, because a file takes them immediately, and everything else refuses them (EAGAIN) instead of
    // blocking. An asynchronous write would hold a thread, for which `process.exit` waits.
    const destination = pino.destination({
      dest: openOwn(fd),
      sync: true,
      maxLength: unwrittenCharsMax,
      retryEAGAIN: () => false,
    });
    destination.on('error', (error) => {
      this.#failure = errorCodeOf(error) ?? 'unknown';
    });
    destination.on('drop', () => {
      this.#droppedCount += this.#lineCount;
      droppedLines += this.#lineCount;
    });
    this.#destination = destination;
    this.#format = format;
    process.once('exit', () => this.#writeLast());
  }

  write(line: string): void {
    this.#lines += this.#format(line);
    this.#lineCount += 1;
    if (this.lastLevel > infoLevel || this.#lines.length >= chunkChars) return this.flush();
    this.#wait();
  }

  /** Writes all lines that wait, if they can be written. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const isBehind = this.#failure !== undefined;
    this.#failure = undefined;
    // The destination drops lines without an attempt to write those that it keeps, so there is one before.
    if (isBehind) this.#destination.write('');
    if (this.#lines !== '') this.#destination.write(this.#lines);
    this.#lines = '';
    this.#lineCount = 0;
    if (this.#failure !== undefined) return this.#wait();
    if (this.#droppedCount === 0) return;
    const count = this.#droppedCount;
    this.#droppedCount = 0;
    this.onDropped(count);
  }

  #wait(): void {
    this.#timer ??= setTimeout(() => this.flush(), waitMs).unref();
  }

  #writeLast(): void {
    const deadlineMs = performance.now() + lastWaitMs;
    this.flush();
    while (this.#failure === 'EAGAIN' && performance.now() < deadlineMs) {
      Atomics.wait(sleeper, 0, 0, 10);
      this.flush();
    }
  }
}

/**
 * Opens a pipe again, so that writing to it never blocks, whatever other processes that share it set (Node takes
 * O_NONBLOCK from a pipe when it ends). Sockets and terminals cannot be shared like this, or need not; `cli/program.ts` sets
 * O_NONBLOCK for them. Returns `fd` if it is not a pipe, or may not be opened.
 */
function openOwn(fd: number): number {
  try {
    if (!fstatSync(fd).isFIFO()) return fd;
    return openSync(`/dev/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}
