import { Agent } from 'node:http';
import { onTestFinished } from 'vitest';
import { sendRequest } from '../../support/send-request.ts';

/** The moments when a request was sent and answered, by the machine's clock. */
export type Sample = {
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  readonly status: number;
};

/**
 * Callers that send requests with one key, one after the other, over connections that stay open.
 *
 * A caller whose request is not answered sends no more, so there are at most as many unanswered requests as callers.
 */
export class Load {
  /** The answers in the order of their arrival. */
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
    const sendOn = async (): Promise<void> => {
      while (!this.#isStopped) {
        const sentAtMs = Date.now();
        try {
          const { status } = await sendRequest(apiUrl, question, agent);
          this.answers.push({ sentAtMs, answeredAtMs: Date.now(), status });
        } catch {
          this.unanswered += 1;
          return;
        }
      }
    };
    this.#callers = Promise.all(Array.from({ length: callers }, sendOn)).then(() => {});
    onTestFinished(async () => {
      await this.stop();
      agent.destroy();
    });
  }

  /** The answers with this status. */
  of(status: number): readonly Sample[] {
    return this.answers.filter((answer) => answer.status === status);
  }

  /** Sends no more requests, and waits for those that are in flight. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#callers;
  }

  /** Waits until every caller has stopped, because the server is gone. */
  async ended(): Promise<void> {
    await this.#callers;
  }
}
