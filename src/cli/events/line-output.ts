import { once } from 'node:events';
import type { OutputStream } from '../command/io.ts';

/**
 * Lines on an output whose reader may end first, as `head` does, or may be slow.
 *
 * A closed pipe is noticed with the next line.
 */
export class LineOutput implements Disposable {
  /** Aborted if the output is closed, or by the signal that was given. */
  readonly signal: AbortSignal;
  readonly #stream: OutputStream;
  readonly #closed = new AbortController();
  readonly #close = (): void => this.#closed.abort();

  constructor(stream: OutputStream, interrupted: AbortSignal) {
    this.#stream = stream;
    this.signal = AbortSignal.any([interrupted, this.#closed.signal]);
    stream.on('error', this.#close).on('close', this.#close);
  }

  /** Writes a line, and waits while the reader is too slow. Writes nothing once the signal is aborted. */
  async write(line: string): Promise<void> {
    const { signal } = this;
    if (signal.aborted || this.#stream.write(`${line}\n`)) return;
    // It rejects if the stream fails or the signal is aborted; `signal` says so.
    await once(this.#stream, 'drain', { signal }).catch(() => {});
  }

  [Symbol.dispose](): void {
    this.#stream.off('error', this.#close).off('close', this.#close);
  }
}
