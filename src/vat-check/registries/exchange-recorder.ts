import type { Clock } from '../../platform/time/time.ts';

/** The bytes of one exchange with the registry: evidence of what was queried and answered (rule K15). */
export type RecordedExchange = {
  readonly url: string;
  readonly request: Uint8Array;
  /** Epoch milliseconds. */
  readonly requestedAt: number;
  /**
   * The body as it was received, decoded if it was compressed in spite of the request. Only its beginning if it was cut
   * or refused; empty if there was none.
   */
  readonly response: Uint8Array;
  /** Epoch milliseconds at the end of the body; undefined if the end was not reached. */
  readonly answeredAt: number | undefined;
};

/**
 * Keeps the newest exchange of a check, even if it failed. A check without a recorder keeps no bytes.
 *
 * With a recorder the client asks for an answer that is not compressed, so that the bytes are XML.
 */
export class ExchangeRecorder {
  readonly #clock: Clock;
  readonly #chunks: Uint8Array[] = [];
  #sent: Pick<RecordedExchange, 'url' | 'request' | 'requestedAt'> | undefined;
  #answeredAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The newest exchange; undefined if none has begun. */
  get recorded(): RecordedExchange | undefined {
    if (this.#sent === undefined) return undefined;
    const response = new Uint8Array(Buffer.concat(this.#chunks));
    return { ...this.#sent, response, answeredAt: this.#answeredAt };
  }

  /** Begins an exchange, and forgets the one before. */
  begin(url: string, body: string): void {
    this.#chunks.length = 0;
    this.#answeredAt = undefined;
    this.#sent = { url, request: new TextEncoder().encode(body), requestedAt: this.#clock.now() };
  }

  /** The same chunks, each kept as it is read. */
  async *keep(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunks) {
      this.#chunks.push(chunk);
      yield chunk;
    }
    this.#answeredAt = this.#clock.now();
  }
}
