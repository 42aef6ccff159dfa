import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { type Answer, sendRequest, type TestRequest } from '../../support/send-request.ts';

/** Paths that several callers request without a pause. */
const reads = ['/rates', '/fx', '/changes', '/rates/2026-11-20', '/changes/2026-11-20', '/usage'];
const readers = 4;
/** Count of callers that make, change and delete subscriptions; a key may have ten. */
const managers = 6;
/** Tests of subscriptions that the callers request together; a key may request 1,000 in an hour (contract C27). */
const testsMax = 900;
/** Pause between two requests of the slow callers. */
const trickleMs = 5;

const kinds = ['read', 'check', 'create', 'change', 'test', 'list', 'remove'] as const;
type Kind = (typeof kinds)[number];

/**
 * Callers of every kind at one address, over connections that stay open: reads without a pause, and slow callers
 * that check VAT numbers, and make, change, list and delete subscriptions.
 */
export class MixedLoad {
  static readonly allKinds: ReadonlySet<string> = new Set(kinds);

  /** Descriptions of wrong answers. */
  readonly failures: string[] = [];
  readonly kinds = new Set<Kind>();
  answered = 0;
  readonly #url: string;
  readonly #key: string;
  readonly #receiverUrl: string;
  readonly #agent = new Agent({ keepAlive: true });
  #testsLeft = testsMax;
  #isStopped = false;
  #callers: Promise<unknown> = Promise.resolve();

  static async start(
    url: string,
    parts: { readonly key: string; readonly sandbox: Sandbox },
  ): Promise<MixedLoad> {
    const load = new MixedLoad(url, parts);
    load.#callers = Promise.all([
      ...Array.from({ length: readers }, async (_, at) => load.#read(at)),
      load.#check(),
      ...Array.from({ length: managers }, async () => load.#manage()),
    ]);
    onTestFinished(async () => {
      await load.stop();
      load.#agent.destroy();
    });
    return load;
  }

  private constructor(url: string, parts: { readonly key: string; readonly sandbox: Sandbox }) {
    this.#url = url;
    this.#key = parts.key;
    this.#receiverUrl = parts.sandbox.receiverUrl('shop');
  }

  /** Sends no more requests, and waits for those that are in flight. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#callers;
  }

  async #read(from: number): Promise<void> {
    for (let n = from; !this.#isStopped; n += 1) {
      await this.#expect('read', { path: reads[n % reads.length] ?? '' }, [200, 404]);
    }
  }

  /** A number that was not checked before, so that the registry is called. */
  async #check(): Promise<void> {
    for (let n = 0; !this.#isStopped; n += 1) {
      await this.#expect('check', { path: `/vatcheck/DE/${100_000_000 + n}` }, [200]);
      await wait(trickleMs);
    }
  }

  async #manage(): Promise<void> {
    while (!this.#isStopped) {
      const created = await this.#expect('create', post('', { url: this.#receiverUrl }), [201]);
      const { id } = JSON.parse(created?.text ?? '{}') as { readonly id?: string };
      if (id === undefined) continue;
      const path = `/webhooks/${id}`;
      await wait(trickleMs);
      const patch = { ...post(`/${id}`, { description: 'a shop' }), method: 'PATCH' };
      await this.#expect('change', patch, [200]);
      await wait(trickleMs);
      if (this.#testsLeft > 0) {
        this.#testsLeft -= 1;
        await this.#expect('test', post(`/${id}/test`, {}), [202]);
      }
      await this.#expect('list', { path: `${path}/deliveries` }, [200]);
      await wait(trickleMs);
      await this.#expect('remove', { path, method: 'DELETE' }, [204]);
    }
  }

  async #expect(
    kind: Kind,
    question: TestRequest,
    expected: readonly number[],
  ): Promise<Answer | undefined> {
    const what = `${question.method ?? 'GET'} ${question.path}`;
    const headers = { authorization: `Bearer ${this.#key}`, ...question.headers };
    const sentMs = performance.now();
    const tookMs = (): number => Math.round(performance.now() - sentMs);
    try {
      const answer = await sendRequest(this.#url, { ...question, headers }, this.#agent);
      this.answered += 1;
      this.kinds.add(kind);
      if (expected.includes(answer.status)) return answer;
      this.failures.push(`${what}: ${answer.status} ${answer.text} after ${tookMs()} ms`);
    } catch (error) {
      this.failures.push(`${what}: ${String(error)} after ${tookMs()} ms`);
    }
    return undefined;
  }
}

function post(path: string, body: object): TestRequest {
  return {
    method: 'POST',
    path: `/webhooks${path}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}
