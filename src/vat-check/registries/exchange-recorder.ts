import type { Clock } from '../../platform/time/time.ts';
import type { ExchangeAnswer } from '../../platform/upstream/exchange.ts';

/** The bytes of one exchange with the registry: evidence of what was queried and answered (rule K15). */
export type RecordedExchange = {
  readonly url: string;
  /** The body, or of a GET the request line and `Accept` (rule K15). */
  readonly request: Uint8Array;
  /** Epoch milliseconds. */
  readonly requestedAt: number;
  /**
   * The body as it was received, decoded if it was compressed in spite of the request. Only its beginning if it was cut
   * or refused; empty if there was none.
   */
  readonly response: Uint8Array;
  /** The head of the response, as far as a registry's answer depends on it; undefined if there was none. */
  readonly head?: ResponseHead | undefined;
  /** Epoch milliseconds at the end of the body; undefined if the end was not reached. */
  readonly answeredAt: number | undefined;
};

/** What may decide of the head of a response: its status, and the `Date` as it was sent, null if it had none. */
export type ResponseHead = { readonly httpStatus: number; readonly date: string | null };

/**
 * Keeps the newest exchange of a check, even if it failed. A check without a recorder keeps no bytes.
 *
 * With a recorder the client asks for an answer that is not compressed, so that the bytes are XML.
 */
export class ExchangeRecorder {
  readonly #clock: Clock;
  readonly #chunks: Uint8Array[] = [];
  #head: ResponseHead | undefined;
  #sent: Pick<RecordedExchange, 'url' | 'request' | 'requestedAt'> | undefined;
  #answeredAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The newest exchange; undefined if none has begun. */
  get recorded(): RecordedExchange | undefined {
    if (this.#sent === undefined) return undefined;
    const response = new Uint8Array(Buffer.concat(this.#chunks));
    return { ...this.#sent, head: this.#head, response, answeredAt: this.#answeredAt };
  }

  /** Begins an exchange, and forgets the one before. */
  begin(url: string, request: string): void {
    this.#chunks.length = 0;
    this.#head = undefined;
    this.#answeredAt = undefined;
    this.#sent = {
      url,
      request: new TextEncoder().encode(request),
      requestedAt: this.#clock.now(),
    };
  }

  /** Keeps the head of an answer, and each chunk as it is read; returns the same chunks. */
  keep(answer: ExchangeAnswer): AsyncIterable<Uint8Array> {
    this.#head = { httpStatus: answer.status, date: answer.header('date') ?? null };
    return this.#keepChunks(answer.chunks);
  }

  async *#keepChunks(
    chunks: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunks) {
      this.#chunks.push(chunk);
      yield chunk;
    }
    this.#answeredAt = this.#clock.now();
  }
}
