import { createRequire } from 'node:module';
import type { build } from 'pino-pretty';
import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from './errors.ts';
import { formatInstant, systemClock } from '../time/time.ts';

export type Log = Logger;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The destination of a log: standard output, standard error, or any stream. */
type LogStream = { readonly fd: number; readonly isTTY?: boolean } | DestinationStream;

/** The longest time for which a line waits to be written together with later ones. */
const waitMs = 50;
/** Waiting lines of this length in all are written immediately. */
const chunkChars = 16_000;
/** Lines of this length in all are kept while they cannot be written; further ones are lost. */
const unwrittenCharsMax = 1_000_000;

/**
 * Creates the log: JSON lines, or readable text on a terminal.
 *
 * Messages are constant sentences, and values are fields. `level` is the name, e.g. `info`. No line has a key, a secret, a VAT number, a name or an
 * address. Lines are written several at a time, because writing one takes longer than answering a request. A warning
 * or an error is written immediately, with the lines before it. A stream without a file descriptor gets each line
 * immediately.
 */
export function createLog(level: LogLevel, stream: LogStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  if (!('fd' in stream)) return pino(options, stream);
  const destination =
    stream.isTTY === true ? createPretty(stream.fd) : new GatheredLines(stream.fd);
  return pino(options, destination);
}

/** Readable lines. The printer is loaded only for a terminal, because that takes time at the start. */
function createPretty(fd: number): DestinationStream {
  const require = createRequire(import.meta.url);
  const pretty = require('pino-pretty') as { readonly build: typeof build };
  return pretty.build({ destination: fd, sync: true, ignore: 'pid,hostname', singleLine: true });
}

const { info: infoLevel = 30 } = pino.levels.values;

/** Gathers lines and writes several at a time. */
class GatheredLines implements DestinationStream {
  /** Makes pino set `lastLevel` to the level of each line before `write`. */
  readonly [pino.symbols.needsMetadataGsym] = true;
  lastLevel = 0;
  readonly #destination: DestinationStream;
  #lines = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(fd: number) {
    const destination = pino.destination({ dest: fd, sync: true, maxLength: unwrittenCharsMax });
    // A full disk must not end the server. The next line tries to write those that were kept.
    destination.on('error', () => {});
    this.#destination = destination;
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
 * Writes a line at the level `info` whose fields are JSON already. `fields` is that JSON without its braces.
 */
export type LineWriter = (fields: string, message: string) => void;

/**
 * Creates a writer for the line of each request; undefined if the level `info` is not logged. The lines are those that
 * the log would print. Its own printing is bypassed because it takes longer than answering a request.
 */
export function createLineWriter(log: Log): LineWriter | undefined {
  if (!log.isLevelEnabled('info')) return undefined;
  const stream = (log as unknown as Record<symbol, DestinationStream & { lastLevel?: number }>)[
    pino.symbols.streamSym
  ];
  if (stream === undefined) throw new Error('the log has no stream');
  let atSecond = Number.NaN;
  let second = '';
  return (fields, message) => {
    const nowMs = systemClock.now();
    const ofSecond = nowMs % 1_000;
    if (nowMs - ofSecond !== atSecond) {
      atSecond = nowMs - ofSecond;
      second = formatInstant(nowMs).slice(0, -'000Z'.length);
    }
    const time = `${second}${String(ofSecond).padStart(3, '0')}Z`;
    stream.lastLevel = infoLevel;
    stream.write(`{"level":"info","time":"${time}",${fields},"msg":"${message}"}\n`);
  };
}

/** Logs the first of several failures in a row, so that an outage is one line and not one for each attempt. */
export class FailureLog {
  readonly #log: Log;
  readonly #message: string;
  #isFailing = false;

  constructor(log: Log, message: string) {
    this.#log = log;
    this.#message = message;
  }

  failed(error: unknown, fields: object = {}): void {
    if (!this.#isFailing) this.#log.error({ err: error, ...fields }, this.#message);
    this.#isFailing = true;
  }

  succeeded(): void {
    this.#isFailing = false;
  }
}
