import { isIP } from 'node:net';
import { expectPlace } from '../platform/config/option.ts';
import { errorCodeOf } from '../platform/log/errors.ts';
import { type IsoDate, parseIsoDate } from '../platform/time/time.ts';
import { CommandFailure, UsageError } from './report.ts';

/** Parses `--limit`, the maximum number of listed entries. */
export function readLimit(text: string): number {
  if (!/^[1-9][0-9]{0,3}$/.test(text)) {
    throw new UsageError(`--limit is ${text}, expected a number from 1 to 9999`);
  }
  return Number(text);
}

/** Parses a port; `name` is the option, for the error. */
export function readPort(name: string, text: string): number {
  const port = Number(text);
  if (!/^[0-9]{1,5}$/.test(text) || port > 65_535) {
    const expected = expectPlace('a port from 0 to 65535', text);
    throw new UsageError(`${name} is ${text}, expected ${expected}`);
  }
  return port;
}

/** Whether listening failed because another program has the port. */
export function isPortBusy(error: unknown): boolean {
  return errorCodeOf(error) === 'EADDRINUSE';
}

/** The failure of a command whose port is busy; `option` chooses another. */
export function busyPort(port: number, option: string | undefined): CommandFailure {
  return new CommandFailure(`port ${port} is busy; choose another with ${option}`);
}

/** Parses the address to listen on; `name` is the option, for the error. */
export function readHost(name: string, text: string): string {
  if (isIP(text) === 0) {
    const expected = expectPlace('an IP address; 0.0.0.0 is every address', text);
    throw new UsageError(`${name} is ${text}, expected ${expected}`);
  }
  return text;
}

/** Whether a host stands for every address of the machine. */
export function isEveryAddress(host: string): boolean {
  return ['0.0.0.0', '::'].includes(host);
}

/** Parses a date; `name` is the option or argument, for the error. */
export function readDate(name: string, text: string): IsoDate {
  const date = parseIsoDate(text);
  if (date === undefined) throw new UsageError(`${name} is ${text}, expected YYYY-MM-DD`);
  return date;
}
