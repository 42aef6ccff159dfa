import { isIP } from 'node:net';
import { expectPlace } from '../../platform/config/option.ts';
import { errorCodeOf } from '../../platform/log/errors.ts';
import { type Form, refuse } from '../../platform/fields/field.ts';
import { CommandFailure } from '../command/report.ts';

export const portNumber = listening('a port from 0 to 65535', (text) =>
  /^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined,
);

export const hostSays = 'address to listen on; 0.0.0.0 is every address, for containers';
export const hostAddress = listening('an IP address; 0.0.0.0 is every address', (text) =>
  isIP(text) === 0 ? undefined : text,
);

/** A form of a place to listen on, of which a Unix socket is refused with the reason. */
function listening<Value>(
  expected: string,
  parse: (text: string) => Value | undefined,
): Form<Value> {
  return {
    expected,
    read: (given, at) =>
      parse(String(given)) ?? refuse(at, expectPlace(expected, String(given)), given),
  };
}

/** Printed if a program listens on every address, because URLs then have 127.0.0.1. */
export const everyAddress =
  'It listens on every address: from another machine or container, use its address or name instead of 127.0.0.1.';

/** Whether listening failed because another program has the port. */
export function isPortBusy(error: unknown): boolean {
  return errorCodeOf(error) === 'EADDRINUSE';
}

/** The failure of a command whose port is busy; `option` chooses another. */
export function busyPort(port: number, option: string | undefined): CommandFailure {
  return new CommandFailure(`port ${port} is busy; choose another with ${option}`);
}

/** Whether a host stands for every address of the machine. */
export function isEveryAddress(host: string): boolean {
  return ['0.0.0.0', '::'].includes(host);
}
