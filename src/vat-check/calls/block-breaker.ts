import type { Clock } from '../../platform/time/time.ts';
import type { BreakerState } from './breaker.ts';
import { blockReasonOf, type Outcome, type RequesterRejected } from '../registries/outcome.ts';

/** Blocks in a row, of whatever Member States, that open the breaker. */
const blocksToOpen = 3;
const minuteMs = 60_000;
/** How long it stays open at most: after failed trials, and if the registry names a time itself. */
const longest = { doubledMs: 60 * minuteMs, namedMs: 24 * 60 * minuteMs } as const;
/** The time of a trial: if its end is not known by then, the next call is the trial. */
const trialMs = minuteMs;

/** An open breaker. Its moments are epoch milliseconds, because all processes obey it. */
export type Block = {
  /** No call is made before. */
  readonly untilMs: number;
  /** Count of the times that it was opened since it was last closed, from 1. */
  readonly openings: number;
  /** For operators. */
  readonly reason: string;
};

/** A change that this process makes. */
export type BlockChange =
  | { readonly kind: 'opened'; readonly block: Block }
  /** The trial of this block was answered. */
  | { readonly kind: 'closed'; readonly trialOf: Block };

/** The other processes. */
type Sharing = {
  /** Takes the trial of a block for this process, which begins at `atMs`; false if another one has changed the block. */
  readonly takeTrial: (known: Block, at: { atMs: number; untilMs: number }) => Promise<boolean>;
  /** Tells the others of a change. It does not wait for them. */
  readonly share: (change: BlockChange) => void;
};

/**
 * Breaker of the whole registry for blocks: answers that refuse this service (rule K21).
 *
 * States: `closed` lets calls pass and counts blocks in a row. `open` lets none pass until a moment. `half-open` lets none
 * pass until the trial has ended, which is a question of the service's own.
 *
 * Transitions: closed → open with the third block in a row, for a minute or as long as `Retry-After` says. Open → half-open
 * when a call is wanted after that. Half-open → closed when the registry answered the trial, even with a fault; → open
 * when it was blocked again: 2, 4, … 60 minutes, or as long as `Retry-After` says; → open until a minute after the trial
 * began when the trial got no answer at all, because silence says nothing about a block. A `Retry-After` that is not of a
 * SOAP or JSON answer of the registry counts for at most the doubling's own step, because any page on the way can say it.
 *
 * Invariants: there is one trial at a time, of all processes that share it. The end of a call that began before the
 * breaker opened or closed changes nothing. A process that crashed begins with the state that is stored.
 */
export class BlockBreaker {
  readonly #clock: Clock;
  readonly #sharing: Sharing | undefined;
  #blocksInARow = 0;
  /** Undefined while it is closed. */
  #block: Block | undefined;
  #isTrying = false;
  /** Counts how often it has opened or closed. */
  #changes = 0;

  /** Without `sharing` it is the breaker of this process alone. */
  constructor(clock: Clock, sharing?: Sharing) {
    this.#clock = clock;
    this.#sharing = sharing;
  }

  get state(): BreakerState {
    if (this.#isTrying) return 'half-open';
    return this.#block === undefined ? 'closed' : 'open';
  }

  /** Undefined while it is closed. */
  get block(): Block | undefined {
    return this.#block;
  }

  /** Milliseconds until a call may pass: 0 if one may now, undefined while a trial is under way. */
  get waitMs(): number | undefined {
    if (this.#isTrying) return undefined;
    const leftMs = (this.#block?.untilMs ?? 0) - this.#clock.now();
    // A longer wait was written by a clock that was wrong.
    return leftMs > longest.namedMs ? 0 : Math.max(0, leftMs);
  }

  /** Sets the state that is stored, after a start or a change of another process. */
  follow(stored: Block | undefined): void {
    if ((stored === undefined) !== (this.#block === undefined)) {
      this.#changes += 1;
      this.#blocksInARow = 0;
    }
    this.#block = stored;
  }

  /**
   * Takes the trial, if the breaker is open and `waitMs` is 0: true if this process makes it, until `endTrial`. False if
   * another process makes it.
   */
  async takeTrial(): Promise<boolean> {
    const block = this.#block;
    if (block === undefined) return true;
    this.#isTrying = true;
    const atMs = this.#clock.now();
    const untilMs = atMs + trialMs;
    const isTaken = (await this.#sharing?.takeTrial(block, { atMs, untilMs })) ?? true;
    if (isTaken) this.#block = { ...block, untilMs };
    else this.#isTrying = false;
    return isTaken;
  }

  /** Ends the trial that this process has taken. */
  endTrial(verdict: 'answered' | 'refused' | 'silent', outcome: Outcome | undefined): void {
    this.#isTrying = false;
    if (verdict === 'answered') this.#close();
    const reason = outcome && blockReasonOf(outcome);
    if (outcome !== undefined && reason !== undefined) this.#open(reason, outcome);
  }

  /** Lets a call pass, which is made immediately. The result is called once, at its end; undefined for a bug of ours. */
  begin(): (outcome: Outcome | RequesterRejected | undefined) => void {
    const changes = this.#changes;
    return (outcome) => {
      if (changes !== this.#changes || outcome === undefined || isSilence(outcome)) return;
      const reason = blockReasonOf(outcome);
      this.#blocksInARow = reason === undefined ? 0 : this.#blocksInARow + 1;
      if (reason !== undefined && this.#blocksInARow >= blocksToOpen) this.#open(reason, outcome);
    };
  }

  #open(reason: string, outcome: Outcome | RequesterRejected): void {
    const openings = (this.#block?.openings ?? 0) + 1;
    const doubledMs = Math.min(longest.doubledMs, minuteMs * 2 ** Math.min(openings - 1, 6));
    const { retryAfterSeconds: named, isOfRegistry = false } =
      outcome.kind === 'failed' ? outcome : {};
    const longestMs = isOfRegistry ? longest.namedMs : doubledMs;
    const openMs =
      named === undefined ? doubledMs : Math.min(longestMs, Math.max(minuteMs, named * 1_000));
    const block = { untilMs: this.#clock.now() + openMs, openings, reason };
    this.follow(block);
    this.#sharing?.share({ kind: 'opened', block });
  }

  #close(): void {
    const trialOf = this.#block;
    this.follow(undefined);
    if (trialOf !== undefined) this.#sharing?.share({ kind: 'closed', trialOf });
  }
}

/** Whether the registry did not answer, or its answer broke off. */
function isSilence(outcome: Outcome | RequesterRejected): boolean {
  if (outcome.kind === 'timedOut') return true;
  return outcome.kind === 'failed' && outcome.failure === 'unreachable';
}
