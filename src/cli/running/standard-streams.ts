import { createReadStream } from 'node:fs';
import { errorCodeOf } from '../../platform/log/errors.ts';
import { vatfx } from '../../platform/vatfx.ts';
import type { Io } from '../command/io.ts';
import { CommandFailure, sentenceOf, UsageError } from '../command/report.ts';

/** The name that stands for standard input or standard output in place of a file (rule O16). A file of this name is `./-`. */
export const standardStream = '-';

/** How a sentence names a file that is read. */
export function nameOfInput(file: string): string {
  return file === standardStream ? 'standard input' : file;
}

/** Reads a file or standard input as a whole. `tooLarge` says what a larger one than `bytesMax` may be. */
export async function readInput(
  io: Pick<Io, 'stdin'>,
  file: string,
  { bytesMax, tooLarge }: { readonly bytesMax: number; readonly tooLarge: string },
): Promise<Buffer> {
  const name = nameOfInput(file);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // A device and a FIFO have no size that could be looked at before.
    for await (const chunk of file === standardStream ? io.stdin : createReadStream(file)) {
      chunks.push(Buffer.from(chunk));
      length += chunk.length;
      if (length > bytesMax) break;
    }
  } catch (cause) {
    throw new CommandFailure(`${name} cannot be read: ${sentenceOf(cause)}`);
  }
  if (length > bytesMax) throw new CommandFailure(`${name} is larger than ${tooLarge}`);
  // What was to write it has failed.
  if (length === 0 && file === standardStream) throw new CommandFailure(`${name} is empty`);
  return Buffer.concat(chunks);
}

/** Refuses two arguments that are both to be read from standard input. */
export function refuseTwoInputs(one: string | undefined, other: string | undefined): void {
  if (one === standardStream && other === standardStream) {
    throw new UsageError('only one file can be standard input; save the other one');
  }
}

/**
 * Refuses a standard output that would get more than the bytes of a command: the document of `--json`, or the lines that npm
 * prints without `-s`.
 */
export function requireBareOutput(io: Io, isJson: boolean): void {
  if (isJson) {
    throw new UsageError('--json and - both write to standard output; leave one of them out');
  }
  const { npm_lifecycle_event: script, npm_config_loglevel: level } = io.env;
  const isOfNpm = script === 'vatfx' && io.env['npm_config_user_agent']?.startsWith('npm/');
  if (isOfNpm === true && level !== 'silent') {
    throw new UsageError(
      `npm writes lines of its own to standard output; call it as ${vatfx('…')}`,
    );
  }
}

/** Refuses to read bytes that nobody types from a terminal. */
export function refuseTerminalInput({ stdin }: Pick<Io, 'stdin'>, instead: string): void {
  if (stdin.isTTY === true) {
    throw new UsageError(`standard input is a terminal; read a file or a pipe: ${instead}`);
  }
}

/** Refuses to print bytes that are no text on a terminal. */
export function refuseTerminal({ stdout }: Pick<Io, 'stdout'>, instead: string): void {
  if (stdout.isTTY === true) {
    throw new UsageError(`standard output is a terminal; write to a file or a pipe: ${instead}`);
  }
}

/**
 * Writes bytes to standard output, as fast as they are read, and waits until they are written. Fails if the reader has closed it
 * before, or if `signal` is aborted.
 */
export async function writeOutput(
  { stdout }: Pick<Io, 'stdout'>,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  for await (const chunk of chunks) {
    await new Promise<void>((resolve, reject) => {
      const interrupt = (): void => reject(new CommandFailure(`interrupted; ${notWhole}`));
      if (signal?.aborted === true) return interrupt();
      signal?.addEventListener('abort', interrupt, { once: true });
      stdout.write(chunk, (error) => {
        signal?.removeEventListener('abort', interrupt);
        if (error) reject(explainUnwritten(error));
        else resolve();
      });
    });
  }
}

const notWhole = 'standard output has got only a part';

/** A reader such as `head` closes the pipe when it has enough; what it has is not the whole. */
function explainUnwritten(error: Error): CommandFailure {
  const closed: readonly unknown[] = ['EPIPE', 'ERR_STREAM_DESTROYED', 'EOF'];
  const reason = closed.includes(errorCodeOf(error)) ? 'its reader has closed it' : error.message;
  return new CommandFailure(`${notWhole}: ${reason}`);
}
