import { CallCounts } from './call-counts.ts';

/** One request that an upstream of the sandbox received. */
export interface SandboxRequest {
  readonly upstream: 'tedb' | 'ecb' | 'vies';
  /** Milliseconds since 1970 on the sandbox's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** The `User-Agent`; empty without one. */
  readonly userAgent: string;
  /** The file name for the ECB; null for the others. */
  readonly file: string | null;
  /** `situationOn` or `to` of a TEDB request; null when it was empty or not understood. */
  readonly askedDate: string | null;
  /** The codes of a request as asked; VIES is asked for one. */
  readonly codes: readonly string[];
  /** The VAT number of a VIES request as asked; absent for the others. */
  readonly vatNumber?: string;
  /** What was going to be answered before the fault of the transport, if any. */
  readonly status: number;
  readonly fault: string;
}

const mostKept = 10_000;

/** The requests of every upstream since the start, for tests that count them. */
export class RequestLog {
  /** The calls to VIES by Member State, those that hang included; all of them, not the last 10,000. */
  readonly vies = new CallCounts();
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
    this.vies.clear();
  }
}
