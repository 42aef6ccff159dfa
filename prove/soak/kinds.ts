import { addDays, type IsoDate } from '../../src/platform/time/time.ts';
import type { TestRequest } from '../../test/support/send-request.ts';

/** A kind of request and the allowed statuses of its answer. */
export type Kind = { readonly name: string; readonly expected: readonly number[] };

/** A kind of the steady load: its number in a hundred requests, and its n-th request. */
export type SteadyKind = Kind & {
  readonly share: number;
  readonly requestOf: (n: number) => TestRequest;
};

export function kind(name: string, ...expected: readonly number[]): Kind {
  return { name, expected };
}

/** A request with a body of JSON. */
export function withBody(method: string, path: string, body: object): TestRequest {
  const headers = { 'content-type': 'application/json' };
  return { method, path, headers, body: JSON.stringify(body) };
}

/**
 * Numbers of different dates and VAT numbers that callers request. They are small, so that caches hold all of them before the
 * judged part begins: a cache that fills is no leak.
 */
const [dates, numbers, stored] = [60, 12, 50];
/** A key of the right form that does not exist. */
const unknownKey = 'vfx_0000000000000000000000000000000000000000';

/** The requests of the steady load; dates count back from the first day of the soak. */
export function steadyKinds(firstDay: IsoDate): readonly SteadyKind[] {
  const date = (n: number): IsoDate => addDays(firstDay, -(n % dates));
  const table: readonly Row[] = [
    ['rates', 10, [200], () => '/rates'],
    ['fx', 8, [200], () => '/fx'],
    ['dated rates', 8, [200, 404], (n) => `/rates/${date(n)}`],
    ['dated fx', 10, [200, 404], (n) => `/fx/${date(n)}?currencies=USD,CHF`],
    ['bank', 3, [200], (n) => (n % 2 ? '/fx/nbp' : '/fx/cnb')],
    ['dated bank', 2, [200, 404], (n) => `/fx/nbp/${date(n)}`],
    [
      'rate by law',
      3,
      [200],
      (n) => `/fx/vat/${date(n + 5)}?country=${n % 2 ? 'PL&bank=nbp' : 'CZ&bank=cnb'}`,
    ],
    ['fx range', 3, [200], (n) => rangeOf(date(n + 20), date(n))],
    ['changes', 8, [200], (n) => `/changes?limit=${20 + (n % 10)}&country=${n % 2 ? 'SE' : 'FI'}`],
    // The registry is queried after each move of time; until the next one the cache answers.
    ['check', 14, [200], (n) => `/vatcheck/DE/${100_000_000 + (n % numbers)}`],
    // The registry of France is always down.
    ['outage', 3, [503], (n) => `/vatcheck/FR/${10_000_000_000 + (n % numbers)}`],
    ['status', 2, [200], () => '/status'],
    ['usage', 3, [200], () => '/usage'],
    ['not a date', 4, [400], () => '/rates/2026-02-30'],
    ['not a number', 4, [422], () => '/vatcheck/DE/1'],
    ['unknown path', 3, [404], (n) => `/none/${n}`],
    ['no method', 2, [405], () => withBody('POST', '/rates', {})],
    ['wrong key', 2, [401], () => withKey(unknownKey)],
    ['not a URL', 2, [400, 422], () => withBody('POST', '/webhooks', { url: 'nowhere' })],
    // Such a check stays pending, is tried again, and expires in three simulated days.
    ['check for later', 1, [202], (n) => storedCheck('FR', 10_000_000_000 + (n % stored), 0)],
    ['checks listed', 2, [200], (n) => `/vatchecks?limit=${10 + (n % 10)}&status=answered`],
    ['checks as CSV', 1, [200], () => '/vatchecks.csv?limit=20'],
    // Each is checked again once in a simulated day.
    ['watch put', 1, [200, 201], (n) => dailyWatch(300_000_000 + (n % stored))],
    ['watches listed', 1, [200], () => '/vatwatches'],
  ];
  return table.map(([name, share, expected, path]) => {
    const requestOf = (n: number): TestRequest => {
      const made = path(n);
      return typeof made === 'string' ? { path: made } : made;
    };
    return { name, share, expected, requestOf };
  });
}

type Row = readonly [
  name: string,
  share: number,
  expected: readonly number[],
  pathOrRequest: (n: number) => string | TestRequest,
];

function rangeOf(from: IsoDate, to: IsoDate): string {
  return `/fx/range?from=${from}&to=${to}&currencies=USD,JPY`;
}

function dailyWatch(number: number): TestRequest {
  return withBody('PUT', `/vatwatches/DE/${number}`, { everyDays: 1 });
}

/** A request for the latest rates with another key. */
export function withKey(key: string): TestRequest {
  return { path: '/rates', headers: { authorization: `Bearer ${key}` } };
}

/** A request that stores a check. */
export function storedCheck(country: string, number: number, waitSeconds: number): TestRequest {
  const requester = { countryCode: 'NL', vatNumber: '854265259B01' };
  const vatNumber = String(number);
  return withBody('POST', '/vatchecks', {
    countryCode: country,
    vatNumber,
    requester,
    waitSeconds,
  });
}

/** Makes a list of a hundred requests, in which each kind occurs as often as its share says, evenly spread. */
export function spreadEvenly(
  kinds: readonly SteadyKind[],
): readonly { readonly of: SteadyKind; readonly place: number }[] {
  const when = (of: SteadyKind, place: number): number => (place + 0.5) / of.share;
  return kinds
    .flatMap((of) => Array.from({ length: of.share }, (_, place) => ({ of, place })))
    .sort((a, b) => when(a.of, a.place) - when(b.of, b.place));
}
