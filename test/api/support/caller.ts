import { createKey, type KeyChange } from '../../../src/access/authentication/key-changes.ts';
import { formatInstant } from '../../../src/platform/time/time.ts';
import type { Answer, TestRequest } from '../../support/send-request.ts';
import type { TestService } from '../../support/start-service.ts';

/** A caller with a key of its own. */
export type Caller = {
  readonly id: string;
  readonly key: string;
  /** Sends a request with the key. */
  sendRequest(question: TestRequest): Promise<Answer>;
  get(path: string, headers?: TestRequest['headers']): Promise<Answer>;
};

/** Creates a key, and a caller that uses it. */
export async function addCaller(service: TestService, wanted: KeyChange = {}): Promise<Caller> {
  const at = formatInstant(service.core.clock.now());
  const { id, key } = await createKey(service.core.db, { name: 'shop', ...wanted, at });
  return callerWith(service, { id, key });
}

/** A caller that uses an existing key. */
export function callerWith(
  service: TestService,
  { id, key }: { readonly id: string; readonly key: string },
): Caller {
  const send = async (question: TestRequest): Promise<Answer> =>
    service.sendRequest({
      ...question,
      headers: { authorization: `Bearer ${key}`, ...question.headers },
    });
  return { id, key, sendRequest: send, get: async (path, headers = {}) => send({ path, headers }) };
}

/** Requests the rates `times` times, one after the other; returns the statuses. */
export async function sendTimes(caller: Caller, times: number): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < times) statuses.push((await caller.get('/rates')).status);
  return statuses;
}

/** The body of `/usage`. */
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

/** The headers of an answer that are about limits. */
export function limitHeadersOf({ headers }: Answer): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /limit|retry/.test(name)));
}

/** An answer without the headers that differ between requests, and without the reason of a 401 (contract C4a). */
export function strip({ status, headers, text }: Answer): Answer {
  return {
    status,
    text,
    headers: { ...headers, date: '', 'x-request-id': '', 'www-authenticate': '' },
  };
}
