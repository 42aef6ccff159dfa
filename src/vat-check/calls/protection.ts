import type { Timers } from '../../platform/time/timers.ts';
import type { BlockBreaker } from './block-breaker.ts';
import { Breaker, type BreakerState, type CallEnd } from './breaker.ts';
import type { Outcome } from '../registries/outcome.ts';
import type { RegistryName } from '../registries/registry.ts';
import { type AnyOutcome, isGroupFault, isServiceFault } from './faults.ts';
import { Places } from './places.ts';
import type { Refusals } from './refusals.ts';

/** The most calls to the registry that this process has under way at a time (contract C24). */
export const callsMax = 20;

/** The most calls that the registry gets from this process (contract C24). */
const limits = {
  memberState: { inFlight: 4, waiting: 32, waitingPerKey: 8, background: 2 },
  /** Each state has at most 4 calls here, so 100 is room for all of them. */
  service: { inFlight: callsMax, waiting: 100, waitingPerKey: 100, background: 10 },
  /** Failures in a row that open a breaker, and how long it stays open before one call may try. */
  breaker: { failuresToOpen: 10, openMs: 30_000 },
  /** For a full queue or a trial under way: both end within a few seconds. */
  soonSeconds: 5,
} as const;

type Refuser = 'memberState' | 'service';

/** The outcome of a call, or the reason why none was made. */
export type Protected<O extends AnyOutcome = Outcome> =
  | {
      readonly kind: 'called';
      readonly outcome: O;
      /** The registry's firewall refused the text that was sent, and nothing else (rule K21a). */
      readonly isTextRefused?: true;
    }
  | Refused
  /** Its time ran out while it waited: the registry was not called. */
  | { readonly kind: 'cancelled' };

type Refused = {
  readonly kind: 'refused';
  readonly by: Refuser;
  readonly retryAfterSeconds: number;
};

/** The key that a call is for, and the time until which it may begin. */
export type CallLimits = {
  readonly keyId: string;
  /** By the timers that the protection was given. */
  readonly deadlineAtMs: number;
  /** Aborted at the deadline, or earlier. */
  readonly signal: AbortSignal;
  /** The call takes a place only if one is free now, and leaves some to other calls (rule K8). */
  readonly isBackground?: true;
  /** The question has a text that a caller sent (rule K21a). */
  readonly hasText?: true;
};

/** A call that is made when it is its turn. */
type Made<O extends AnyOutcome> = {
  readonly call: () => Promise<O>;
  readonly within: CallLimits;
  /** Called at its end with what its refusal, if it was one, is found to be about. */
  readonly onJudged: (isTextRefused: Promise<boolean>) => void;
};

type Gate = {
  readonly by: Refuser;
  readonly places: Places;
  readonly breaker: Breaker;
  readonly isFailure: (outcome: AnyOutcome) => boolean;
};

/**
 * Limits the calls to a registry, and refuses callers quickly while it is down (contract C24, rule M7). Another registry than
 * VIES has one group, in place of the Member States.
 *
 * A call takes a place of its Member State, then one of all. A state that hangs holds 4 of the 20 places until its
 * breaker opens, so calls of the other states continue. A state's breaker counts failures that only that state
 * can cause, the service's breaker those that concern all states, and a third one blocks (`Refusals`). Breakers
 * are checked before each wait and again immediately before the call, because only a call that is made counts as a
 * breaker's trial.
 */
export class Protection {
  readonly #timers: Timers;
  readonly #service: Gate;
  readonly #refusals: Refusals;
  readonly #registry: RegistryName;
  readonly #groups = new Map<string, Gate>();

  constructor(timers: Timers, refusals: Refusals, registry: RegistryName = 'vies') {
    this.#timers = timers;
    this.#refusals = refusals;
    this.#registry = registry;
    this.#service = this.#createGate('service', isServiceFault);
  }

  /** Makes a call when it is its turn; the call itself has to end by the deadline. */
  async run<O extends AnyOutcome>(
    group: string,
    within: CallLimits,
    call: () => Promise<O>,
  ): Promise<Protected<O>> {
    const gate = this.#gateOf(group);
    let judged = Promise.resolve(false);
    const made: Made<O> = { call, within, onJudged: (judging) => void (judged = judging) };
    const unlessRefused = async (next: () => Promise<Protected<O>>): Promise<Protected<O>> =>
      this.#refusal(gate, within) ?? next();
    const inPlace = async (): Promise<Protected<O>> =>
      unlessRefused(async () => this.#callUnlessBlocked(gate, made));
    const waitForService = async (): Promise<Protected<O>> =>
      unlessRefused(async () => this.#inPlaceOf(this.#service, within, inPlace));
    const ended = await unlessRefused(async () => this.#inPlaceOf(gate, within, waitForService));
    // The call has given its places back: a text that is judged delays no other call.
    return (await judged) && ended.kind === 'called' ? { ...ended, isTextRefused: true } : ended;
  }

  /**
   * Count of background calls to a Member State that could begin now: 0 while a breaker is open, and 1 when a trial is
   * due, because a breaker closes only after a call that is made.
   */
  roomForBackground(group: string): number {
    const gates = [this.#service, this.#gateOf(group)];
    if (this.#refusal(this.#gateOf(group), {}) !== undefined) return 0;
    const free = Math.min(...gates.map(({ places }) => places.freeForBackground));
    const breakers = [this.block, ...gates.map(({ breaker }) => breaker)];
    return breakers.every((breaker) => breaker.state === 'closed') ? free : Math.min(1, free);
  }

  breakerOf(group: string): BreakerState {
    return this.#groups.get(group)?.breaker.state ?? 'closed';
  }

  get serviceBreaker(): BreakerState {
    return this.#service.breaker.state;
  }

  /** The breaker of the whole registry for blocks (rule K21). */
  get block(): BlockBreaker {
    return this.#refusals.block;
  }

  #refusal(gate: Gate, { hasText }: Pick<CallLimits, 'hasText'>): Refused | undefined {
    const ofBlock = refusal({ by: 'service', breaker: this.block });
    const ofBreakers = ofBlock ?? refusal(this.#service) ?? refusal(gate);
    if (ofBreakers !== undefined || hasText !== true || !this.#refusals.isAsking) return ofBreakers;
    return refused('service', limits.soonSeconds);
  }

  /** Waits for a place, and gives it back when `next` has ended. */
  async #inPlaceOf<O extends AnyOutcome>(
    gate: Gate,
    within: CallLimits,
    next: () => Promise<Protected<O>>,
  ): Promise<Protected<O>> {
    const { places } = gate;
    const isBackground = within.isBackground === true;
    const place = isBackground
      ? places.takeForBackground()
      : await places.take(within.keyId, within.signal);
    if (place === 'full') return refused(gate.by, limits.soonSeconds);
    if (place === 'cancelled') return { kind: 'cancelled' };
    try {
      return this.#isOver(within) ? { kind: 'cancelled' } : await next();
    } finally {
      if (isBackground) places.giveBackFromBackground();
      else places.giveBack();
    }
  }

  #isOver({ signal, deadlineAtMs }: CallLimits): boolean {
    return signal.aborted || this.#timers.now() >= deadlineAtMs;
  }

  /** Makes the call; after a block only if the trial, which it starts and waits for, was answered. */
  async #callUnlessBlocked<O extends AnyOutcome>(gate: Gate, made: Made<O>): Promise<Protected<O>> {
    if (this.block.state === 'closed') return this.#call(gate, made);
    const isAnswered = await this.#refusals.makeTrial();
    // Another breaker may have opened meanwhile.
    const refusedNow = this.#refusal(gate, made.within);
    if (refusedNow !== undefined) return refusedNow;
    if (!isAnswered) return refused('service', limits.soonSeconds);
    return this.#isOver(made.within) ? { kind: 'cancelled' } : this.#call(gate, made);
  }

  async #call<O extends AnyOutcome>(
    state: Gate,
    { call, within, onJudged }: Made<O>,
  ): Promise<Protected<O>> {
    const endings = [state, this.#service].map((gate) => ({ gate, end: gate.breaker.begin() }));
    const endOfBlock = this.#refusals.begin(within.hasText === true);
    let outcome: O | undefined;
    try {
      outcome = await call();
      return { kind: 'called', outcome };
    } finally {
      for (const { gate, end } of endings) end(judge(gate, outcome));
      const judged = endOfBlock(outcome);
      if (judged !== undefined) onJudged(judged);
    }
  }

  #gateOf(group: string): Gate {
    return this.#groups.getOrInsertComputed(group, () =>
      this.#createGate(this.#registry === 'vies' ? 'memberState' : 'service', isGroupFault),
    );
  }

  #createGate(
    by: Refuser,
    isFault: (registry: RegistryName, outcome: AnyOutcome) => boolean,
  ): Gate {
    const breaker = new Breaker(limits.breaker, this.#timers);
    const isFailure: Gate['isFailure'] = (outcome) => isFault(this.#registry, outcome);
    return { by, places: new Places(limits[by]), breaker, isFailure };
  }
}

type Refusing = Pick<Gate, 'by'> & { readonly breaker: Pick<Breaker, 'waitMs'> };

function judge({ isFailure }: Gate, outcome: AnyOutcome | undefined): CallEnd {
  if (outcome === undefined) return 'unknown';
  return isFailure(outcome) ? 'failed' : 'answered';
}

/** A refusal for as long as the breaker is open, and while one call tries whether it may close. */
function refusal({ by, breaker: { waitMs } }: Refusing): Refused | undefined {
  if (waitMs === 0) return undefined;
  return refused(by, waitMs === undefined ? limits.soonSeconds : Math.ceil(waitMs / 1_000));
}

function refused(by: Refuser, retryAfterSeconds: number): Refused {
  return { kind: 'refused', by, retryAfterSeconds };
}
