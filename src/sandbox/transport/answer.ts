/** What a simulator answers before any fault of the way spoils it. */
export interface Answer {
  readonly status: number;
  /** Without `Content-Length`, an answer is sent in chunks. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}
