import assert from 'node:assert/strict';
import type { Outcome } from '../../../src/vat-check/registries/outcome.ts';
import type { OwnAnswer } from '../../../src/vat-check/calls/own-question.ts';
import type { Protected } from '../../../src/vat-check/calls/protection.ts';
import type { RegistryCode } from '../../../src/vat-check/numbers/vat-number.ts';
import { ManualTimers } from '../../support/manual-timers.ts';
import { openProtection, ownAnswer } from './held-calls.ts';

const openMs = 30_000;
const minuteMs = 60_000;

/** The outcome of an admitted call; a bug is thrown. */
export type Ending = Outcome | 'bug';

/** A breaker as the contract describes it; it counts only calls that were made. */
type ModelBreaker = { failures: number; openedAtMs: number | undefined; hasTrial: boolean };

/** The breaker of blocks as rule K21 describes it; `changes` counts when it has opened or closed. */
type ModelBlock = {
  blocks: number;
  openings: number;
  untilMs: number | undefined;
  hasTrial: boolean;
  changes: number;
};

type Made = {
  /** Undefined for the service's own question, which is the trial of a block. */
  readonly state: RegistryCode | undefined;
  readonly trialOf: readonly ModelBreaker[];
  readonly isBlockTrial: boolean;
  readonly changes: number;
  readonly end: (ending: Ending) => void;
};

type Asked = {
  readonly state: RegistryCode;
  readonly keyId: string;
  readonly deadline: AbortController;
};

/**
 * A protection beside a simple model of its breakers and queues. Each step compares the two, and fails an assertion
 * immediately if an impossible call begins.
 */
export class ModelledProtection {
  readonly timers = new ManualTimers();
  readonly #protection = openProtection(this.timers, this.timers, async () => this.#ask());
  readonly #service: ModelBreaker = { failures: 0, openedAtMs: undefined, hasTrial: false };
  readonly #block: ModelBlock = {
    blocks: 0,
    openings: 0,
    untilMs: undefined,
    hasTrial: false,
    changes: 0,
  };
  readonly #states = new Map<RegistryCode, ModelBreaker>();
  readonly #made: Made[] = [];
  readonly #asked = new Set<Asked>();
  readonly results: Protected[] = [];
  /** The error of a call that must never begin. */
  readonly violations: unknown[] = [];

  get inFlight(): number {
    return this.#made.length;
  }

  get unended(): number {
    return this.#asked.size;
  }

  get isBlocked(): boolean {
    return this.#block.untilMs !== undefined;
  }

  isOpen(state: RegistryCode): boolean {
    return [this.#service, this.#modelOf(state)].some(({ openedAtMs }) => openedAtMs !== undefined);
  }

  /** Requests one call; an admitted call is held until `end`. */
  sendRequest(state: RegistryCode, keyId: string): void {
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

  /** Ends the time of one request that waits or whose call is in flight. */
  cancel(at: number): void {
    [...this.#asked][at % Math.max(1, this.#asked.size)]?.deadline.abort();
  }

  /** Ends one of the calls in flight. The consequences need a turn of the event loop. */
  end(at: number, ending: Ending): void {
    const [made] = this.#made.splice(at % Math.max(1, this.#made.length), 1);
    if (made === undefined) return;
    for (const model of made.trialOf) model.hasTrial = false;
    if (ending !== 'bug') {
      if (made.state !== undefined) {
        this.#judge(this.#modelOf(made.state), made, isStateFailure(ending));
        this.#judge(this.#service, made, isServiceFailure(ending));
      }
    }
    this.#judgeBlock(made, ending);
    made.end(ending);
  }

  /** Compares the observable state with the model. */
  check(): void {
    assert.deepEqual(this.violations, []);
    assert.equal(isOpen(this.#protection.serviceBreaker), this.#service.openedAtMs !== undefined);
    assert.equal(this.#protection.block.block?.untilMs, this.#block.untilMs);
    assert.equal(this.#protection.block.state === 'half-open', this.#block.hasTrial);
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
    assert(this.#block.untilMs === undefined, 'a call passed a block');
    return this.#hold({ state, trialOf: open, isBlockTrial: false });
  }

  async #ask(): Promise<OwnAnswer> {
    assert(this.timers.now() >= (this.#block.untilMs ?? Infinity), 'a trial came too early');
    assert(!this.#block.hasTrial, 'there was a trial of the block already');
    this.#block.hasTrial = true;
    this.#block.untilMs = this.timers.now() + minuteMs;
    return ownAnswer(await this.#hold({ state: undefined, trialOf: [], isBlockTrial: true }));
  }

  async #hold(made: Omit<Made, 'changes' | 'end'>): Promise<Outcome> {
    const { changes } = this.#block;
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const end = (ended: Ending): void => (ended === 'bug' ? reject(ended) : resolve(ended));
    this.#made.push({ ...made, changes, end });
    return promise;
  }

  #judge(model: ModelBreaker, { trialOf }: Made, hasFailed: boolean): void {
    // The outcome of a call that began before the breaker opened does not count.
    if (model.openedAtMs !== undefined && !trialOf.includes(model)) return;
    model.failures = hasFailed ? model.failures + 1 : 0;
    model.openedAtMs = model.failures >= 10 ? this.timers.now() : undefined;
  }

  #judgeBlock({ isBlockTrial, changes }: Made, ending: Ending): void {
    const model = this.#block;
    if (isBlockTrial) model.hasTrial = false;
    else if (changes !== model.changes) return;
    if (ending === 'bug' || ending.kind === 'timedOut') return;
    const isFailed = ending.kind === 'failed';
    if (isFailed && ending.failure === 'unreachable') return;
    const isBlock =
      isFailed && ['blocked', 'forbidden', 'tooManyRequests', 'webPage'].includes(ending.failure);
    model.blocks = isBlock ? model.blocks + 1 : 0;
    if (isBlock ? !isBlockTrial && model.blocks < 3 : !isBlockTrial) return;
    if (isBlock !== (model.untilMs !== undefined)) {
      model.changes += 1;
      model.blocks = 0;
    }
    model.openings = isBlock ? model.openings + 1 : 0;
    const doubled = Math.min(60, 2 ** (model.openings - 1));
    const { retryAfterSeconds: named, isOfRegistry = false } = isFailed ? ending : {};
    const longest = isOfRegistry ? 24 * 60 : doubled;
    const minutes = named === undefined ? doubled : Math.min(longest, Math.max(1, named / 60));
    model.untilMs = isBlock ? this.timers.now() + minutes * minuteMs : undefined;
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
