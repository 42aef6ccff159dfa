import { setImmediate as turn } from 'node:timers/promises';
import { createRefusals } from '../../../src/vat-check/look-up/create-vat-checks.ts';
import type { Outcome } from '../../../src/vat-check/registries/outcome.ts';
import type { OwnAnswer } from '../../../src/vat-check/calls/own-question.ts';
import type { Clock } from '../../../src/platform/time/time.ts';
import type { Timers } from '../../../src/platform/time/timers.ts';
import {
  type CallLimits,
  type Protected,
  Protection,
} from '../../../src/vat-check/calls/protection.ts';
import type { RegistryCode } from '../../../src/vat-check/numbers/vat-number.ts';
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

/** The service's own question with an outcome: SOAP, unless VIES was silent or refused it. */
export function ownAnswer(outcome: Outcome): OwnAnswer {
  const isSilent = outcome.kind === 'timedOut' || outcome.kind === 'failed';
  return { outcome, isOwnForm: !isSilent };
}

/** A protection that judges refusals alone; its own question is answered by default. */
export function openProtection(
  timers: Timers,
  clock: Pick<Clock, 'now'>,
  ask = async (): Promise<OwnAnswer> => Promise.resolve(ownAnswer(answered)),
): Protection {
  return new Protection(timers, createRefusals({ clock, ask }));
}

/** Calls of callers that nothing counts or bounds. */
export const uncounted = {
  begin: async () => Promise.resolve({ count: () => {}, end: () => {} }),
  countOwn: () => {},
};

type Results = (from?: number, to?: number) => Promise<Protected[]>;

/** A protection whose calls stay in flight until a test ends them, and whose time a test advances. */
export class HeldCalls {
  readonly timers = new ManualTimers();
  readonly inFlight: { state: RegistryCode | 'own'; end: (outcome: Outcome) => void }[] = [];
  readonly protection = openProtection(this.timers, this.timers, async () => {
    const outcome = await new Promise<Outcome>((end) => this.inFlight.push({ state: 'own', end }));
    return ownAnswer(outcome);
  });

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
