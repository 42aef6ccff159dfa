import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createKey, revokeKey } from '../../src/access/authentication/key-changes.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { type Clock, formatInstant } from '../../src/platform/time.ts';
import { type Answer, sendRequest, type TestRequest } from '../../test/support/send-request.ts';
import { followEvents } from './event-readers.ts';
import type { RequestKind } from './request-kinds.ts';
import { changeStoredChecks, type SoakCaller } from './stored-check-load.ts';

/** Connections that callers keep open. */
const connections = 12;
/**
 * The pause between two keys that are created and revoked. The service remembers up to 200,000 keys that were used. With
 * a new key each second, its memory would grow for days, by design.
 */
const keyPauseMs = 20_000;
/** The pause between two subscriptions that are created and removed. The service remembers their signing keys too. */
const subscriptionPauseMs = 20_000;
/** A revoked key no longer works after this time. */
const revokedWithinMs = 5_000;
/** Unexpected answers that are kept; further ones are only counted. */
const unexpectedMax = 20;

/**
 * Callers that send requests at a steady rate, however slow the answers are. At the same time an operator creates and
 * revokes keys, and callers create and remove subscriptions, store checks and read their
 * evidence, and follow the event log.
 */
export class SteadyLoad {
  answered = 0;
  unexpectedCount = 0;
  /** A sentence for each of the first unexpected answers. */
  readonly unexpected: string[] = [];
  /** Number of answers by kind. */
  readonly kinds = new Map<string, number>();
  readonly #parts: LoadParts;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: connections });
  /** Readers of events wait, so that they need connections of their own. */
  readonly #readers = new Agent({ keepAlive: true });
  readonly #deletedChecks = new Set<string>();
  readonly #pending = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(parts: LoadParts) {
    this.#parts = parts;
  }

  start(): void {
    const { perSecond, kinds } = this.#parts;
    const turns = spreadEvenly(kinds);
    let sent = 0;
    const startedMs = performance.now();
    // Each turn sends all requests that are due, so that a late timer does not reduce the load.
    this.#timer = setInterval(() => {
      const due = ((performance.now() - startedMs) / 1_000) * perSecond;
      for (; sent < due; sent += 1) {
        const one = turns[sent % turns.length];
        const round = Math.floor(sent / turns.length);
        if (one !== undefined)
          this.#keep(this.#expect(one.of, one.of.requestOf(round * one.of.share + one.place)));
      }
    }, 10);
    this.#keep(this.#changeKeys());
    this.#keep(this.#changeSubscriptions());
    this.#keep(changeStoredChecks(this.#caller(this.#agent)));
    this.#keep(followEvents(this.#caller(this.#readers)));
  }

  #caller(agent: Agent): SoakCaller {
    return {
      expect: async (kind, question) => this.#expect(kind, question, agent),
      note: (sentence) => this.#note(sentence),
      rest: async (ms) => this.#rest(ms),
      isStopped: () => this.#isStopped,
      deletedChecks: this.#deletedChecks,
    };
  }

  /** Sends no further requests, and waits for those under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await Promise.all(this.#pending);
    this.#agent.destroy();
    this.#readers.destroy();
  }

  #keep(work: Promise<unknown>): void {
    const kept = work
      .catch((error: unknown) => this.#note(`could not be done: ${String(error)}`))
      .finally(() => this.#pending.delete(kept));
    this.#pending.add(kept);
  }

  /** Creates a key, uses it, and revokes it. */
  async #changeKeys(): Promise<void> {
    const { db, clock } = this.#parts;
    const at = (): string => formatInstant(clock.now());
    while (!this.#isStopped) {
      const { id, key } = await createKey(db, { name: 'short-lived', at: at() });
      await this.#expect(keyMade, withKey(key));
      await revokeKey(db, id, { at: at() });
      await this.#untilRefused(key);
      await this.#rest(keyPauseMs);
    }
  }

  async #untilRefused(key: string): Promise<void> {
    const deadlineMs = performance.now() + revokedWithinMs;
    for (;;) {
      const { status } = await sendRequest(this.#parts.url, withKey(key), this.#agent);
      if (status === 401) return this.#count(keyRevoked.name);
      if (performance.now() > deadlineMs) return this.#note(`revoked key: ${status}`);
      await pause(100);
    }
  }

  /** Creates a subscription, tests it with a delivery, and removes it. */
  async #changeSubscriptions(): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ url: this.#parts.receiverUrl });
    const post = { method: 'POST', headers };
    while (!this.#isStopped) {
      const created = await this.#expect(made('subscription made', 201), {
        ...post,
        path: '/webhooks',
        body,
      });
      const { id } = JSON.parse(created?.text ?? '{}') as { readonly id?: string };
      if (id === undefined) continue;
      const path = `/webhooks/${id}`;
      await this.#expect(made('webhook tested', 202), {
        ...post,
        path: `${path}/test`,
        body: '{}',
      });
      await this.#rest(subscriptionPauseMs);
      await this.#expect(made('deliveries', 200), { path: `${path}/deliveries` });
      await this.#expect(made('subscription removed', 204), { path, method: 'DELETE' });
    }
  }

  /** Pauses, but not beyond the end of the load. */
  async #rest(ms: number): Promise<void> {
    const untilMs = performance.now() + ms;
    while (!this.#isStopped && performance.now() < untilMs) await pause(50);
  }

  async #expect(
    { name, expected }: Pick<RequestKind, 'name' | 'expected'>,
    question: TestRequest,
    agent = this.#agent,
  ): Promise<Answer | undefined> {
    const headers = { authorization: `Bearer ${this.#parts.key}`, ...question.headers };
    try {
      const answer = await sendRequest(this.#parts.url, { ...question, headers }, agent);
      this.#count(name);
      if (expected.includes(answer.status)) return answer;
      this.#note(`${name}, ${question.path}: ${answer.status} ${answer.text.slice(0, 200)}`);
    } catch (error) {
      this.#note(`${name}, ${question.path}: ${String(error)}`);
    }
    return undefined;
  }

  #count(name: string): void {
    this.answered += 1;
    this.kinds.set(name, (this.kinds.get(name) ?? 0) + 1);
  }

  #note(sentence: string): void {
    this.unexpectedCount += 1;
    if (this.unexpected.length < unexpectedMax) this.unexpected.push(sentence);
  }
}

export type LoadParts = {
  readonly url: string;
  /** An API key without limits. */
  readonly key: string;
  readonly receiverUrl: string;
  readonly db: Db;
  /** The time of the service. */
  readonly clock: Clock;
  readonly perSecond: number;
  readonly kinds: readonly RequestKind[];
};

const keyMade = made('key made', 200);
const keyRevoked = made('key revoked', 401);

function made(name: string, status: number): Pick<RequestKind, 'name' | 'expected'> {
  return { name, expected: [status] };
}

function withKey(key: string): TestRequest {
  return { path: '/rates', headers: { authorization: `Bearer ${key}` } };
}

/** Makes a list of a hundred requests, in which each kind occurs as often as its share says, evenly spread. */
function spreadEvenly(
  kinds: readonly RequestKind[],
): readonly { readonly of: RequestKind; readonly place: number }[] {
  return kinds
    .flatMap((of) =>
      Array.from({ length: of.share }, (_, place) => ({
        of,
        place,
        when: (place + 0.5) / of.share,
      })),
    )
    .sort((a, b) => a.when - b.when);
}
