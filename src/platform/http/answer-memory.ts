import { LRUCache } from 'lru-cache';
import type { Answer } from './answer.ts';

/** Room for about four years of one data set; more of it costs memory and saves reads of microseconds. */
const bytesMax = 16 * 2 ** 20;
/** What an answer takes beside its body, which is there as bytes and as text. */
const overheadBytes = 800;
/** A longer target is remembered by nobody: callers must not fill the memory with what they think up. */
const targetCharsMax = 200;

/**
 * Answers that are the same for everybody, by what was asked for, until anything is published.
 *
 * What was read before `forget` is never remembered after it: a slow read cannot bring back an answer that
 * is no longer true.
 */
export class AnswerMemory {
  readonly #answers = new LRUCache<string, Answer>({
    maxSize: bytesMax,
    sizeCalculation: ({ found }) => 2 * found.representation.length + overheadBytes,
  });
  #generation = 0;

  /** Changes with each `forget`; to be read before what is to be remembered is. */
  get generation(): number {
    return this.#generation;
  }

  find(target: string): Answer | undefined {
    return this.#answers.get(target);
  }

  /** Keeps an answer, if nothing was forgotten since `generation` was read. */
  remember(generation: number, target: string, answer: Answer): void {
    if (generation !== this.#generation || target.length > targetCharsMax) return;
    this.#answers.set(target, answer);
  }

  forget(): void {
    this.#generation += 1;
    this.#answers.clear();
  }
}
