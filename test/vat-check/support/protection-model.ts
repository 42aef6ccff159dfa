import assert from 'node:assert/strict';
import type { Outcome } from '../../../src/vat-check/outcome.ts';
import { type Protected, Protection } from '../../../src/vat-check/protection.ts';
import type { RegistryCode } from '../../../src/vat-check/vat-number.ts';
import { ManualTimers } from '../../support/manual-timers.ts';

const openMs = 30_000;

/** The outcome of a call that was let through; a bug is thrown. */
export type Ending = Outcome | 'bug';

/** A breaker as the contract has it, told only of calls that were made. */
type ModelBreaker = { failures: number; openedAtMs: number | undefined; hasTrial: boolean };

type Made = {
  readonly state: RegistryCode;
  readonly trialOf: readonly ModelBreaker[];
  readonly end: (ending: Ending) => void;
};

type Asked = {
  readonly state: RegistryCode;
  readonly keyId: string;
  readonly deadline: AbortController;
};

/**
 * A protection beside a simple model of its breakers and places. Each step compares the two; what must never happen
 * fails an assertion in the moment in which it happens.
 */
export class ModelledProtection {
  readonly timers = new ManualTimers();
  readonly #protection = new Protection(this.timers);
  readonly #service: ModelBreaker = { failures: 0, openedAtMs: undefined, hasTrial: false };
  readonly #states = new Map<RegistryCode, ModelBreaker>();
  readonly #made: Made[] = [];
  readonly #asked = new Set<Asked>();
  readonly results: Protected[] = [];
  /** What happened to a call that must never happen. */
  readonly violations: unknown[] = [];

  get inFlight(): number {
    return this.#made.length;
  }

  get unended(): number {
    return this.#asked.size;
  }

  isOpen(state: RegistryCode): boolean {
    return [this.#service, this.#modelOf(state)].some(({ openedAtMs }) => openedAtMs !== undefined);
  }

  /** Asks once; a call that is let through is held until `end`. */
  ask(state: RegistryCode, keyId: string): void {
    const asked: Asked = { state, keyId, deadline: new AbortController() };
    this.#asked.add(asked);
    const within = { keyId, deadlineAtMs: Infinity, signal: asked.deadline.signal };
    const call = async (): Promise<Outcome> => this.#make(state);
    void this.#protection
      .run(state, within, call)
      .then(
        (result) => void this.results.push(result),
        (error: unknown) => void (error !== 'bug' && this.violations.push(error)),
      )
      .finally(() => this.#asked.delete(asked));
  }

  /** Lets the time of one that asked run out, whether it waits or its call is in flight. */
  cancel(at: number): void {
    [...this.#asked][at % Math.max(1, this.#asked.size)]?.deadline.abort();
  }

  /** Ends one of the calls that are in flight; what follows from that needs a turn of the event loop. */
  end(at: number, ending: Ending): void {
    const [made] = this.#made.splice(at % Math.max(1, this.#made.length), 1);
    if (made === undefined) return;
    for (const model of made.trialOf) model.hasTrial = false;
    if (ending !== 'bug') {
      this.#judge(this.#modelOf(made.state), made, isStateFailure(ending));
      this.#judge(this.#service, made, isServiceFailure(ending));
    }
    made.end(ending);
  }

  /** Compares what can be seen from outside with the model. */
  check(): void {
    assert.deepEqual(this.violations, []);
    assert.equal(isOpen(this.#protection.serviceBreaker), this.#service.openedAtMs !== undefined);
    for (const [state, model] of this.#states) {
      assert.equal(isOpen(this.#protection.breakerOf(state)), model.openedAtMs !== undefined);
      const unended = [...this.#asked].filter((asked) => asked.state === state);
      assert(unended.length <= 4 + 32, `${unended.length} hold or wait for places of ${state}`);
      for (const [keyId, ofKey] of Map.groupBy(unended, (asked) => asked.keyId)) {
        assert(ofKey.length <= 4 + 8, `${ofKey.length} of ${keyId} hold or wait for places`);
      }
    }
  }

  async #make(state: RegistryCode): Promise<Outcome> {
    const inFlight = this.#made.filter((made) => made.state === state).length;
    assert(inFlight < 4, `${inFlight} calls were in flight to ${state} already`);
    assert(this.#made.length < 20, 'there were 20 calls in flight already');
    const open = [this.#modelOf(state), this.#service].filter((model) => {
      if (model.openedAtMs === undefined) return false;
      assert(this.timers.now() >= model.openedAtMs + openMs, 'a call passed an open breaker');
      assert(!model.hasTrial, 'there was a trial already');
      return (model.hasTrial = true);
    });
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const end = (ended: Ending): void => (ended === 'bug' ? reject(ended) : resolve(ended));
    this.#made.push({ state, trialOf: open, end });
    return promise;
  }

  #judge(model: ModelBreaker, { trialOf }: Made, hasFailed: boolean): void {
    // A call that began before the breaker opened says nothing of now.
    if (model.openedAtMs !== undefined && !trialOf.includes(model)) return;
    model.failures = hasFailed ? model.failures + 1 : 0;
    model.openedAtMs = model.failures >= 10 ? this.timers.now() : undefined;
  }

  #modelOf(state: RegistryCode): ModelBreaker {
    const known = this.#states.get(state);
    if (known !== undefined) return known;
    const model = { failures: 0, openedAtMs: undefined, hasTrial: false };
    this.#states.set(state, model);
    return model;
  }
}

function isOpen(state: string): boolean {
  return state !== 'closed';
}

function isStateFailure({ kind }: Outcome): boolean {
  return kind === 'memberStateUnavailable' || kind === 'timedOut';
}

function isServiceFailure(outcome: Outcome): boolean {
  const isUnreachable = outcome.kind === 'failed' && outcome.failure === 'unreachable';
  return outcome.kind === 'serviceUnavailable' || isUnreachable;
}
