/** One request that an upstream of the sandbox received. */
export interface SandboxRequest {
  readonly upstream: 'tedb' | 'ecb';
  /** Milliseconds since 1970 on the sandbox's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** The file name for the ECB; null for TEDB. */
  readonly file: string | null;
  /** `situationOn` or `to` of a TEDB request; null when it was empty or not understood. */
  readonly askedDate: string | null;
  /** The codes of a TEDB request as asked. */
  readonly codes: readonly string[];
  /** What was going to be answered before the fault of the transport, if any. */
  readonly status: number;
  readonly fault: string;
}

const mostKept = 10_000;

/** The requests of every upstream since the start, for tests that count them. */
export class RequestLog {
  #requests: SandboxRequest[] = [];

  add(request: SandboxRequest): void {
    this.#requests.push(request);
    if (this.#requests.length > mostKept) this.#requests.shift();
  }

  /** Oldest first; at most the last 10,000. */
  get all(): readonly SandboxRequest[] {
    return this.#requests;
  }

  of(upstream: SandboxRequest['upstream']): readonly SandboxRequest[] {
    return this.#requests.filter((request) => request.upstream === upstream);
  }

  clear(): void {
    this.#requests = [];
  }
}
