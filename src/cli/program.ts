import { runCli } from './run-cli.ts';
import { describeError, errorCodeOf } from '../platform/log/errors.ts';

const { stderr, stdout } = process;

// Node writes to a terminal synchronously: one that is stopped (Ctrl-S) would stop the process. It sets O_NONBLOCK for
// pipes and sockets only; the log relies on it for all (docs/decisions/log.md). Files have no such handle.
type NonBlocking = { readonly _handle?: { setBlocking?(isBlocking: boolean): unknown } | null };
for (const stream of [stdout, stderr]) (stream as NonBlocking)._handle?.setBlocking?.(false);

// Node would print every property of an error, and some libraries put their input into these: an address with
// its password, for example (contract C33). The stack begins with the message.
process.on('uncaughtException', (error) => {
  stderr.write(`error: ${describeError(error).stack ?? 'unknown'}\n`);
  process.exit(1);
});

stdout.on('error', (error) => {
  // A reader may close the pipe early, as `head` does. The command still does its work.
  if (errorCodeOf(error) === 'EPIPE') return;
  stderr.write(`error: the output cannot be written: ${error.message}\n`);
  process.exit(1);
});
// There is no other place to report to.
stderr.on('error', () => {});

process.exitCode = await runCli(process.argv.slice(2), process);
