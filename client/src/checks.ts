import { wait } from './attempt.ts';
import { TimeoutError } from './errors.ts';
import { idSegment, queryString } from './path.ts';
import type {
  Batch,
  BatchedCheck,
  CheckInput,
  CheckPage,
  CheckQuery,
  EndedCheck,
  Evidence,
  EvidenceKeys,
  NewBatch,
  StoredCheck,
} from './api-types.ts';
import { type CallOptions, timeoutDefaultMs, type Transport, withoutRates } from './transport.ts';

export type CreateCheckOptions = CallOptions & {
  /**
   * At most 100 characters. Within 24 hours the same key and input return the same check or batch, so the request is repeated
   * after a failure, as a GET is. Without it the request is sent once.
   */
  readonly idempotencyKey?: string | undefined;
};

export type GetCheckOptions = CallOptions & {
  /** How long the request may wait for the end of a pending check: 0 to 10, by default 0. */
  readonly waitSeconds?: number | undefined;
};

export type WaitOptions = {
  /** Ends the wait immediately; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time for the whole wait. By default 30,000. */
  readonly timeoutMs?: number | undefined;
};

/** The wait of a request that creates a check, if the caller gives none (rule K4). */
const waitSecondsDefault = 2;
/** The longest wait of one request. */
const waitSecondsMax = 10;
/** Between two requests, if the service does not wait: it may be about to stop. */
const pauseMs = 1_000;

/** The stored VAT checks of the key (rules K4 to K15). */
export class Checks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Stores a check and queries the registry. Returns an answered check if the registry answers within `waitSeconds`, a
   * pending one otherwise: the service goes on until the check ends.
   */
  async create(wanted: CheckInput, options: CreateCheckOptions = {}): Promise<StoredCheck> {
    const { idempotencyKey } = options;
    const shape = withoutRates('status');
    const waitMs = (wanted.waitSeconds ?? waitSecondsDefault) * 1_000;
    const patient = this.#transport.withTimeFor(waitMs, options);
    const request = { body: wanted, shape, options: patient, idempotencyKey };
    return this.#transport.send('POST', '/vatchecks', request);
  }

  async get(id: string, { waitSeconds, ...options }: GetCheckOptions = {}): Promise<StoredCheck> {
    const path = `${checkPath(id)}${queryString({ waitSeconds })}`;
    const patient = this.#transport.withTimeFor((waitSeconds ?? 0) * 1_000, options);
    return this.#transport.read(path, withoutRates('status'), patient);
  }

  /**
   * Waits until a check has ended, and returns it. Throws `TimeoutError` if it is still pending after `timeoutMs`, which
   * changes nothing about the check. For waits of hours use the webhook `vat.checked`.
   */
  async wait(
    id: string,
    { timeoutMs = timeoutDefaultMs, signal }: WaitOptions = {},
  ): Promise<EndedCheck> {
    const deadlineMs = performance.now() + timeoutMs;
    try {
      for (;;) {
        const beganMs = performance.now();
        const leftMs = deadlineMs - beganMs;
        if (leftMs <= 0) throw new TimeoutError('whole', timeoutMs);
        const waitSeconds = Math.min(waitSecondsMax, Math.floor(leftMs / 1_000));
        const check = await this.get(id, { waitSeconds, timeoutMs: leftMs, signal });
        if (check.status !== 'pending') return check as EndedCheck;
        const untilMs = Math.min(beganMs + pauseMs, deadlineMs);
        if (performance.now() < untilMs) await wait(untilMs - performance.now(), signal);
      }
    } catch (error) {
      // A request has only the rest of the time.
      const isLate = error instanceof TimeoutError && error.scope === 'whole';
      throw isLate ? new TimeoutError('whole', timeoutMs) : error;
    }
  }

  /** One page of the checks, the newest first. */
  async list(query: CheckQuery = {}, options?: CallOptions): Promise<CheckPage> {
    const { valid, ...filters } = query;
    const given = { ...filters, valid: valid?.toString() };
    return this.#transport.read(`/vatchecks${queryString(given)}`, withoutRates('checks'), options);
  }

  /** Deletes a check with its evidence. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.send('DELETE', checkPath(id), { options });
  }

  /**
   * Stores 1 to 1000 checks at once, in a body of at most 1 MB; the service queries the registry for them in the background.
   * Ten checks, or part of ten, count as one request against the rate limit. Checks whose country or number is too long are
   * not stored, and named in `skipped`.
   */
  async createBatch(
    checks: readonly BatchedCheck[],
    options: CreateCheckOptions = {},
  ): Promise<NewBatch> {
    const { idempotencyKey } = options;
    const shape = withoutRates('batchId');
    const request = { body: { checks }, shape, options, idempotencyKey };
    return this.#transport.send('POST', '/vatchecks/batch', request);
  }

  /** How many checks of a batch have ended. `list({ batchId })` returns the checks themselves. */
  async getBatch(batchId: string, options?: CallOptions): Promise<Batch> {
    const path = `/vatchecks/batch/${idSegment(batchId)}`;
    return this.#transport.read(path, withoutRates('batchId'), options);
  }

  /**
   * The signed evidence of a check that has ended, with bytes as base64. Write `JSON.stringify(evidence)` to a file:
   * `vatfx evidence verify FILE --keys keys.json` verifies it without the service. Throws `ConflictError` while it is pending, and `NotFoundError` if the
   * registry was not queried for it.
   */
  async evidence(id: string, options?: CallOptions): Promise<Evidence> {
    return this.#transport.read(`${checkPath(id)}/evidence`, withoutRates('signature'), options);
  }

  /** The public keys that sign evidence or have signed it, the newest first. */
  async evidenceKeys(options?: CallOptions): Promise<EvidenceKeys> {
    return this.#transport.read('/evidence/keys', withoutRates('keys'), options);
  }
}

function checkPath(id: string): string {
  return `/vatchecks/${idSegment(id)}`;
}
