import type { Clock } from '../../platform/time/time.ts';
import type { BlockBreaker } from './block-breaker.ts';
import type { Asked, Verdict } from './block-sharing.ts';
import { blockReasonOf, type Outcome, type RequesterRejected } from '../registries/outcome.ts';
import { type OwnAnswer, questionEveryMs, questionUnderWayMs } from './own-question.ts';

type AnyOutcome = Outcome | RequesterRejected;

/** The other processes. */
type Sharing = {
  /** Takes the next question for this process, or reports the question of the last minute. */
  readonly takeQuestion: (nowMs: number) => Promise<Asked & { readonly isTaken: boolean }>;
  /** Waits for the verdict of a question of another process, for a while; `silent` if none comes. */
  readonly awaitVerdict: (asked: Asked) => Promise<Verdict>;
  /** Stores the verdict of a question that this process has asked. */
  readonly storeVerdict: (asked: Asked & { readonly verdict: Verdict }) => Promise<void>;
};

type Parts = {
  readonly block: BlockBreaker;
  readonly clock: Pick<Clock, 'now'>;
  /** Asks the service's own question once. */
  readonly ask: () => Promise<OwnAnswer>;
  /** Without it this process decides alone. */
  readonly sharing?: Sharing;
};

/**
 * Decides what a refusal of the registry proves (rules K21 and K21a).
 *
 * A refusal of a question without a text, `IP_BLOCKED` and HTTP 429 are about this service: they count for the block.
 * HTTP 403 and a web page in answer to a question with a text may be about the text. Then the service asks a question
 * of its own: if that is refused as well, both count; if it is answered, the text was refused for itself. The verdict
 * holds for the minute after the question, for all replicas, which ask one question in that time. Silence decides nothing.
 *
 * The trial at the end of a block is the same question.
 */
export class Refusals {
  readonly #parts: Parts;
  /** The newest question of any process. */
  #asked: Asked | undefined;
  #judging: Promise<Verdict> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get block(): BlockBreaker {
    return this.#parts.block;
  }

  /** Whether a question of the service's own is under way: no question with a text starts meanwhile. */
  get isAsking(): boolean {
    if (this.#judging !== undefined) return true;
    const asked = this.#asked;
    if (asked === undefined || asked.verdict !== undefined) return false;
    return Math.abs(this.#parts.clock.now() - asked.atMs) < questionUnderWayMs;
  }

  /** Follows the question that is stored, after a start or a change of another process. */
  follow(stored: Asked | undefined): void {
    if (stored === undefined || this.#judging !== undefined) return;
    if (stored.atMs >= (this.#asked?.atMs ?? -Infinity)) this.#asked = stored;
  }

  /**
   * Lets a call pass. The result is called once, at its end; undefined for a bug of ours. If the call has a text that may have
   * been refused for itself, it returns a promise of whether that is so.
   */
  begin(hasText: boolean): (outcome: AnyOutcome | undefined) => Promise<boolean> | undefined {
    const end = this.#parts.block.begin();
    return (outcome) => {
      if (hasText && outcome !== undefined && isAboutText(outcome)) {
        return this.#judge(outcome, end);
      }
      end(outcome);
      return undefined;
    };
  }

  /** Makes the trial of a block that is over; true if it was answered, so that calls may be made again. */
  async makeTrial(): Promise<boolean> {
    const { block, clock, sharing } = this.#parts;
    const atMs = clock.now();
    if (!(await block.takeTrial())) return false;
    const { verdict } = await this.#ask(atMs, (answer, verdict) => {
      block.endTrial(verdict, answer?.outcome);
    });
    await sharing?.storeVerdict({ atMs, verdict });
    return verdict === 'answered';
  }

  async #judge(outcome: AnyOutcome, end: (outcome: AnyOutcome) => void): Promise<boolean> {
    // No question is asked during a block, so nothing is decided.
    if (this.block.state !== 'closed') return false;
    this.#judging ??= this.#decide().finally(() => (this.#judging = undefined));
    const verdict = await this.#judging;
    if (verdict === 'refused') end(outcome);
    return verdict === 'answered';
  }

  async #decide(): Promise<Verdict> {
    const { clock, sharing } = this.#parts;
    const nowMs = clock.now();
    const known = this.#asked;
    const isFresh = known !== undefined && Math.abs(nowMs - known.atMs) < questionEveryMs;
    if (isFresh && known.verdict !== undefined) return known.verdict;
    const taken = (await sharing?.takeQuestion(nowMs)) ?? { atMs: nowMs, isTaken: true };
    if (!taken.isTaken) {
      const { atMs } = taken;
      const verdict = taken.verdict ?? (await sharing?.awaitVerdict({ atMs })) ?? 'silent';
      this.#asked = { atMs, verdict };
      return verdict;
    }
    const end = this.block.begin();
    const asked = await this.#ask(nowMs, (answer) => end(answer?.outcome));
    await sharing?.storeVerdict(asked);
    return asked.verdict;
  }

  /** Asks; `onEnd` is called in the turn of the end, without an answer for a bug of ours. */
  async #ask(
    atMs: number,
    onEnd: (answer: OwnAnswer | undefined, verdict: Verdict) => void,
  ): Promise<Asked & { readonly verdict: Verdict }> {
    this.#asked = { atMs };
    let answer: OwnAnswer | undefined;
    let verdict: Verdict = 'silent';
    try {
      answer = await this.#parts.ask();
      verdict = verdictOf(answer);
    } finally {
      this.#asked = { atMs, verdict };
      onEnd(answer, verdict);
    }
    return { atMs, verdict };
  }
}

/** Any SOAP answer but `IP_BLOCKED` is an answer, a fault too. */
function verdictOf({ outcome, isOwnForm }: OwnAnswer): Verdict {
  if (blockReasonOf(outcome) !== undefined) return 'refused';
  return isOwnForm ? 'answered' : 'silent';
}

/** Whether a refusal may be about the text that was sent. HTTP 429 judges the pace, and `IP_BLOCKED` is about this service. */
function isAboutText(outcome: AnyOutcome): boolean {
  if (outcome.kind !== 'failed') return false;
  return outcome.failure === 'forbidden' || outcome.failure === 'webPage';
}
