import { createRequire } from 'node:module';
import type { build } from 'pino-pretty';
import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from './describe-error.ts';
import { formatInstant, systemClock } from './time.ts';

export type Log = Logger;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Standard output, standard error, or any stream. */
type LogStream = { readonly fd: number; readonly isTTY?: boolean } | NodeJS.WritableStream;

/** How long a line may wait for others before it is written. */
const waitMs = 50;
/** So much is written without waiting for more. */
const chunkChars = 16_000;

/**
 * The log: JSON lines, or readable text where a person is looking.
 *
 * Messages are constant sentences, what varies are fields. Never a key, a secret, a VAT number, a name
 * or an address. Lines are written together, because writing each one by itself takes longer than answering
 * a request; a warning, and what is worse, is written at once with all before it. A stream
 * without a file descriptor gets each line at once.
 */
export function createLog(level: LogLevel, stream: LogStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  if (!('fd' in stream)) return pino(options, stream);
  const destination =
    stream.isTTY === true ? createPretty(stream.fd) : new GatheredLines(stream.fd);
  return pino(options, destination);
}

/** Loaded only where somebody is looking. */
function createPretty(fd: number): DestinationStream {
  const require = createRequire(import.meta.url);
  const pretty = require('pino-pretty') as { readonly build: typeof build };
  return pretty.build({ destination: fd, sync: true, ignore: 'pid,hostname', singleLine: true });
}

const { info: infoLevel = 30 } = pino.levels.values;

/** Lines that are written together. */
class GatheredLines implements DestinationStream {
  /** Asks for `lastLevel`, the level of the line that is being written. */
  readonly [pino.symbols.needsMetadataGsym] = true;
  lastLevel = 0;
  readonly #destination: DestinationStream;
  #lines = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(fd: number) {
    this.#destination = pino.destination({ dest: fd, sync: true });
    process.once('exit', () => this.flush());
  }

  write(line: string): void {
    this.#lines += line;
    if (this.lastLevel > infoLevel || this.#lines.length >= chunkChars) return this.flush();
    this.#timer ??= setTimeout(() => this.flush(), waitMs).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines !== '') this.#destination.write(this.#lines);
    this.#lines = '';
  }
}

/**
 * Writes a line at the level `info` that is printed already, for what is logged with every request: `fields` is
 * JSON without its braces. Nothing where that level is not logged.
 */
export type LineWriter = (fields: string, message: string) => void;

/** The way past the log's own printing, which takes longer than answering; the lines look the same. */
export function createLineWriter(log: Log): LineWriter | undefined {
  if (!log.isLevelEnabled('info')) return undefined;
  const stream = (log as unknown as Record<symbol, DestinationStream & { lastLevel?: number }>)[
    pino.symbols.streamSym
  ];
  if (stream === undefined) throw new Error('the log has no stream');
  let atMs = Number.NaN;
  let time = '';
  return (fields, message) => {
    const nowMs = systemClock.now();
    if (nowMs !== atMs) {
      atMs = nowMs;
      time = formatInstant(nowMs);
    }
    stream.lastLevel = infoLevel;
    stream.write(`{"level":${infoLevel},"time":"${time}",${fields},"msg":"${message}"}\n`);
  };
}
