import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../src/platform/database/database.ts';
import { type Clock, type IsoDate } from '../../src/platform/time/time.ts';
import { type Answer, sendRequest, type TestRequest } from '../../test/support/send-request.ts';
import type { Days } from './days.ts';
import { type Kind, spreadEvenly, steadyKinds } from './kinds.ts';

/** Connections that callers keep open; readers of events wait, so that they need connections of their own. */
const connections = 12;
/** Unexpected answers that are kept; further ones are only counted. */
const unexpectedMax = 20;

export type LoadParts = {
  readonly url: string;
  /** An API key without limits. */
  readonly key: string;
  /** The key of a caller whose texts the registry's firewall refuses; without limits as well. */
  readonly refusedKey: string;
  readonly receiverUrl: string;
  readonly db: Db;
  /** The time of the service. */
  readonly clock: Clock;
  readonly perSecond: number;
  readonly firstDay: IsoDate;
  readonly days: Pick<Days, 'isBlocked'>;
};

/** The additional statuses of a check while VIES blocks the service. */
const whileBlocked: readonly number[] = [502, 503];

/** Sends requests of its own, until the load is stopped. */
export type Caller = (load: SteadyLoad) => Promise<void>;

/** Callers that send requests at a steady rate, however slow the answers are, and others beside them. */
export class SteadyLoad {
  answered = 0;
  unexpectedCount = 0;
  /** A sentence for each of the first unexpected answers. */
  readonly unexpected: string[] = [];
  /** Number of answers by kind. */
  readonly kinds = new Map<string, number>();
  isStopped = false;
  readonly parts: LoadParts;
  readonly agent = new Agent({ keepAlive: true, maxSockets: connections });
  readonly readers = new Agent({ keepAlive: true });
  readonly #pending = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: LoadParts) {
    this.parts = parts;
  }

  /** Starts the requests, and the callers beside them, each of which ends with the load. */
  start(callers: readonly Caller[]): void {
    const { perSecond, firstDay } = this.parts;
    const turns = spreadEvenly(steadyKinds(firstDay));
    let sent = 0;
    const startedMs = performance.now();
    // Each turn sends all requests that are due, so that a late timer does not reduce the load.
    this.#timer = setInterval(() => {
      const due = ((performance.now() - startedMs) / 1_000) * perSecond;
      for (; sent < due; sent += 1) {
        const round = Math.floor(sent / turns.length);
        const { of, place } = turns[sent % turns.length]!;
        this.#keep(this.expect(of, of.requestOf(round * of.share + place)));
      }
    }, 10);
    for (const call of callers) this.#keep(call(this));
  }

  /** Sends no further requests, and waits for those under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.#timer);
    await Promise.all(this.#pending);
    this.agent.destroy();
    this.readers.destroy();
  }

  /** Sends a request; undefined if the answer was not the expected one, or said that VIES blocks the service. */
  async expect(
    { name, expected }: Kind,
    question: TestRequest,
    agent = this.agent,
  ): Promise<Answer | undefined> {
    const headers = { authorization: `Bearer ${this.parts.key}`, ...question.headers };
    const wasBlocked = this.parts.days.isBlocked;
    try {
      const answer = await sendRequest(this.parts.url, { ...question, headers }, agent);
      this.answered += 1;
      this.kinds.set(name, (this.kinds.get(name) ?? 0) + 1);
      if (expected.includes(answer.status)) return answer;
      const isBlocked = wasBlocked || this.parts.days.isBlocked;
      const isCheck = question.path.startsWith('/vatcheck/');
      if (isBlocked && isCheck && whileBlocked.includes(answer.status)) return undefined;
      this.note(`${name}, ${question.path}: ${answer.status} ${answer.text.slice(0, 200)}`);
    } catch (error) {
      this.note(`${name}, ${question.path}: ${String(error)}`);
    }
    return undefined;
  }

  /** Counts an error, such as an answer that is wrong as a whole. */
  note(sentence: string): void {
    this.unexpectedCount += 1;
    if (this.unexpected.length < unexpectedMax) this.unexpected.push(sentence);
  }

  /** Pauses, but not beyond the end of the load. */
  async rest(ms: number): Promise<void> {
    const untilMs = performance.now() + ms;
    while (!this.isStopped && performance.now() < untilMs) await pause(50);
  }

  #keep(work: Promise<unknown>): void {
    const kept = work
      .catch((error: unknown) => this.note(`could not be done: ${String(error)}`))
      .finally(() => this.#pending.delete(kept));
    this.#pending.add(kept);
  }
}
