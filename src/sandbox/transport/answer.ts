/** The answer of a simulator before a fault of the transport spoils it. */
export interface Answer {
  readonly status: number;
  /** Without `Content-Length`, an answer is sent in chunks. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}
