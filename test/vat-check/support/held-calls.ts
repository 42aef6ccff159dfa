import { setImmediate as turn } from 'node:timers/promises';
import { BlockBreaker } from '../../../src/vat-check/block-breaker.ts';
import type { Outcome } from '../../../src/vat-check/outcome.ts';
import { type CallLimits, type Protected, Protection } from '../../../src/vat-check/protection.ts';
import type { RegistryCode } from '../../../src/vat-check/vat-number.ts';
import { ManualTimers } from '../../support/manual-timers.ts';

export const answered: Outcome = {
  kind: 'answered',
  answer: { valid: true, requestDate: '2026-11-20+01:00', name: null, address: null },
  maxAgeSeconds: undefined,
};
export const timedOut: Outcome = { kind: 'timedOut' };
export const called = (outcome: Outcome): Protected => ({ kind: 'called', outcome });
const { signal: never } = new AbortController();
const deadlineAtMs = Infinity;
/** Another key for each call, so that no key uses more than its share of a queue. */
const keyIdAt = (at: number): string => `key_${at}`;

type Results = (from?: number, to?: number) => Promise<Protected[]>;

/** A protection whose calls stay in flight until a test ends them, and whose time a test advances. */
export class HeldCalls {
  readonly timers = new ManualTimers();
  readonly protection = new Protection(this.timers, new BlockBreaker(this.timers));
  readonly inFlight: { state: RegistryCode; end: (outcome: Outcome) => void }[] = [];

  /**
   * Starts calls; those that are admitted are in flight afterwards. The returned function waits for the results of
   * some of them, by their index in the order of starting; of all if no index is given.
   */
  async begin(
    state: RegistryCode,
    count: number,
    { signal = never, keyId, ...own }: Partial<CallLimits> = {},
  ): Promise<Results> {
    const running = Array.from({ length: count }, async (_, at) =>
      this.protection.run(
        state,
        { keyId: keyId ?? keyIdAt(at), deadlineAtMs, signal, ...own },
        async () => new Promise<Outcome>((end) => this.inFlight.push({ state, end })),
      ),
    );
    await turn();
    return async (from, to) => Promise.all(running.slice(from, to));
  }

  async end(outcome: Outcome, count = 1): Promise<void> {
    for (const call of this.inFlight.splice(0, count)) call.end(outcome);
    await turn();
  }

  /** Makes calls that end immediately, one after the other; returns the result of the last. */
  async sendRequest(state: RegistryCode, outcome: Outcome, count = 1): Promise<Protected> {
    let last = called(outcome);
    for (let call = 0; call < count; call += 1) {
      const within = { keyId: keyIdAt(call), deadlineAtMs, signal: never };
      last = await this.protection.run(state, within, async () => Promise.resolve(outcome));
    }
    return last;
  }
}
