import {
  bulkhead,
  BulkheadRejectedError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  handleWhenResult,
  TaskCancelledError,
} from 'cockatiel';
import type { Outcome } from './outcome.ts';
import type { RegistryCode } from './vat-number.ts';

/** How much of us the registry sees at most (contract C24). */
const limits = {
  inFlightPerState: 4,
  waitingPerState: 32,
  inFlight: 20,
  /** Each state has at most 4 calls here, so this is room for all of them. */
  waiting: 100,
  /** Failures in a row that open a breaker, and how long it stays open before one call may try. */
  failuresToOpen: 10,
  openMs: 30_000,
  /** A queue that is full, or a trial that is under way, is over in a few seconds. */
  soonSeconds: 5,
} as const;

type Refuser = 'memberState' | 'service';

/** What became of a call that was let through, or why it was not. */
export type Protected =
  | { readonly kind: 'called'; readonly outcome: Outcome }
  | {
      readonly kind: 'refused';
      readonly by: Refuser;
      readonly retryAfterSeconds: number;
    };

export type BreakerState = 'closed' | 'open' | 'half-open';

type Gate = {
  readonly bulkhead: ReturnType<typeof bulkhead>;
  readonly breaker: CircuitBreakerPolicy;
  /** When the breaker opened last, by the clock that the breaker itself goes by. */
  openedAtMs: number;
};

/**
 * Keeps the registry from us, and callers from a registry that is down (contract C24).
 *
 * One gate per Member State inside one for all: each a queue with a bound and a breaker. A state that
 * hangs holds 4 of the 20 places until its breaker opens, so the others go on. A state's breaker counts
 * what only that state can cause, the outer one what concerns all of them.
 */
export class Protection {
  readonly #service = createGate(limits.inFlight, limits.waiting, isServiceFailure);
  readonly #states = new Map<RegistryCode, Gate>();

  async run(
    state: RegistryCode,
    call: () => Promise<Outcome>,
    signal: AbortSignal,
  ): Promise<Protected> {
    const throughService = async (): Promise<Protected> =>
      throughGate(
        this.#service,
        'service',
        async () => ({ kind: 'called', outcome: await call() }),
        signal,
      );
    // Asked before the Member State's gate, whose one trial would be spent on hearing it.
    return (
      refusal(this.#service, 'service') ??
      throughGate(this.#gateOf(state), 'memberState', throughService, signal)
    );
  }

  breakerOf(state: RegistryCode): BreakerState {
    return describe(this.#states.get(state));
  }

  get serviceBreaker(): BreakerState {
    return describe(this.#service);
  }

  #gateOf(state: RegistryCode): Gate {
    let gate = this.#states.get(state);
    if (gate === undefined) {
      gate = createGate(limits.inFlightPerState, limits.waitingPerState, isStateFailure);
      this.#states.set(state, gate);
    }
    return gate;
  }
}

async function throughGate(
  gate: Gate,
  by: Refuser,
  run: () => Promise<Protected>,
  signal: AbortSignal,
): Promise<Protected> {
  try {
    return await gate.bulkhead.execute(
      async () => refusal(gate, by) ?? gate.breaker.execute(run, signal),
      signal,
    );
  } catch (error) {
    if (error instanceof BulkheadRejectedError) return refused(by, limits.soonSeconds);
    // Thrown on through the gate of the Member State, whose fault it is not that all places are taken.
    if (error instanceof TaskCancelledError && by === 'memberState')
      return { kind: 'called', outcome: { kind: 'timedOut' } };
    throw error;
  }
}

/** What a gate says at once: while its breaker is open, and while one call tries whether it may close. */
function refusal(gate: Gate, by: Refuser): Protected | undefined {
  const { state } = gate.breaker;
  if (state === CircuitState.HalfOpen) return refused(by, limits.soonSeconds);
  const leftMs = gate.openedAtMs + limits.openMs - Date.now();
  return state === CircuitState.Open && leftMs > 0
    ? refused(by, Math.ceil(leftMs / 1_000))
    : undefined;
}

function refused(by: Refuser, retryAfterSeconds: number): Protected {
  return { kind: 'refused', by, retryAfterSeconds };
}

function createGate(
  inFlight: number,
  waiting: number,
  isFailure: (outcome: Outcome) => boolean,
): Gate {
  const breaker = circuitBreaker(
    handleWhenResult((result) => {
      const { kind, outcome } = result as Protected & { outcome: Outcome };
      return kind === 'called' && isFailure(outcome);
    }),
    { halfOpenAfter: limits.openMs, breaker: new ConsecutiveBreaker(limits.failuresToOpen) },
  );
  const gate = { bulkhead: bulkhead(inFlight, waiting), breaker, openedAtMs: 0 };
  breaker.onBreak(() => {
    gate.openedAtMs = Date.now();
  });
  return gate;
}

function isStateFailure({ kind }: Outcome): boolean {
  return kind === 'memberStateUnavailable' || kind === 'timedOut';
}

/** A code that we do not know comes from a service that is alive: it opens nothing. */
function isServiceFailure(outcome: Outcome): boolean {
  if (outcome.kind === 'serviceUnavailable') return true;
  return outcome.kind === 'failed' && outcome.failure === 'unreachable';
}

function describe(gate: Gate | undefined): BreakerState {
  if (gate?.breaker.state === CircuitState.Open) return 'open';
  return gate?.breaker.state === CircuitState.HalfOpen ? 'half-open' : 'closed';
}
