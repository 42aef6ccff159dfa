import { timeUntil } from '../../journeys/support/losing-world.ts';
import { WebhookCaller } from '../../journeys/support/webhook-caller.ts';
import type { TestService } from '../../support/start-service.ts';

const fromMemory = ['/rates', '/fx', '/changes', '/rates/2026-11-20', '/fx/2026-11-20'];

/** A short form of the answer to each kind of request; `same bytes` if the bytes are promised. */
export type Said = Readonly<
  Record<'from memory' | 'from the database' | 'into the database' | 'a check' | 'health', string>
>;

/** Sends, repeatedly, requests for cached and other data, for writes, and for new checks. */
export class EngineQuestions {
  asked = 0;
  longestMs = 0;
  readonly #service: TestService;
  readonly #subscription: string;
  readonly #before: readonly string[];
  #round = 0;

  static async prepare(service: TestService): Promise<EngineQuestions> {
    const caller = new WebhookCaller(service, service.key);
    const created = await caller.post<{ readonly id: string }>(
      '',
      { url: 'https://192.0.2.1:1/' },
      201,
    );
    const before = await Promise.all(fromMemory.map(async (path) => service.get(path)));
    return new EngineQuestions(service, {
      subscription: created.id,
      before: before.map(({ text }) => text),
    });
  }

  private constructor(
    service: TestService,
    known: { readonly subscription: string; readonly before: readonly string[] },
  ) {
    this.#service = service;
    this.#subscription = known.subscription;
    this.#before = known.before;
  }

  /** Sends all kinds together. */
  async sendRequest(): Promise<Said> {
    this.#round += 1;
    const [memory, database, stored, check, health] = await Promise.all([
      this.#requestMemory(),
      this.#say({ path: `/changes?limit=${(this.#round % 199) + 1}` }),
      this.#say({
        method: 'PATCH',
        path: `/webhooks/${this.#subscription}`,
        body: JSON.stringify({ description: `round ${this.#round}` }),
      }),
      this.#say({ path: `/vatcheck/FR/00${700_000_000 + this.#round}` }),
      this.#requestHealth(),
    ]);
    return {
      'from memory': memory,
      'from the database': database,
      'into the database': stored,
      'a check': check,
      health: health,
    };
  }

  /** The time until all answers are again those without a fault. */
  async timeUntil(whole: Said): Promise<number> {
    return timeUntil(
      async () => JSON.stringify(await this.sendRequest()) === JSON.stringify(whole),
    );
  }

  async #requestMemory(): Promise<string> {
    const answers = await Promise.all(fromMemory.map(async (path) => this.#get(path)));
    const isSame = answers.every(({ text }, at) => text === this.#before[at]);
    return isSame ? 'same bytes' : answers.map(({ status }) => status).join();
  }

  async #requestHealth(): Promise<string> {
    const [live, ready] = [
      await this.#service.sendToOps('/live'),
      await this.#service.sendToOps('/ready'),
    ];
    return `${live.status} ${ready.status}`;
  }

  async #get(path: string): Promise<{ readonly status: number; readonly text: string }> {
    return this.#timed(this.#service.get(path));
  }

  async #say(question: {
    readonly method?: string;
    readonly path: string;
    readonly body?: string;
  }): Promise<string> {
    const headers = {
      authorization: `Bearer ${this.#service.key}`,
      ...(question.body !== undefined && { 'content-type': 'application/json' }),
    };
    const pending = this.#service.sendRequest({ ...question, headers });
    const { status, headers: got, text } = await this.#timed(pending);
    if (status === 200) return '200';
    const error = /^\{"error":"(.*)"\}$/.exec(text)?.[1] ?? text;
    return `${status} ${error}${got['retry-after'] === undefined ? '' : ', Retry-After'}`;
  }

  async #timed<T>(pending: Promise<T>): Promise<T> {
    this.asked += 1;
    const startedMs = performance.now();
    const answer = await pending;
    this.longestMs = Math.max(this.longestMs, Math.round(performance.now() - startedMs));
    return answer;
  }
}
