import type { Socket } from 'node:net';

/** Whether the bytes that were written to a socket leave this machine. */
export class WritingProgress {
  readonly #socket: Socket;
  #taken = Number.NaN;
  /** Bytes that the kernel held at the last `compare`. */
  #held: number | undefined;
  #isUnchanged = false;
  #quietSinceMs = Number.NaN;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** How long no byte has left although some are unsent; 0 if none is. Call it regularly. */
  quietMs(nowMs: number): number {
    const isEmpty = this.#socket.writableLength === 0;
    const taken = isEmpty ? Number.NaN : bytesTaken(this.#socket);
    if (!Object.is(taken, this.#taken)) {
      this.#taken = taken;
      this.#move(nowMs);
    }
    return isEmpty && (this.#held ?? 0) === 0 ? 0 : nowMs - this.#quietSinceMs;
  }

  /** Notes how many bytes the kernel holds for the other end. If the number has changed, bytes have left. */
  compare(held: number, nowMs: number): void {
    this.#isUnchanged = held === this.#held;
    const isFirst = this.#held === undefined;
    this.#held = held;
    if (!this.#isUnchanged && !(isFirst && this.#socket.writableLength > 0)) this.#move(nowMs);
  }

  /** Whether the kernel held the same number of bytes at the last two `compare`s. */
  get isConfirmed(): boolean {
    return this.#isUnchanged;
  }

  #move(nowMs: number): void {
    this.#quietSinceMs = nowMs;
    this.#isUnchanged = false;
  }
}

/**
 * A number that changes only when the kernel takes unsent bytes of a socket.
 *
 * `bytesWritten` less `writableLength` changes only after a whole chunk has left, which may be megabytes. Only the
 * handle knows the rest of the chunk that is being written; Node's own timeouts read it there, too.
 */
function bytesTaken(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { readonly _handle?: WriteQueue | null };
  return socket.bytesWritten - socket.writableLength - (handle?.writeQueueSize ?? 0);
}

type WriteQueue = { readonly writeQueueSize?: number };
