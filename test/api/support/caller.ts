import { createKey, type KeyChange } from '../../../src/access/authentication/key-changes.ts';
import { formatInstant } from '../../../src/platform/time.ts';
import type { Answer, Question } from '../../support/ask.ts';
import type { TestService } from '../../support/start-service.ts';

/** Somebody with a key of their own. */
export type Caller = {
  readonly id: string;
  readonly key: string;
  /** Asks exactly this, with the key. */
  ask(question: Question): Promise<Answer>;
  get(path: string, headers?: Question['headers']): Promise<Answer>;
};

/** Creates a key with these limits, and whoever holds it. */
export async function addCaller(service: TestService, wanted: KeyChange = {}): Promise<Caller> {
  const at = formatInstant(service.core.clock.now());
  const { id, key } = await createKey(service.core.db, { name: 'shop', ...wanted, at });
  return callerWith(service, { id, key });
}

/** The holder of a key that there is already. */
export function callerWith(
  service: TestService,
  { id, key }: { readonly id: string; readonly key: string },
): Caller {
  const askWith = async (question: Question): Promise<Answer> =>
    service.ask({ ...question, headers: { authorization: `Bearer ${key}`, ...question.headers } });
  return { id, key, ask: askWith, get: async (path, headers = {}) => askWith({ path, headers }) };
}

/** Asks for the rates so many times, one after the other; the statuses. */
export async function askTimes(caller: Caller, times: number): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < times) statuses.push((await caller.get('/rates')).status);
  return statuses;
}

/** What `/usage` says. */
export type Usage = {
  readonly name: string;
  readonly expiresAt: string | null;
  readonly rateLimit: Readonly<Record<string, unknown>>;
  readonly quota: Readonly<Record<string, unknown>>;
};

export async function usageOf(caller: Caller): Promise<Usage> {
  return JSON.parse((await caller.get('/usage')).text) as Usage;
}

/** Requests charged in the last minute and in the month. */
export async function usedBy(caller: Caller): Promise<readonly unknown[]> {
  const { rateLimit, quota } = await usageOf(caller);
  return [rateLimit['used'], quota['used']];
}

/** Every header of an answer that is about limits. */
export function limitHeadersOf({ headers }: Answer): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /limit|retry/.test(name)));
}

/** An answer without what differs from request to request. */
export function strip({ status, headers, text }: Answer): Answer {
  return { status, text, headers: { ...headers, date: '', 'x-request-id': '' } };
}
