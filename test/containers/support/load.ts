import { setTimeout as wait } from 'node:timers/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';

/** The time after which a caller gives up: half of what nginx allows a VAT check. */
const patienceMs = 10_000;

/** The outcomes of the requests of all callers. */
export type Experience = {
  readonly sent: number;
  /** The requests without a 200. */
  readonly failed: readonly string[];
  readonly slowestMs: number;
};

const lookUps = ['/rates', '/fx', '/changes', '/usage'];

/** Callers that send look-ups without a break, over connections that stay open, until they are stopped. */
export class Load {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 12 });
  readonly #callers: Promise<void>[] = [];
  readonly #failed: string[] = [];
  #sent = 0;
  #slowestMs = 0;
  #isStopped = false;

  constructor(url: string, key: string) {
    for (const path of [...lookUps, ...lookUps, ...lookUps])
      this.#callers.push(this.#callAgain(url + path, key));
  }

  /** The number of requests that were answered or failed so far. */
  get sent(): number {
    return this.#sent;
  }

  async stop(): Promise<Experience> {
    this.#isStopped = true;
    await Promise.all(this.#callers);
    this.#agent.destroy();
    return {
      sent: this.#sent,
      failed: this.#failed,
      slowestMs: Math.round(this.#slowestMs),
    };
  }

  async #callAgain(url: string, key: string): Promise<void> {
    while (!this.#isStopped) {
      const startMs = performance.now();
      const result = await this.#call(url, key).catch((error: unknown) => String(error));
      this.#sent += 1;
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startMs);
      if (result !== '200') this.#failed.push(`${new URL(url).pathname}: ${result}`);
      await wait(20);
    }
  }

  async #call(url: string, key: string): Promise<string> {
    const headers = { authorization: `Bearer ${key}` };
    const signal = AbortSignal.timeout(patienceMs);
    const outgoing = request(url, { agent: this.#agent, headers, signal }).end();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return String(answer.statusCode);
  }
}
