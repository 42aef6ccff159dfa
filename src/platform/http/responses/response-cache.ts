import { LRUCache } from 'lru-cache';
import type { Answer } from './prepared-response.ts';

/** Room for about four years of one data set; more of it costs memory and saves reads of microseconds. */
const bytesMax = 16 * 2 ** 20;
/** What an answer takes beside its body, which is there as bytes and as text. */
const overheadBytes = 800;
/** A larger answer is not kept: some dozens of them would push all others out. */
const answerBytesMax = 256 * 2 ** 10;
/** A longer target or key is not kept: callers must not fill the memory with text that they make up. */
const charsMax = 200;
/** Targets whose key is known; 5 MB at most. */
const targetsMax = 10_000;

/** An answer, and what it answers. */
type Remembered = {
  /** The look-up and its parsed parameters: the same for all targets that ask the same. */
  readonly key: string;
  /** The request target as it was sent. */
  readonly target: string;
  readonly answer: Answer;
};

/**
 * Public answers by what was asked for, until anything is published.
 *
 * An answer is kept once under its key, however many targets ask for it: reordered and ignored parameters take
 * no room for answers. A target that was seen leads to its key without being parsed.
 *
 * An answer that was read before `forget` is never remembered after it: a slow read cannot bring back an
 * answer that is no longer true.
 */
export class AnswerMemory {
  readonly #answers = new LRUCache<string, Answer>({
    maxSize: bytesMax,
    sizeCalculation: ({ found }) => 2 * found.representation.length + overheadBytes,
  });
  readonly #keys = new LRUCache<string, string>({ max: targetsMax });
  #generation = 0;

  /** Changes with each `forget`; to be read before what is to be remembered is. */
  get generation(): number {
    return this.#generation;
  }

  find(target: string): Answer | undefined {
    const key = this.#keys.get(target);
    return key === undefined ? undefined : this.#answers.get(key);
  }

  /** The answer for a target that was not seen before; the next time `find` has it. */
  findByKey(key: string, target: string): Answer | undefined {
    const answer = this.#answers.get(key);
    if (answer !== undefined) this.#link(target, key);
    return answer;
  }

  /** Keeps an answer, if nothing was forgotten since `generation` was read. */
  remember(generation: number, { key, target, answer }: Remembered): void {
    if (generation !== this.#generation || key.length > charsMax) return;
    if (answer.found.representation.length > answerBytesMax) return;
    this.#answers.set(key, answer);
    this.#link(target, key);
  }

  forget(): void {
    this.#generation += 1;
    this.#answers.clear();
  }

  #link(target: string, key: string): void {
    if (target.length <= charsMax) this.#keys.set(target, key);
  }
}
