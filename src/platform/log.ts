import { type DestinationStream, type Logger, pino } from 'pino';
import { build as createPretty } from 'pino-pretty';

export type Log = Logger;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Standard output or standard error. */
type OutputStream = { readonly fd: number; readonly isTTY?: boolean };

/**
 * The log: JSON lines, or readable text where a person is looking.
 *
 * Messages are constant sentences, what varies are fields. Never a key, a secret, a VAT number, a name
 * or an address.
 */
export function createLog(level: LogLevel, stream: OutputStream): Log {
  const destination: DestinationStream =
    stream.isTTY === true
      ? createPretty({
          destination: stream.fd,
          sync: true,
          ignore: 'pid,hostname',
          singleLine: true,
        })
      : pino.destination({ dest: stream.fd, sync: true });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
