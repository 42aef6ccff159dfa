import type { Socket } from 'node:net';

/** Whether the bytes that were written to a socket leave this machine. */
export class WritingProgress {
  readonly #socket: Socket;
  #taken = Number.NaN;
  /** Bytes that the kernel held when it was last asked. */
  #held: number | undefined;
  #isUnchanged = false;
  #quietSinceMs = Number.NaN;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** For how long no byte has left although there are some; 0 where there is none. To be called again and again. */
  quietMs(nowMs: number): number {
    const isEmpty = this.#socket.writableLength === 0;
    const taken = isEmpty ? Number.NaN : bytesTaken(this.#socket);
    if (!Object.is(taken, this.#taken)) {
      this.#taken = taken;
      this.#move(nowMs);
    }
    return isEmpty && (this.#held ?? 0) === 0 ? 0 : nowMs - this.#quietSinceMs;
  }

  /** Notes what the kernel holds for the other end: where that has changed, bytes have left. */
  compare(held: number, nowMs: number): void {
    this.#isUnchanged = held === this.#held;
    const isFirst = this.#held === undefined;
    this.#held = held;
    if (!this.#isUnchanged && !(isFirst && this.#socket.writableLength > 0)) this.#move(nowMs);
  }

  /** Whether the kernel held the same when it was last asked as when it was asked before. */
  get isConfirmed(): boolean {
    return this.#isUnchanged;
  }

  #move(nowMs: number): void {
    this.#quietSinceMs = nowMs;
    this.#isUnchanged = false;
  }
}

/**
 * A number that changes when the kernel takes bytes of what a socket has not sent, and else not.
 *
 * `bytesWritten` less `writableLength` changes only when a chunk has left whole, which may be megabytes. What is
 * left of the chunk that is being written is known to the handle alone, where Node's own timeouts look for it.
 */
function bytesTaken(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { readonly _handle?: WriteQueue | null };
  return socket.bytesWritten - socket.writableLength - (handle?.writeQueueSize ?? 0);
}

type WriteQueue = { readonly writeQueueSize?: number };
