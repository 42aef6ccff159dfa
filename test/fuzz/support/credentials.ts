import { addCaller, type Caller } from '../../api/support/caller.ts';
import { addRefused, refusedReasons } from '../../api/support/refused-keys.ts';
import type { TestService } from '../../support/start-service.ts';

export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** A way to present a key. */
export type Credential = {
  readonly name: string;
  /** Whether the key is accepted, and whether its quota is used up. */
  readonly kind: 'good' | 'poor' | 'refused';
  readonly headers: Headers;
  /** An addition to the query, which must be ignored. */
  readonly query: readonly (readonly [string, string])[];
};

/** A key that works, as it should be sent. */
export function goodCredential(key: string): Credential {
  return { name: 'good', kind: 'good', headers: bearer(key), query: [] };
}

/** A key that works and whose quota is used up. */
export async function addPoor(service: TestService): Promise<Credential> {
  const caller = await addCaller(service, { rateLimit: 'none', quota: 1 });
  await caller.get('/rates');
  return { name: 'poor', kind: 'poor', headers: bearer(caller.key), query: [] };
}

/** Every way to send a request without a valid key (contract C25), also with a valid one in the wrong place. */
export async function addAllRefused(
  service: TestService,
  { key }: Caller,
): Promise<readonly Credential[]> {
  const ended = await Promise.all(
    refusedReasons.map(async (name) => ({
      name,
      headers: (await addRefused(service, name)).headers,
    })),
  );
  const misplaced: readonly { readonly name: string; readonly headers: Headers }[] = [
    { name: 'Basic', headers: { authorization: `Basic ${btoa(`${key}:`)}` } },
    { name: 'another scheme', headers: { authorization: `Token ${key}` } },
    { name: 'no scheme', headers: { authorization: key } },
    { name: 'a scheme alone', headers: { authorization: 'Bearer' } },
    { name: 'one letter more', headers: bearer(`${key}0`) },
    { name: 'one letter less', headers: bearer(key.slice(0, -1)) },
    { name: 'in upper case', headers: bearer(key.toUpperCase()) },
    { name: 'without its prefix', headers: bearer(key.slice(4)) },
    { name: 'twice in one', headers: { authorization: `Bearer ${key}, Bearer ${key}` } },
    { name: 'twice', headers: { authorization: [`Bearer ${key}`, `Bearer ${key}`] } },
    { name: 'a cookie', headers: { cookie: `key=${key}; authorization=Bearer ${key}` } },
    {
      name: 'another header',
      headers: { 'x-api-key': key, 'proxy-authorization': `Bearer ${key}` },
    },
  ];
  const inQuery = ['api_key', 'access_token', 'authorization', 'key'].map((name) => ({
    name: `the query's ${name}`,
    headers: {},
    query: [[name, key]] as const,
  }));
  return [...ended, ...misplaced, ...inQuery].map((one) => ({
    query: [],
    ...one,
    kind: 'refused',
  }));
}

function bearer(key: string): Headers {
  return { authorization: `Bearer ${key}` };
}
