import { hostname, userInfo } from 'node:os';
import type { Operator } from '../../platform/database/audit.ts';
import type { Io } from './io.ts';
import { UsageError } from './report.ts';

const reasonMax = 500;

/**
 * The operator who runs this command, with the reason, for the audit.
 *
 * With `sudo -u vatfx` the user of the process is the same for all operators, so the user who called sudo is added.
 */
export function operatorOf({ env }: Pick<Io, 'env'>, reason: string | undefined): Operator {
  const caller = /^[\w.@-]{1,64}$/.exec(env['SUDO_USER'] ?? '')?.[0];
  const sudo = caller === undefined ? '' : ` (sudo by ${caller})`;
  return {
    actor: `${userName()}@${hostname()}${sudo}`,
    reason: reason === undefined ? null : readReason(reason),
  };
}

/** A container may run as a user id without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

function readReason(text: string): string {
  const reason = text.trim();
  if (reason === '' || reason.length > reasonMax || /\p{Cc}/u.test(reason)) {
    throw new UsageError(
      `--reason is empty, longer than ${reasonMax} characters or has a line break, expected a sentence`,
    );
  }
  return reason;
}
