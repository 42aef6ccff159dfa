import type { PrintedCheck } from '../../../src/vat-check/stored/print-check.ts';
import { eventually } from '../../support/eventually.ts';
import { registerTraders, setMemberState } from '../../support/sandbox/scripts.ts';
import { get, type ServeProcess } from './serve-process.ts';
import type { UpgradeWorld } from './upgrade-world.ts';

type Checks = { readonly checks: readonly PrintedCheck[] };
type Watches = { readonly watches: readonly { readonly lastCheck: object | null }[] };

/** A check that is repeated with the same `Idempotency-Key`. */
export const orderedCheck = {
  countryCode: 'ES',
  vatNumber: 'ESB99999902',
  reference: 'order 1001',
  requester: { countryCode: 'NL', vatNumber: '999999901B01' },
  trader: { name: 'Comercio Imaginario SL', postcode: '28001', city: 'Sevilla' },
};

/** Valid, not valid, refused, without an answer for longer than the data is used, and without one that has expired. */
const others = [
  { countryCode: 'FR', vatNumber: '00999999901' },
  { countryCode: 'DE', vatNumber: '200' },
  { countryCode: 'IT', vatNumber: '201' },
  { countryCode: 'AT', vatNumber: 'U99999901', expiresInHours: 720 },
  { countryCode: 'AT', vatNumber: 'U99999903', expiresInHours: 1 },
];

const batch = [
  { countryCode: 'DE', vatNumber: '999999901', reference: 'cust 1' },
  { countryCode: 'GB', vatNumber: '123456789', reference: 'cust 2' },
  { countryCode: 'AT', vatNumber: '100', reference: 'cust 3' },
];

/** A watched number, and the name that the registry has of it; another name is a change. */
export function nameWatched({ sandbox: { scenario } }: UpgradeWorld, name: string): void {
  registerTraders(scenario, { country: 'PT', number: '999999990', name, address: 'LISBOA' });
}

type Init = {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Sends a request with a key, of JSON unless the headers have another type; throws unless it succeeds. */
async function send<T>(url: string, key: string, { method, headers, body }: Init): Promise<T> {
  const own = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
  const response = await fetch(url, { method, headers: own, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

/** Creates a check; the same key and body return the same check. */
export async function createCheck(
  { apiUrl }: ServeProcess,
  key: string,
  { body, idempotencyKey }: { readonly body: object; readonly idempotencyKey?: string },
): Promise<PrintedCheck> {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  const method = 'POST';
  return send(`${apiUrl}/vatchecks`, key, { method, headers, body: JSON.stringify(body) });
}

/** Creates the checks of a batch. */
export async function createBatch(
  { apiUrl }: ServeProcess,
  key: string,
  checks: readonly object[],
): Promise<void> {
  const body = JSON.stringify({ checks });
  await send(`${apiUrl}/vatchecks/batch`, key, { method: 'POST', body });
}

/** Watches a number. */
async function putWatch(
  { apiUrl }: ServeProcess,
  key: string,
  path: string,
  wanted: object,
): Promise<void> {
  const body = JSON.stringify(wanted);
  await send(`${apiUrl}/vatwatches/${path}`, key, { method: 'PUT', body });
}

/** Checks, a batch and two watches, on a server with jobs while Austria is down. */
export async function makeChecks(
  world: UpgradeWorld,
  server: ServeProcess,
  key: string,
): Promise<void> {
  setMemberState(world.sandbox.scenario, 'AT', 'down');
  nameWatched(world, 'IMAGINARIA LDA');
  for (const body of others) await createCheck(server, key, { body });
  await createBatch(server, key, batch);
  await putWatch(server, key, 'PT/999999990', { everyDays: 1, reference: 'daily' });
  await putWatch(server, key, 'FI/99999901', { reference: 'quarterly' });
  await eventually(async () => {
    const { watches } = JSON.parse((await get(`${server.apiUrl}/vatwatches`, key)).text) as Watches;
    const pending = await listChecks(server, key, 'status=pending');
    return (
      watches.every(({ lastCheck }) => lastCheck !== null) &&
      pending.every(({ countryCode }) => countryCode === 'AT')
    );
  });
}

/** The newest checks of a key. */
export async function listChecks(
  { apiUrl }: ServeProcess,
  key: string,
  filter = '',
): Promise<readonly PrintedCheck[]> {
  const url = `${apiUrl}/vatchecks?limit=100&${filter}`;
  return (JSON.parse((await get(url, key)).text) as Checks).checks;
}
