import { createKey, revokeKey } from '../../src/access/authentication/key-changes.ts';
import { formatInstant } from '../../src/platform/time/time.ts';
import type { Answer } from '../../test/support/send-request.ts';
import { kind, storedCheck, withBody, withKey } from './kinds.ts';
import type { Caller, SteadyLoad } from './load.ts';

/**
 * The pause between two keys that are created and revoked, and between two subscriptions. The service remembers up to 200,000
 * keys that were used, and signing keys. With a new one each second, its memory would grow for days, by design.
 */
const changePauseMs = 20_000;
/** Number of different VAT numbers of stored checks; small, so that what the service remembers of them does not grow. */
const numbers = 50;
/** Readers of the event log that wait for events at the same time. */
const readers = 20;

/** The callers beside the steady requests, each to the end of the load. */
export const callers: readonly Caller[] = [
  changeKeys,
  changeSubscriptions,
  changeStoredChecks,
  sendRefusedTexts,
  ...Array.from({ length: readers }, () => followEvents),
];

/** Creates a key, uses it, and revokes it. */
async function changeKeys(load: SteadyLoad): Promise<void> {
  const { db, clock } = load.parts;
  const at = (): string => formatInstant(clock.now());
  while (!load.isStopped) {
    const { id, key } = await createKey(db, { name: 'short-lived', at: at() });
    await load.expect(kind('key made', 200), withKey(key));
    await revokeKey(db, id, { at: at() });
    await load.rest(changePauseMs);
    if (!load.isStopped) await load.expect(kind('key revoked', 401), withKey(key));
  }
}

/** Creates a subscription, tests it with a delivery, and removes it. */
async function changeSubscriptions(load: SteadyLoad): Promise<void> {
  const subscription = withBody('POST', '/webhooks', { url: load.parts.receiverUrl });
  while (!load.isStopped) {
    const made = readJson(await load.expect(kind('subscription made', 201), subscription));
    if (made === undefined) continue;
    const path = `/webhooks/${made['id']}`;
    await load.expect(kind('webhook tested', 202), withBody('POST', `${path}/test`, {}));
    await load.rest(changePauseMs);
    await load.expect(kind('deliveries', 200), { path: `${path}/deliveries` });
    await load.expect(kind('subscription removed', 204), { path, method: 'DELETE' });
  }
}

/**
 * Stores checks. Every second one is made while its caller waits, so that the budget of the day cannot refuse it: it has an
 * answer unless VIES blocks the service, its evidence is read, and it is deleted. The others are made in the background, and
 * wait for the next day if the budget is used up.
 */
async function changeStoredChecks(load: SteadyLoad): Promise<void> {
  const { days } = load.parts;
  for (let n = 0; !load.isStopped; n += 1) {
    const isAwaited = n % 2 === 1;
    const wasBlocked = days.isBlocked;
    const sent = storedCheck('DE', 200_000_000 + (n % numbers), isAwaited ? 10 : 0);
    const check = readJson(await load.expect(kind('check stored', 201, 202), sent));
    if (check === undefined) continue;
    const path = `/vatchecks/${check['id']}`;
    if (!isAwaited) await load.expect(kind('check polled', 200), { path: `${path}?waitSeconds=1` });
    else if (check['status'] === 'answered') {
      await load.expect(kind('evidence', 200), { path: `${path}/evidence` });
    } else if (!wasBlocked && !days.isBlocked) {
      load.note(`a stored check is ${check['status']}`);
    }
    if (isAwaited) await load.expect(kind('check deleted', 204), { path, method: 'DELETE' });
    await load.rest(300);
  }
}

/** Sends texts that the registry's firewall refuses, with a key of its own: no other request may be refused because of them. */
async function sendRefusedTexts(load: SteadyLoad): Promise<void> {
  const headers = { authorization: `Bearer ${load.parts.refusedKey}` };
  const body = { countryCode: 'AT', vatNumber: 'U99999901', trader: { name: '<script>' } };
  const sent = withBody('POST', '/vatchecks', { ...body, waitSeconds: 1 });
  const request = { ...sent, headers: { ...sent.headers, ...headers } };
  for (let last: string | undefined; !load.isStopped;) {
    if (last !== undefined) {
      const path = `/vatchecks/${last}`;
      await load.expect(kind('text deleted', 204), { path, method: 'DELETE', headers });
    }
    last = readJson(await load.expect(kind('text refused', 201, 202), request))?.['id'];
    await load.rest(500);
  }
}

/** Follows the event log; an unexpected answer is noted, and the reader goes on from its last cursor, as a client does. */
async function followEvents(load: SteadyLoad): Promise<void> {
  for (let cursor = 'now'; !load.isStopped;) {
    const path = `/events?after=${encodeURIComponent(cursor)}&waitSeconds=5`;
    const page = readJson(await load.expect(kind('events read', 200), { path }, load.readers));
    if (page === undefined) await load.rest(1_000);
    cursor = page?.['nextCursor'] ?? cursor;
  }
}

function readJson(answer: Answer | undefined): Readonly<Record<string, string>> | undefined {
  return answer && (JSON.parse(answer.text) as Readonly<Record<string, string>>);
}
