import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { sendRequest } from '../../support/send-request.ts';

/** Maximum pause of a caller between two requests, on a connection that stays open. */
const pauseMs = 4;

/** The results of the requests of {@link PatientCallers}. */
export type Endings = {
  answered: number;
  /** Descriptions of requests whose connection was closed without an answer. */
  readonly unanswered: string[];
  /** Count of connections that were refused: no request was sent. */
  refused: number;
};

/**
 * Callers at one address without a balancer, each with its own connection, and with pauses: at any moment some
 * connections are idle, and some have a request in flight.
 *
 * Each sends requests until its connection is refused.
 */
export class PatientCallers {
  readonly endings: Endings = { answered: 0, unanswered: [], refused: 0 };
  readonly #callers: Promise<unknown>;

  constructor(
    apiUrl: string,
    asked: { readonly path: string; readonly key: string; readonly callers: number },
  ) {
    const { path, key, callers } = asked;
    const question = { path, headers: { authorization: `Bearer ${key}` } };
    const sendOn = async (): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      for (;;) {
        try {
          await sendRequest(apiUrl, question, agent);
          this.endings.answered += 1;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') {
            this.endings.refused += 1;
            return;
          }
          this.endings.unanswered.push(String(error));
        }
        await wait(Math.random() * pauseMs);
      }
    };
    this.#callers = Promise.all(Array.from({ length: callers }, sendOn));
  }

  /** Waits until every caller has stopped, because connections are refused. */
  async ended(): Promise<void> {
    await this.#callers;
  }
}
