import type { Socket } from 'node:net';
import { type buildConnector, errors } from 'undici';

/** Bytes of the interim answers before an answer; undici reads as many of its head. */
const interimBytesMax = 16_384;
/** The beginning of an interim answer: version, status, and a blank or the end of the line. */
const interimStart = 'HTTP/1.1 100 ';

/**
 * Wraps a connector of undici, so that its connections skip interim answers (RFC 9110 section 15.2; contract C28a).
 *
 * Undici skips 102 and 103 by itself, but ends the connection at a `100 Continue` that it has not asked for, and takes
 * any interim answer to CONNECT for the answer. 101 is left to undici: the connection speaks another protocol after it.
 * The connections must carry one request at a time, as they do by default, whose body is not a stream.
 */
export function skipInterimAnswers(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, withoutInterimAnswers(socket));
      else callback(error, null);
    });
  };
}

function withoutInterimAnswers(socket: Socket): Socket {
  const push = socket.push.bind(socket);
  const write = socket.write.bind(socket);
  /** What has arrived of an answer while it may be an interim one; undefined behind the beginning of the answer. */
  let held: Buffer | undefined;
  let skippedBytes = 0;
  return Object.assign(socket, {
    /** A request is written before its answer begins. */
    write: (...parameters: Parameters<Socket['write']>): boolean => {
      held ??= Buffer.of();
      skippedBytes = 0;
      return write(...parameters);
    },

    /** Node calls it with the bytes as they arrive, and with null at the end of the connection. */
    push: (chunk: Buffer | null): boolean => {
      if (held === undefined) return push(chunk);
      if (chunk === null) {
        if (held.length > 0) push(held);
        return push(null);
      }
      const arrived = Buffer.concat([held, chunk]);
      const skipped = lengthOfInterim(arrived);
      held = arrived.subarray(skipped);
      skippedBytes += skipped;
      const isWaiting = isInterim(held);
      if (skippedBytes + (isWaiting ? held.length : 0) > interimBytesMax) {
        socket.destroy(new errors.HeadersOverflowError());
        return false;
      }
      if (isWaiting) return true;
      const answer = held;
      held = undefined;
      return push(answer);
    },
  });
}

/** The length of the whole interim answers at the beginning of these bytes. */
function lengthOfInterim(bytes: Buffer): number {
  let length = 0;
  for (;;) {
    const rest = bytes.subarray(length);
    // A line may end without CR (RFC 9112 section 2.2).
    const end = isInterim(rest) ? /\n\r?\n/.exec(rest.toString('latin1')) : null;
    if (end === null) return length;
    length += end.index + end[0].length;
  }
}

/** Whether these bytes begin an interim answer, or may do so once more of them have arrived. */
function isInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, interimStart.length);
  return /^HTTP\/1\.[01] 1(?!01)\d\d\s/.test(start + interimStart.slice(start.length));
}
