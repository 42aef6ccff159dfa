import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from './errors.ts';
import { GatheredLines, infoLevel } from './gathered-lines.ts';
import { formatInstant, systemClock } from '../time/time.ts';

export type Log = Logger;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The destination of a log: standard output, standard error, or any stream. */
type LogStream = { readonly fd: number } | DestinationStream;

/** A line of JSON as readable text. */
type ReadableFormat = (line: string) => string;

/** Creates the log on a stream of the process: JSON lines, or readable text on a terminal. */
export async function openLog(
  level: LogLevel,
  stream: LogStream & { readonly isTTY?: boolean },
): Promise<Log> {
  return createLog(level, stream, stream.isTTY === true ? await loadReadableFormat() : undefined);
}

/**
 * Creates the log: JSON lines, unless `format` is given.
 *
 * Messages are constant sentences, and values are fields. `level` is the name, e.g. `info`. No line has a key, a secret, a VAT number, a name or an
 * address. Lines are written several at a time, because writing one takes longer than answering a request. A warning
 * or an error is written immediately, with the lines before it. A log never waits for its reader; `cli/program.ts` has the
 * part for the streams of the process. A stream without a file descriptor gets each line immediately.
 */
export function createLog(level: LogLevel, stream: LogStream, format?: ReadableFormat): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  if (!('fd' in stream)) return pino(options, stream);
  const lines = new GatheredLines(stream.fd, format);
  const log = pino(options, lines);
  lines.onDropped = (count) => {
    log.warn({ lines: count }, 'log lines were dropped, because they could not be written');
  };
  return log;
}

/** The printer is loaded only for a terminal, because that takes time at the start. */
async function loadReadableFormat(): Promise<ReadableFormat> {
  const { prettyFactory } = await import('pino-pretty');
  return prettyFactory({ ignore: 'pid,hostname', singleLine: true });
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
