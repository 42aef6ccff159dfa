import type { OutgoingHttpHeaders } from 'node:http';
import { Agent } from 'undici';
import { onTestFinished } from 'vitest';
import { createMetrics } from '../../src/platform/metrics.ts';
import { DeliveryAttempts } from '../../src/webhooks/delivery/delivery-attempts.ts';
import type { ClaimedDelivery } from '../../src/webhooks/delivery/delivery.ts';
import type { EventSources } from '../../src/events/event-types.ts';
import { open, seal } from '../../src/platform/encryption/secret-box.ts';
import { createSigningSecret } from '../../src/webhooks/signature.ts';
import { rotateSecret } from '../../src/webhooks/subscriptions/secret-store.ts';
import { insertSubscription } from '../../src/webhooks/subscriptions/store.ts';
import { serveHttp } from './loopback-server.ts';
import { SettableClock } from './settable-clock.ts';
import { keepLog, noon, storeEvent } from './stored-webhooks.ts';
import { openTemporaryDatabase } from './temporary-database.ts';

export const secretKey = Buffer.alloc(32, 7);
/** The signing secret of a number. */
export const secretOf = (n: number): string => createSigningSecret(Buffer.alloc(32, n));
const at = (minute: number): string => `2026-11-20T11:${String(minute).padStart(2, '0')}:00.000Z`;

/** Attempts at one receiver, with a subscription that signs with secret 1. */
export async function openAttempts({ random = 0.5 } = {}) {
  const db = await openTemporaryDatabase();
  const answer = { status: 204, headers: {} as OutgoingHttpHeaders };
  const receiver = { ...answer, bodies: [] as string[], signatures: [] as string[] };
  const url = await serveHttp((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      receiver.bodies.push(body);
      receiver.signatures.push(String(request.headers['webhook-signature']));
      response.writeHead(receiver.status, receiver.headers).end();
    });
  });
  const subscribe = async (sealedBy = secretKey): Promise<string> => {
    const wanted = { keyId: 'key_a', url: new URL(url), events: [], description: null, at: at(0) };
    const sealSecret = (id: string): string => seal(sealedBy, secretOf(1), id);
    return (await insertSubscription(db, { ...wanted, seal: sealSecret }))?.id ?? '';
  };
  const subscriptionId = await subscribe();
  await storeEvent(db, { id: 'evt_1', snapshot_date: '2026-11-20' });
  /** The source of the body of `/changes`: the dates that were read, and one that cannot be read. */
  const changes = {
    answer: { json: '[]', count: 0 },
    datesRead: [] as string[],
    unreadable: '',
    failure: new Error('no changes'),
  };
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  const clock = new SettableClock(noon);
  const metrics = createMetrics();
  const { lines, log } = keepLog();
  const readChanges: EventSources['readChanges'] = async (date) => {
    changes.datesRead.push(date);
    if (date === changes.unreadable) throw changes.failure;
    return changes.answer;
  };
  // Bodies of the tests use no other source.
  const sources = { readChanges } as EventSources;
  const attempts = new DeliveryAttempts({
    db,
    clock,
    log,
    metrics,
    dispatcher: agent,
    secretKeys: { open: (sealed, context) => open(secretKey, sealed, context) },
    scheduleSeconds: [0, 5, 300],
    random: () => random,
    ...sources,
  });
  const claimed = (own: Partial<ClaimedDelivery> = {}): ClaimedDelivery => ({
    id: 'dlv_1',
    subscriptionId,
    keyId: 'key_a',
    eventId: 'evt_1',
    url,
    attemptsMade: 0,
    claim: 'claim',
    ...own,
  });
  return {
    db,
    receiver,
    subscribe,
    subscriptionId,
    changes,
    clock,
    metrics,
    lines,
    claimed,
    rotate: async (n: number, minute: number): Promise<void> => {
      const sealSecret = (id: string): string => seal(secretKey, secretOf(n), id);
      const overlapEndsAt = '2026-11-20T12:30:00.000Z';
      const by = { at: at(minute) };
      await rotateSecret(db, subscriptionId, { by, seal: sealSecret, overlapEndsAt });
    },
    run: async (...deliveries: readonly ClaimedDelivery[]) =>
      Promise.all(await attempts.begin(deliveries)),
  };
}
