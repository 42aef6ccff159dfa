import { Agent } from 'node:http';
import { onTestFinished } from 'vitest';
import { formatApiKey } from '../../../src/access/authentication/api-key.ts';
import { createKey, revokeKey } from '../../../src/access/authentication/key-changes.ts';
import { formatInstant } from '../../../src/platform/time/time.ts';
import { countOf } from '../../support/proof.ts';
import { type Answer, sendRequest, type TestRequest } from '../../support/send-request.ts';
import type { TestService } from '../../support/start-service.ts';

/** Maximum wait for an answer, with any loss; before a commit other suites may stop the process for seconds. */
export const answerMs = countOf({ full: 20_000, perCommit: 60_000 });

export const heldDate = '2026-11-20';
const otherDate = '2026-11-19';
/** A well-formed key that was never created. */
const unknownKey = formatApiKey(Buffer.alloc(32, 7));

/** The key that a request is sent with. */
type Caller = 'seen' | 'unseen' | 'unknown' | 'refused' | 'none';

type Asked = TestRequest & { readonly by?: Caller; readonly port?: 'ops' };

/**
 * Every route, in the groups of the table in docs/operating.md. Cached answers were requested before, so they are in
 * the memory of the process.
 */
const groups = {
  '/rates': { path: '/rates' },
  '/rates/<date>, remembered': { path: `/rates/${heldDate}` },
  '/rates/<date>, not remembered': { path: `/rates/${otherDate}` },
  '/rates/<date>, not there': { path: '/rates/2019-01-01' },
  '/fx': { path: '/fx' },
  '/fx/<date>, remembered': { path: `/fx/${heldDate}` },
  '/fx/<date>, not remembered': { path: `/fx/${otherDate}` },
  '/changes, remembered': { path: '/changes' },
  '/changes, not remembered': { path: '/changes?limit=7' },
  '/changes/<date>, remembered': { path: `/changes/${heldDate}` },
  '/changes/<date>, not remembered': { path: `/changes/${otherDate}` },
  '/vatcheck, cached': { path: '/vatcheck/DE/999999901' },
  '/vatcheck, not cached': { path: '/vatcheck/FR/00999999901' },
  '/usage': { path: '/usage' },
  'GET /webhooks': { path: '/webhooks' },
  'POST /webhooks': {
    method: 'POST',
    path: '/webhooks',
    headers: { 'content-type': 'application/json' },
    body: '{"url":"https://192.0.2.1:1/"}',
  },
  'a bad parameter': { path: '/changes?limit=0' },
  'a key not seen before': { path: '/rates', by: 'unseen' },
  'an unknown key': { path: '/rates', by: 'unknown' },
  'a revoked key, refused before': { path: '/rates', by: 'refused' },
  'no key': { path: '/rates', by: 'none' },
  '/live': { path: '/live', port: 'ops' },
  '/ready': { path: '/ready', port: 'ops' },
  '/status': { path: '/status', port: 'ops' },
  '/metrics': { path: '/metrics', port: 'ops' },
} as const satisfies Record<string, Asked>;

export type Group = keyof typeof groups;
/** The short form of the answer to each group. */
export type GroupAnswers = Readonly<Record<Group, string>>;

/** The answers while nothing is lost. */
export const whole: GroupAnswers = {
  '/rates': '200',
  '/rates/<date>, remembered': '200',
  '/rates/<date>, not remembered': '200',
  '/rates/<date>, not there': '404 snapshot not found',
  '/fx': '200',
  '/fx/<date>, remembered': '200',
  '/fx/<date>, not remembered': '200',
  '/changes, remembered': '200',
  '/changes, not remembered': '200',
  '/changes/<date>, remembered': '200',
  '/changes/<date>, not remembered': '200',
  '/vatcheck, cached': '200',
  '/vatcheck, not cached': '200',
  '/usage': '200',
  'GET /webhooks': '200',
  'POST /webhooks': '201',
  'a bad parameter': "400 invalid 'limit' — expected positive integer",
  'a key not seen before': '200',
  'an unknown key': '401 INVALID_KEY',
  'a revoked key, refused before': '401 INVALID_KEY',
  'no key': '401 INVALID_KEY',
  '/live': '200 live',
  '/ready': '200 ready',
  '/status': '200',
  '/metrics': '200',
};

/** Sends requests of every group to a service, with keys of every kind. */
export class EveryEndpoint {
  /** The longest wait so far, and the groups that waited a second or more. */
  longestMs = 0;
  readonly slow = new Set<Group>();
  readonly #service: TestService;
  readonly #keys: Readonly<Record<Caller, string>>;
  readonly #agent = new Agent({ keepAlive: true });

  /** Makes the keys, and requests the answers that are to be cached. */
  static async prepare(service: TestService): Promise<EveryEndpoint> {
    const at = formatInstant(service.sandbox.clock.now());
    const { db } = service.core;
    const unseen = await createKey(db, { name: 'unseen', at });
    const refused = await createKey(db, { name: 'refused', at });
    await revokeKey(db, refused.id, { at });
    // The service must notice the new keys before it caches any key again.
    await service.core.watch.poll();
    const every = new EveryEndpoint(service, { unseen: unseen.key, refused: refused.key });
    await every.sendRequest(rememberedBefore);
    return every;
  }

  private constructor(
    service: TestService,
    keys: { readonly unseen: string; readonly refused: string },
  ) {
    this.#service = service;
    this.#keys = { ...keys, seen: service.key, unknown: unknownKey, none: '' };
    onTestFinished(() => this.#agent.destroy());
  }

  /** Sends a request of each group, all at the same time. */
  async sendRequest(
    names: readonly Group[] = Object.keys(groups) as Group[],
  ): Promise<GroupAnswers> {
    const answers = names.map(async (name) => [name, await this.#sendRequest(name)] as const);
    return Object.fromEntries(await Promise.all(answers)) as GroupAnswers;
  }

  /** A text for the figures of a test. */
  describe(): string {
    const slow = this.slow.size === 0 ? '' : ` (a second or more: ${[...this.slow].join('; ')})`;
    return `every endpoint answered within ${this.longestMs} ms${slow}`;
  }

  async #sendRequest(name: Group): Promise<string> {
    const { by = 'seen', port, ...question }: Asked = groups[name];
    const url = port === 'ops' ? this.#service.opsUrl : this.#service.apiUrl;
    const key = port === 'ops' ? '' : this.#keys[by];
    const headers = { ...question.headers, ...(key !== '' && { authorization: `Bearer ${key}` }) };
    const startedMs = performance.now();
    try {
      return summarize(await within(sendRequest(url, { ...question, headers }, this.#agent)));
    } catch (error) {
      return String(error);
    } finally {
      const tookMs = Math.round(performance.now() - startedMs);
      this.longestMs = Math.max(this.longestMs, tookMs);
      if (tookMs >= 1_000) this.slow.add(name);
    }
  }
}

const rememberedBefore: readonly Group[] = [
  '/rates/<date>, remembered',
  '/fx/<date>, remembered',
  '/changes, remembered',
  '/changes/<date>, remembered',
  '/vatcheck, cached',
  'a revoked key, refused before',
];

/** The status, the text of an error or a health check, and Retry-After. */
function summarize({ status, headers, text }: Answer): string {
  const said = status < 400 && !text.startsWith('{"status"') ? '' : firstOf(text);
  const later = headers['retry-after'] === undefined ? '' : ', Retry-After';
  return `${status}${said === '' ? '' : ` ${said}`}${later}`;
}

/** The value of the first field of a short body; a body of another kind as it is. */
function firstOf(text: string): string {
  return /^\{"\w+":"([^"]*)"[,}]/.exec(text)?.[1] ?? text;
}

async function within<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer in ${answerMs} ms`)), answerMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
