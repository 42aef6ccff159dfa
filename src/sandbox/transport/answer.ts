/** An answer of the sandbox; a fault of the transport can change it while it is sent. */
export interface Answer {
  readonly status: number;
  /** An answer without `Content-Length` is sent in chunks. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}
