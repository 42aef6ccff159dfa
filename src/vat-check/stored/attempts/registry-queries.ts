import type { Clock } from '../../../platform/time/time.ts';
import type { Timers } from '../../../platform/time/timers.ts';
import type { CallerCalls } from '../../calls/caller-calls.ts';
import type { CheckMetrics } from '../../look-up/check-metrics.ts';
import { ExchangeRecorder, type RecordedExchange } from '../../registries/exchange-recorder.ts';
import type { RegistryOutcome } from '../../registries/outcome.ts';
import type { VatNumber } from '../../numbers/vat-number.ts';
import type { AskedRegistry } from '../../calls/asked-registry.ts';
import type { RegistryName, RegistryResult } from '../../registries/registry.ts';
import type { StoredCheck } from '../stored-check.ts';

/** One query of the registry for a stored check, or the fact that none was made. */
export type QueryEnd =
  | {
      readonly kind: 'made';
      readonly outcome: RegistryOutcome;
      /** Epoch milliseconds. */
      readonly startedAt: number;
      readonly endedAt: number;
      /** Undefined if not even the request was sent. */
      readonly exchange: RecordedExchange | undefined;
      /** The control question that has confirmed a false answer; left out if there was none (rule M10). */
      readonly control?: RecordedExchange | undefined;
      /** The registry's firewall refused the trader's text, and nothing else (rule K21a). */
      readonly isTextRefused?: boolean;
    }
  /** Refused by the protection, or ended by a stop: the registry said nothing, so the check is as it was. */
  | { readonly kind: 'notMade' };

type Parts = {
  readonly registryOf: (
    name: RegistryName,
  ) => Pick<AskedRegistry, 'registry' | 'ask' | 'protection' | 'pace'>;
  readonly metrics: Pick<CheckMetrics, 'ended' | 'differed'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly timeoutMs: number;
  readonly calls: Pick<CallerCalls, 'begin'>;
  /** Aborted when calls under way have to end; an attempt that this ends is not made. */
  readonly closing: AbortSignal;
};

/** Queries the registry for stored checks through the protection of `/vatcheck` (rules K7 and K8). */
export class RegistryQueries {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Queries the registry once, in the background: only if a place is free for that. */
  async makeInBackground(check: StoredCheck): Promise<QueryEnd> {
    return this.#make(check, { isBackground: true });
  }

  /**
   * Queries the registry once for a caller that waits, with the priority of `/vatcheck`; makes no attempt if the key has used
   * its calls of the day (rule K21b).
   */
  async makeForCaller(check: StoredCheck): Promise<QueryEnd> {
    const { calls, registryOf, closing } = this.#parts;
    const { pace } = registryOf(check.registry);
    if (pace !== undefined) {
      const turn = await pace.take(closing);
      return turn.kind === 'refused' ? { kind: 'notMade' } : this.#make(check, {});
    }
    const call = await calls.begin(check.keyId);
    if (call === undefined) return { kind: 'notMade' };
    try {
      return await this.#make(check, {}, call.count);
    } finally {
      call.end();
    }
  }

  async #make(
    check: StoredCheck,
    own: { readonly isBackground?: true },
    onCall: () => void = () => {},
  ): Promise<QueryEnd> {
    const { registryOf, metrics, clock, timers, timeoutMs, closing } = this.#parts;
    const { registry, protection } = registryOf(check.registry);
    const group = registry.group(numberOf(check));
    const beganMs = timers.now();
    const deadlineAtMs = beganMs + timeoutMs;
    const overdue = new AbortController();
    const cancel = timers.after(timeoutMs, () => overdue.abort());
    const signal = AbortSignal.any([overdue.signal, closing]);
    const recorder = new ExchangeRecorder(clock);
    let startedAt = clock.now();
    try {
      const ofText = hasText(check) ? ({ hasText: true } as const) : {};
      const limits = { keyId: check.keyId, deadlineAtMs, signal, ...own, ...ofText };
      let endedAt = startedAt;
      let control: RecordedExchange | undefined;
      const ended = await protection.run(group, limits, async () => {
        startedAt = clock.now();
        onCall();
        const result = await this.#query(check, { deadlineAtMs, recorder });
        ({ control } = result);
        endedAt = clock.now();
        return result.outcome;
      });
      metrics.ended(group, ended, timers.now() - beganMs);
      // A call that a stop has cut off says nothing about the registry.
      if (ended.kind !== 'called' || (closing.aborted && isUnreachable(ended.outcome))) {
        return { kind: 'notMade' };
      }
      const { kind: _, ...found } = ended;
      return { kind: 'made', ...found, startedAt, endedAt, exchange: recorder.recorded, control };
    } finally {
      cancel();
    }
  }

  async #query(
    check: StoredCheck,
    {
      deadlineAtMs,
      recorder,
    }: { readonly deadlineAtMs: number; readonly recorder: ExchangeRecorder },
  ): Promise<RegistryResult> {
    const { registryOf, metrics, timers, closing } = this.#parts;
    const { keyId, requester, trader } = check;
    const asked = registryOf(check.registry);
    const vatNumber = numberOf(check);
    const deadlineMs = Math.max(1, Math.ceil(deadlineAtMs - timers.now()));
    const within = { keyId, deadlineMs, signal: closing, recorder };
    const result = await asked.ask({ vatNumber, requester, trader }, within);
    metrics.differed(asked.registry.group(vatNumber), result);
    return result;
  }
}

/** A text is what a caller sends as trader; a requester is a number. */
function hasText({ trader }: StoredCheck): boolean {
  return Object.keys(trader).length > 0;
}

function numberOf({ id, queried }: StoredCheck): VatNumber {
  // Such a check is never pending.
  if (queried === undefined) throw new Error(`no registry can be queried for the check ${id}`);
  return queried;
}

function isUnreachable(outcome: RegistryOutcome): boolean {
  return outcome.kind === 'failed' && outcome.failure === 'unreachable';
}
