import type { Socket } from 'node:net';
import type { Dice } from './dice.ts';

/** Faults of one direction of a connection; bytes are counted from its beginning. */
export type Fault =
  | { readonly kind: 'none' }
  /** Delays all bytes by this time, in order. */
  | { readonly kind: 'latency'; readonly delayMs: number }
  /** Passes this number of bytes at a time. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  /** Ends the connection regularly after this number of bytes, at both ends. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** The same, with a reset to both. */
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /** Passes nothing after this number of bytes, ends and resets included; the rest is kept. */
  | { readonly kind: 'black-hole'; readonly afterBytes: number }
  /** Flips one bit in about one of this number of bytes. */
  | { readonly kind: 'bit-flip'; readonly everyBytes: number };

/** Reading pauses while more bytes than this wait. */
const waitingBytesMax = 1_048_576;

type Ending = 'end' | 'reset';
type Piece = { bytes: Buffer; readonly cameMs: number };

/**
 * One direction of a connection through a {@link FaultProxy}: bytes from `from` are written to `to`, changed by its fault.
 *
 * Pieces wait in a queue. A pump passes on as much of the first one as the fault allows now. It runs
 * when a piece arrives, when the fault changes, and when a piece is due.
 */
export class FaultyWay {
  /** Number of flipped bits so far. */
  flips = 0;
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #dice: Dice;
  readonly #breakOff: (how: Ending) => void;
  #fault: Fault;
  #waiting: Piece[] = [];
  #waitingBytes = 0;
  #ending: { readonly how: Ending; readonly cameMs: number } | undefined;
  #isOver = false;
  #passedBytes = 0;
  #lastMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    ends: { readonly from: Socket; readonly to: Socket },
    parts: {
      readonly fault: Fault;
      readonly dice: Dice;
      /** Called when the fault ends the connection. */
      readonly breakOff: (how: Ending) => void;
    },
  ) {
    this.#from = ends.from;
    this.#to = ends.to;
    this.#fault = parts.fault;
    this.#dice = parts.dice;
    this.#breakOff = parts.breakOff;
  }

  start(): void {
    this.#from
      .on('data', (read) => {
        const bytes = typeof read === 'string' ? Buffer.from(read) : read;
        this.#waiting.push({ bytes, cameMs: performance.now() });
        this.#waitingBytes += bytes.length;
        this.#pump();
      })
      .once('end', () => this.#finish('end'))
      .once('close', (hadError) => this.#finish(hadError ? 'reset' : 'end'));
    this.#pump();
  }

  /** Sets the fault from now on, also for bytes that wait. */
  set(fault: Fault): void {
    this.#fault = fault;
    this.#passedBytes = 0;
    this.#pump();
  }

  /** Passes nothing any more, permanently. */
  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#waiting = [];
    // Read and dropped, so that the end of the connection is noticed.
    this.#from.resume();
  }

  #finish(how: Ending): void {
    this.#ending ??= { how, cameMs: performance.now() };
    this.#pump();
  }

  #pump(): void {
    clearTimeout(this.#timer);
    while (!this.#isOver) {
      const room = this.#room();
      if (room <= 0) return this.#atItsEnd();
      const [piece] = this.#waiting;
      const next = piece ?? this.#ending;
      if (next === undefined) break;
      const waitMs = this.#dueMs(next.cameMs) - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#pump(), waitMs);
        break;
      }
      if (piece === undefined) return this.#end();
      this.#send(piece, room);
    }
    if (this.#waitingBytes < waitingBytesMax) this.#from.resume();
    else this.#from.pause();
  }

  /** Number of bytes that may pass now. */
  #room(): number {
    const fault = this.#fault;
    if ('afterBytes' in fault) return fault.afterBytes - this.#passedBytes;
    return fault.kind === 'drip' ? fault.bytes : Infinity;
  }

  #dueMs(cameMs: number): number {
    const fault = this.#fault;
    if (fault.kind === 'latency') return cameMs + fault.delayMs;
    return fault.kind === 'drip' ? this.#lastMs + fault.everyMs : 0;
  }

  #atItsEnd(): void {
    const { kind } = this.#fault;
    if (kind === 'cut' || kind === 'reset') this.#breakOff(kind === 'cut' ? 'end' : 'reset');
    // In a black hole no bytes are read from the sender, so it has to stop, as in real ones.
    else this.#from.pause();
  }

  #send(piece: Piece, room: number): void {
    const bytes = piece.bytes.subarray(0, room);
    if (bytes.length === piece.bytes.length) this.#waiting.shift();
    else piece.bytes = piece.bytes.subarray(room);
    this.#waitingBytes -= bytes.length;
    this.#passedBytes += bytes.length;
    this.#lastMs = performance.now();
    this.#to.write(this.#fault.kind === 'bit-flip' ? this.#flip(bytes, this.#fault) : bytes);
  }

  #flip(bytes: Buffer, { everyBytes }: { readonly everyBytes: number }): Buffer {
    const flipped = Buffer.from(bytes);
    for (let at = 0; at < flipped.length; at += 1) {
      if (this.#dice.below(everyBytes) > 0) continue;
      flipped[at] = (flipped[at] ?? 0) ^ (1 << this.#dice.below(8));
      this.flips += 1;
    }
    return flipped;
  }

  #end(): void {
    this.#isOver = true;
    if (this.#ending?.how === 'reset') this.#to.resetAndDestroy();
    else this.#to.end();
  }
}
