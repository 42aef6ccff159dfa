import type { Operation } from './document.ts';
import { categoryReads, ratesJsonReads } from './category-questions.ts';
import { exportPaths, exportReads } from './export-questions.ts';
import { fxLawReads } from './fx-law-questions.ts';
import { inBothForms, type Read } from './read.ts';
import { bankNames } from '../../../src/platform/publication/data-set-kinds.ts';
import { allSnapshotPaths } from '../../support/snapshot-paths.ts';

/** Requests, each with the status of its answer. */

/** Reads of data, most of which are answered as JSON and as CSV. */
const dataReads: readonly Read[] = [
  ...allSnapshotPaths.flatMap((path): Read[] => [
    [200, path],
    [200, `${path}/dates`],
    [200, `${path}/dates?from=2026-11-20&to=2026-11-20`],
    [400, `${path}/dates?from=yesterday`],
    [400, `${path}/dates?from=2026-02-30`],
    [400, `${path}/dates?to=`],
    [400, `${path}/dates?to=x`],
    [400, `${path}/dates?from=2026-11-20&to=2026-11-19`],
    [400, `${path}/dates?form=2026-11-16`],
    [200, `${path}/2026-11-20`],
    [400, `${path}/2026-02-30`],
    [400, `${path}/2026-13-01`],
    [404, `${path}/2026-11-21`],
  ]),
  [200, '/rates/errata?country=EL&date=2016-01-01'],
  [400, '/rates/errata?country=GRC'],
  [400, '/rates/errata?date=today'],
  ...categoryReads,
  [200, '/changes'],
  [200, '/changes?since=2026-11-20&country=hu&limit=1'],
  [200, '/changes?country=ZZ'],
  [400, '/changes?since=2026-02-30'],
  [400, '/changes?country=HUN'],
  [400, '/changes?limit=0'],
  [200, '/changes/2026-11-20'],
  [200, '/changes/2026-11-21'],
  [400, '/changes/today'],
  // A Sunday between two publications: the answer links to both.
  [404, '/fx/2026-11-15'],
  [200, '/fx/range?from=2026-11-16&to=2026-11-20&currencies=USD,BGN'],
  [400, '/fx/range?to=2026-11-20&currencies=USD'],
  [400, '/fx/range?from=2026-11-16&currencies=USD'],
  [400, '/fx/range?from=2026-11-20&to=2026-11-19&currencies=USD'],
  [400, '/fx/range?from=2026-11-16&to=2026-11-20'],
  [400, '/fx/range?from=2026-11-16&to=2026-11-20&currencies=XXX'],
  ...fxLawReads,
];

/** Reads from a service with two publications; a rate changed on 2026-11-20. */
export const reads: readonly Read[] = [
  ...ratesJsonReads,
  ...exportReads,
  ...dataReads.flatMap(([status, path]) => inBothForms(path).map((one): Read => [status, one])),
  [400, '/usage?x=1'],
  [200, '/usage'],
  [200, '/status'],
  [200, '/openapi.json'],
  [200, '/evidence/keys'],
];

/** Paths whose answers have an ETag. */
export const validated: readonly string[] = [
  ...[
    ...allSnapshotPaths.flatMap((path) => [path, `${path}/dates`, `${path}/2026-11-20`]),
    '/rates/errata',
    '/rates/categories?cn=04',
    '/rates/2026-11-20/categories?cn=04',
    '/rates/categories/list',
    '/changes',
    '/changes/2026-11-20',
    '/changes/2026-11-21',
    '/fx/range?from=2026-11-16&to=2026-11-20&currencies=USD',
    '/fx/oss/2026-Q3',
    '/fx/ioss/2026-10',
    '/fx/customs/2026-12',
    '/fx/vat/2026-11-20',
  ].flatMap(inBothForms),
  '/openapi.json',
  '/rates/2026-11-20/categories/changes',
  '/territories',
  '/territories/PT',
  ...exportPaths,
];

/** Settings with all national banks. */
export const banksEnabled = { fxBanks: bankNames };

/** Reads of national banks. */
export const ofBanks: readonly string[] = [
  ...bankNames
    .map((name) => `/fx/${name}`)
    .flatMap((path) => [path, `${path}/dates`, `${path}/2026-11-20`]),
  '/fx/vat/2026-11-20?country=PL&bank=nbp',
].flatMap(inBothForms);

/** VAT checks with the official test numbers. Each outage has its own Member State, because each has a breaker. */
export const checks: readonly (readonly [status: number, number: string])[] = [
  [200, 'AT/U99999901'],
  [200, 'EL/999999901'],
  [200, 'DE/999999901'],
  [200, 'FR/00000000000'],
  [422, 'US/1'],
  [422, 'AT/201'],
  [502, 'AT/202'],
  [503, 'BE/300'],
  [503, 'BG/301'],
  [503, 'CY/302'],
  [502, 'CZ/400'],
  [502, 'DK/401'],
  [503, 'EE/501'],
  [503, 'ES/600'],
];

/** Reads from a service that has published nothing. */
export const readsWithoutData: readonly Read[] = [
  ...allSnapshotPaths.flatMap((path): Read[] => [
    ...inBothForms(path).map((one): Read => [404, one]),
    ...inBothForms(`${path}/dates`).map((one): Read => [200, one]),
    ...inBothForms(`${path}/2026-11-20`).map((one): Read => [404, one]),
  ]),
  ...['/rates/categories?cn=04', '/rates/categories/list'].flatMap((path) =>
    inBothForms(path).map((one): Read => [404, one]),
  ),
  ...exportPaths.map((path): Read => [404, path]),
  [200, '/changes'],
  [200, '/changes/2026-11-20'],
  [200, '/fx/range?from=2026-11-16&to=2026-11-20&currencies=USD'],
  [200, '/status'],
];

type WebhookCall = {
  readonly status: number;
  readonly method: string;
  readonly target: string;
  readonly body?: unknown;
};

/** Calls about one subscription and one delivery of it, in the order in which they are made. */
export const webhookCalls: readonly WebhookCall[] = [
  {
    status: 201,
    method: 'POST',
    target: '/webhooks',
    body: { url: 'https://198.100.0.1/', headers: { a: 'b' }, secret: `whsec_${'A'.repeat(32)}` },
  },
  { status: 400, method: 'POST', target: '/webhooks', body: { url: 'ftp://shop.example' } },
  { status: 400, method: 'POST', target: '/webhooks', body: { url: '', colour: 'red' } },
  { status: 400, method: 'POST', target: '/webhooks', body: [] },
  { status: 200, method: 'GET', target: '/webhooks' },
  { status: 200, method: 'GET', target: '/webhooks/{id}' },
  { status: 404, method: 'GET', target: '/webhooks/sub_0' },
  { status: 200, method: 'PATCH', target: '/webhooks/{id}', body: { description: 'prices' } },
  { status: 200, method: 'PATCH', target: '/webhooks/{id}', body: { headers: null } },
  { status: 400, method: 'PATCH', target: '/webhooks/{id}', body: { headers: { host: 'x' } } },
  { status: 400, method: 'PATCH', target: '/webhooks/{id}', body: { status: 'off' } },
  { status: 404, method: 'PATCH', target: '/webhooks/sub_0', body: { description: null } },
  { status: 404, method: 'DELETE', target: '/webhooks/sub_0' },
  { status: 200, method: 'POST', target: '/webhooks/{id}/rotate-secret' },
  {
    status: 400,
    method: 'POST',
    target: '/webhooks/{id}/rotate-secret',
    body: { overlapHours: 169 },
  },
  { status: 404, method: 'POST', target: '/webhooks/sub_0/rotate-secret' },
  { status: 202, method: 'POST', target: '/webhooks/{id}/test' },
  { status: 404, method: 'POST', target: '/webhooks/sub_0/test' },
  { status: 200, method: 'GET', target: '/webhooks/{id}/deliveries' },
  { status: 200, method: 'GET', target: '/webhooks/{id}/deliveries?limit=1' },
  { status: 400, method: 'GET', target: '/webhooks/{id}/deliveries?status=lost' },
  { status: 400, method: 'GET', target: '/webhooks/{id}/deliveries?cursor=x' },
  { status: 400, method: 'GET', target: '/webhooks/{id}/deliveries?limit=none' },
  { status: 404, method: 'GET', target: '/webhooks/sub_0/deliveries' },
  { status: 202, method: 'POST', target: '/webhooks/{id}/deliveries/{deliveryId}/replay' },
  { status: 404, method: 'POST', target: '/webhooks/{id}/deliveries/dlv_0/replay' },
  { status: 200, method: 'PATCH', target: '/webhooks/{id}', body: { status: 'disabled' } },
  { status: 409, method: 'POST', target: '/webhooks/{id}/test' },
  { status: 409, method: 'POST', target: '/webhooks/{id}/deliveries/{deliveryId}/replay' },
  { status: 204, method: 'DELETE', target: '/webhooks/{id}' },
];

const austrian = { countryCode: 'AT', vatNumber: 'U99999901' };
const repeated = { 'idempotency-key': 'order 1' };
const repeatedBatch = { 'idempotency-key': 'upload 1' };

/** Bodies of `POST /vatchecks`; those with the same `Idempotency-Key` follow each other. */
export const newChecks: readonly {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}[] = [
  { status: 201, body: austrian, headers: repeated },
  { status: 200, body: austrian, headers: repeated },
  { status: 409, body: { ...austrian, reference: 'r' }, headers: repeated },
  { status: 400, body: austrian, headers: { 'idempotency-key': 'x'.repeat(101) } },
  { status: 200, body: { ...austrian, maxAgeSeconds: 60 } },
  { status: 202, body: { countryCode: 'IE', vatNumber: '301' } },
  {
    status: 201,
    body: {
      countryCode: 'ES',
      vatNumber: 'ESB99999902',
      requester: { countryCode: 'NL', vatNumber: '854265259B01' },
      trader: { name: 'Comercio Imaginario SL', companyType: 'ES-1' },
      reference: 'cust_1001',
    },
  },
  { status: 400, body: { ...austrian, waitSeconds: 11 } },
  { status: 400, body: { ...austrian, colour: 'red' } },
  { status: 422, body: { countryCode: 'GB', vatNumber: '123456789' } },
];

/** Bodies of `POST /vatchecks/batch`, JSON and CSV; those with the same `Idempotency-Key` follow each other. */
export const newBatches: readonly {
  readonly status: number;
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}[] = [
  { status: 202, body: { checks: [austrian, { countryCode: 'AT', vatNumber: '?' }] } },
  { status: 202, body: { checks: [austrian, { countryCode: 'AT', vatNumber: '9'.repeat(65) }] } },
  { status: 202, body: 'countryCode,vatNumber\nAT,U99999901\n', headers: repeatedBatch },
  { status: 409, body: 'countryCode,vatNumber\nAT,U99999902\n', headers: repeatedBatch },
  { status: 400, body: { checks: [austrian] }, headers: { 'idempotency-key': '' } },
  { status: 400, body: { checks: [austrian, { countryCode: 'AT' }] } },
  { status: 400, body: { checks: [{ ...austrian, waitSeconds: 1 }] } },
  { status: 202, body: 'countryCode,vatNumber,colour\nAT,U99999901,red\nAT,,\n' },
  { status: 400, body: 'countryCode,vatNumber\nAT,\nAT,\n' },
  { status: 400, body: 'countryCode,colour\nAT,red\n' },
  { status: 400, body: 'countryCode,vatNumber\nAT,"U99999901\n' },
  ...['PK\u0003\u0004xl/', '{"checks":[]}'].map((body) => ({ status: 400, body })),
  { status: 415, body: 'vatNumber\nAT1\n', headers: { 'content-type': 'text/csv; charset=x' } },
  { status: 413, body: { checks: Array.from({ length: 1_001 }, () => austrian) } },
];

/** Reads of stored checks, by their status. */
export const listsOfChecks: readonly (readonly [status: number, path: string])[] = [
  [200, '/vatchecks'],
  [200, '/vatchecks?status=answered&valid=true&countryCode=AT&vatNumber=ATU99999901&limit=1'],
  [200, '/vatchecks?reference=cust_1001&since=2026-11-01&until=2027-01-01T00:00:00Z'],
  [200, '/vatchecks.csv?vatNumber=U99999901&referencePrefix=cust_'],
  ...['/vatchecks', '/vatchecks.csv'].flatMap((path) =>
    [
      'status=lost',
      'valid=yes',
      'countryCode=AUT',
      'vatNumber=1',
      'reference=',
      'referencePrefix=',
      'batchId=1',
      'since=soon',
      'until=soon',
      'since=2026-11-20&until=2026-11-19',
      'cursor=vc_1',
      'limit=0',
    ].map((query) => [400, `${path}?${query}`] as const),
  ),
];

/** Operations that need no key. */
export const publicOperations: readonly string[] = ['getOpenApi', 'listEvidenceKeys'];

/** Valid bodies of operations that need one, because a malformed body is refused first. */
const bodies: Readonly<Record<string, object>> = {
  createCheck: { countryCode: 'AT', vatNumber: 'U99999901', waitSeconds: 0 },
  createBatch: { checks: [{ countryCode: 'AT', vatNumber: 'U99999901' }] },
  createSubscription: { url: 'https://198.100.0.1/' },
  changeSubscription: { status: 'enabled' },
};
const query: Readonly<Record<string, string>> = {
  findCategories: '?cn=04',
  findCategoriesCsv: '?cn=04',
  findCategoriesOfDate: '?cn=04',
  findCategoriesOfDateCsv: '?cn=04',
  getFxRange: '?from=2026-11-16&to=2026-11-20&currencies=USD',
  getFxRangeCsv: '?from=2026-11-16&to=2026-11-20&currencies=USD',
};

/** A request for an operation whose parameters and body are well-formed. */
export function questionOf({ id, method, path }: Operation): {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
} {
  const filled = path
    .replace('{date}', '2026-11-20')
    .replace('{taxPoint}', '2026-11-20')
    .replace('/oss/{period}', '/oss/2026-Q3')
    .replace('{period}', '2026-10')
    .replace('{country}/{vat}', 'AT/U99999901')
    .replace('{country}', 'AT');
  const body = bodies[id];
  return {
    method,
    path: filled.replaceAll(/\{\w+\}/g, 'x') + (query[id] ?? ''),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}
