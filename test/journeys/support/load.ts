import { Agent } from 'node:http';
import { onTestFinished } from 'vitest';
import { ask } from '../../support/ask.ts';

/** When a question was sent and answered, by the machine's clock. */
export type Sample = {
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  readonly status: number;
};

/**
 * Callers that ask with one key, again and again, over connections that stay open.
 *
 * A caller whose question is not answered asks no more: there are at most as many unanswered questions as
 * callers.
 */
export class Load {
  /** In the order in which they came. */
  readonly answers: Sample[] = [];
  unanswered = 0;
  readonly #callers: Promise<void>;
  #isStopped = false;

  constructor(
    apiUrl: string,
    asked: { readonly path: string; readonly key: string; readonly callers: number },
  ) {
    const { path, key, callers } = asked;
    const agent = new Agent({ keepAlive: true, maxSockets: callers });
    const question = { path, headers: { authorization: `Bearer ${key}` } };
    const askOn = async (): Promise<void> => {
      while (!this.#isStopped) {
        const sentAtMs = Date.now();
        try {
          const { status } = await ask(apiUrl, question, agent);
          this.answers.push({ sentAtMs, answeredAtMs: Date.now(), status });
        } catch {
          this.unanswered += 1;
          return;
        }
      }
    };
    this.#callers = Promise.all(Array.from({ length: callers }, askOn)).then(() => {});
    onTestFinished(async () => {
      await this.stop();
      agent.destroy();
    });
  }

  /** The answers with this status. */
  of(status: number): readonly Sample[] {
    return this.answers.filter((answer) => answer.status === status);
  }

  /** Sends no more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#callers;
  }

  /** Waits until nobody asks any more, because the server is gone. */
  async ended(): Promise<void> {
    await this.#callers;
  }
}
