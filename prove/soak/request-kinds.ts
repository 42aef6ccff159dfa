import { addDays, type IsoDate } from '../../src/platform/time.ts';
import type { TestRequest } from '../../test/support/send-request.ts';
import { storedCheckKinds } from './stored-check-load.ts';

/** A kind of request, its share of all requests, and the allowed statuses. */
export type RequestKind = {
  readonly name: string;
  /** Its number in a hundred requests. */
  readonly share: number;
  readonly expected: readonly number[];
  /** The n-th request of its kind. */
  readonly requestOf: (n: number) => TestRequest;
};

/**
 * Number of different dates that callers request. It is small, so that caches hold all of them before the judged part
 * begins: a cache that fills is no leak.
 */
const days = 60;
/** Number of different VAT numbers; small for the same reason. */
const numbers = 12;
/** A key of the right form that does not exist. */
const unknownKey = 'vfx_0000000000000000000000000000000000000000';

/** The requests of the callers; dates count back from the first day of the soak. */
export function requestKinds(firstDay: IsoDate): readonly RequestKind[] {
  const date = (n: number): IsoDate => addDays(firstDay, -(n % days));
  const get = (path: string) => (): TestRequest => ({ path });
  const posted = { method: 'POST', headers: { 'content-type': 'application/json' } };
  return [
    { name: 'rates', share: 12, expected: [200], requestOf: get('/rates') },
    { name: 'fx', share: 10, expected: [200], requestOf: get('/fx') },
    {
      name: 'dated rates',
      share: 10,
      expected: [200, 404],
      requestOf: (n) => ({ path: `/rates/${date(n)}` }),
    },
    {
      name: 'dated fx',
      share: 10,
      expected: [200, 404],
      requestOf: (n) => ({ path: `/fx/${date(n)}?currencies=USD,CHF` }),
    },
    {
      name: 'fx range',
      share: 3,
      expected: [200],
      requestOf: (n) => ({
        path: `/fx/range?from=${date(n + 20)}&to=${date(n)}&currencies=USD,JPY`,
      }),
    },
    {
      name: 'changes',
      share: 10,
      expected: [200],
      requestOf: (n) => ({
        path: `/changes?limit=${20 + (n % 10)}&country=${n % 2 ? 'SE' : 'FI'}`,
      }),
    },
    // The registry is queried after each move of time; until the next one the cache answers.
    {
      name: 'check',
      share: 14,
      expected: [200],
      requestOf: (n) => ({ path: numberPath(n % numbers) }),
    },
    // The registry of its Member State is always down.
    {
      name: 'outage',
      share: 3,
      expected: [503],
      requestOf: (n) => ({ path: `/vatcheck/FR/${10_000_000_000 + n}` }),
    },
    { name: 'status', share: 2, expected: [200], requestOf: get('/status') },
    { name: 'usage', share: 3, expected: [200], requestOf: get('/usage') },
    { name: 'not a date', share: 4, expected: [400], requestOf: get('/rates/2026-02-30') },
    { name: 'not a number', share: 4, expected: [422], requestOf: get('/vatcheck/DE/1') },
    { name: 'unknown path', share: 3, expected: [404], requestOf: (n) => ({ path: `/none/${n}` }) },
    {
      name: 'no method',
      share: 2,
      expected: [405],
      requestOf: () => ({ path: '/rates', ...posted }),
    },
    {
      name: 'wrong key',
      share: 2,
      expected: [401],
      requestOf: () => ({ path: '/rates', headers: { authorization: `Bearer ${unknownKey}` } }),
    },
    {
      name: 'not a URL',
      share: 2,
      expected: [400, 422],
      requestOf: () => ({ path: '/webhooks', ...posted, body: '{"url":"nowhere"}' }),
    },
    ...storedCheckKinds,
  ];
}

function numberPath(n: number): string {
  return `/vatcheck/DE/${100_000_000 + n}`;
}
