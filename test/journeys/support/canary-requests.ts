import { METHODS } from 'node:http';
import type { TestRequest } from '../../support/send-request.ts';

/** Every way in which a caller may put a secret into a request; `bearer` is the header of a valid key. */
type Place = (canary: string, bearer: string) => TestRequest;

const paths = ['/rates', '/fx', '/changes', '/usage', '/vatcheck/AT/U10223006'] as const;

const inHeaders: readonly Place[] = [
  (canary) => ({ path: '/rates', headers: { authorization: `Bearer ${canary}` } }),
  (canary) => ({ path: '/rates', headers: { authorization: canary } }),
  (canary) => ({ path: '/rates', headers: { authorization: `Basic ${canary}` } }),
  (canary) => ({ path: '/rates', headers: { authorization: `Bearer "${canary}"` } }),
  (canary, bearer) => ({ path: '/rates', headers: { authorization: [bearer, canary] } }),
  ...[
    'accept',
    'access-control-request-headers',
    'content-type',
    'cookie',
    'expect',
    'forwarded',
    'host',
    'if-modified-since',
    'if-none-match',
    'origin',
    'proxy-authorization',
    'range',
    'referer',
    'traceparent',
    'user-agent',
    'x-api-key',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-http-method-override',
    'x-request-id',
  ].flatMap((name): Place[] => [
    (canary, bearer) => ({ path: '/rates', headers: { authorization: bearer, [name]: canary } }),
    (canary) => ({ path: '/changes', headers: { [name]: canary } }),
  ]),
  (canary, bearer) => ({ path: '/fx', headers: { authorization: bearer, [canary]: 'x' } }),
];

const inTargets: readonly Place[] = [
  ...paths.flatMap((path): Place[] => [
    (canary, bearer) => withKey(`${path}?key=${canary}`, bearer),
    (canary) => ({ path: `${path}?access_token=${canary}` }),
    (canary, bearer) => withKey(`${path}/${canary}`, bearer),
  ]),
  (canary, bearer) => withKey(`/changes?since=${canary}`, bearer),
  (canary, bearer) => withKey(`/changes?country=${canary}&limit=${canary}`, bearer),
  (canary, bearer) => withKey(`/changes?${canary}`, bearer),
  (canary, bearer) => withKey(`/changes?since=2026-01-01&since=${canary}`, bearer),
  (canary, bearer) => withKey(`/vatcheck/${canary}/U10223006`, bearer),
  (canary, bearer) => withKey(`/${canary}`, bearer),
  (canary) => ({ path: `/${canary}` }),
  (canary, bearer) => withKey(`/rates/%${canary}%zz`, bearer),
  (canary, bearer) => withKey(`/rates#${canary}`, bearer),
  (canary, bearer) => withKey(`http://${canary}@x/rates`, bearer),
  (canary, bearer) => withKey(`//${canary}/../rates`, bearer),
  (canary, bearer) => withKey(`/${canary.repeat(200)}`, bearer),
];

const inBodies: readonly Place[] = [
  (canary, bearer) => ({ ...withKey('/rates', bearer), body: canary }),
  (canary, bearer) => ({
    path: '/changes',
    headers: { authorization: bearer, 'content-type': 'application/json' },
    body: `{"key":"${canary}"`,
  }),
  (canary) => ({
    path: '/usage',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `key=${canary}`,
  }),
  (canary) => ({ path: `/${canary}`, body: canary.repeat(2_000) }),
  ...[
    (canary: string) => ({ url: canary }),
    (canary: string) => ({ url: `https://10.0.0.1/?token=${canary}` }),
    (canary: string) => ({ url: `https://${canary}:${canary}@receiver.test/` }),
    (canary: string) => ({ url: 'https://10.0.0.1/', secret: canary }),
    (canary: string) => ({ url: 'https://10.0.0.1/', secret: `whsec_${canary}` }),
    (canary: string) => ({ url: 'https://10.0.0.1/', headers: { 'x-gateway': canary } }),
    (canary: string) => ({ url: 'https://10.0.0.1/', headers: { [canary]: `${canary}\n` } }),
    (canary: string) => canary,
  ].map((body): Place => (canary, bearer) => ({
    ...withKey('/webhooks', bearer),
    method: 'POST',
    body: JSON.stringify(body(canary)),
  })),
  (canary, bearer) => ({
    ...withKey(`/webhooks/${canary}`, bearer),
    method: 'PATCH',
    body: `{"secret":"${canary}","url":"${canary}"`,
  }),
];

const places = [...inHeaders, ...inTargets, ...inBodies];
const methods = METHODS.filter((method) => method !== 'CONNECT');

/**
 * The nth of any number of requests. Places, canaries and methods repeat with different periods, so that all
 * combinations occur; every second request is a GET.
 */
export function canaryRequest(
  n: number,
  { canaries, bearer }: { readonly canaries: readonly string[]; readonly bearer: string },
): TestRequest {
  const round = Math.floor(n / places.length);
  const place = places[n % places.length] as Place;
  const canary = canaries[(n + round) % canaries.length] as string;
  const method = (n + round) % 2 === 0 ? 'GET' : methods[(n + 3 * round) % methods.length];
  return { method: method as string, ...place(canary, bearer) };
}

function withKey(path: string, bearer: string): TestRequest {
  return { path, headers: { authorization: bearer } };
}
