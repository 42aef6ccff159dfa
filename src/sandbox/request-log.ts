import type { BankName } from '../platform/publication/data-set-kinds.ts';
import { CallCounts } from './call-counts.ts';

/** The name of a simulated upstream. */
export type SimulatorName = 'tedb' | 'ecb' | 'vies' | `${'hmrc' | 'bzst'}-registry` | BankName;

/** One request that an upstream of the sandbox received. */
export interface SandboxRequest {
  readonly upstream: SimulatorName;
  /** Milliseconds since 1970 on the sandbox's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** The `User-Agent`; empty without one. */
  readonly userAgent: string;
  /** The status of the answer before a fault of the transport. */
  readonly status: number;
  readonly fault: string;
  /** The file name of a request to the ECB, or the path of one to a national bank or to another registry than VIES. */
  readonly file?: string;
  /** `situationOn` or `to` of a request to TEDB; undefined if it was empty or unreadable. */
  readonly requestedDate?: string | undefined;
  /** The country codes in the request: several for TEDB, one for VIES, none for the ECB. */
  readonly codes: readonly string[];
  /** The operation of a request to VIES. */
  readonly operation?: 'checkVat' | 'checkVatApprox' | undefined;
  /** The VAT number in a request to VIES. */
  readonly vatNumber?: string | undefined;
  /** The requester of a `checkVatApprox`, with empty texts if there was none. */
  readonly requester?: { readonly countryCode: string; readonly vatNumber: string } | undefined;
}

const mostKept = 10_000;

/** The requests to every upstream since the start, for tests that count them. */
export class RequestLog {
  /** All calls to VIES by Member State, including those that hang. */
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

  of(upstream: SimulatorName): readonly SandboxRequest[] {
    return this.#requests.filter((request) => request.upstream === upstream);
  }

  clear(): void {
    this.#requests = [];
    this.vies.clear();
  }
}
