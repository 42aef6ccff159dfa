import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { ApiError, invalidField } from '../../platform/http/responses/api-errors.ts';
import { readAs } from '../../platform/http/routes/read-request.ts';
import { addRoutes, keyIdOf } from '../../platform/http/routes/routes.ts';
import { formatInstant } from '../../platform/time/time.ts';
import { createSigningSecret } from '../signature.ts';
import * as defined from './definitions.ts';
import type { NewSubscription, SubscriptionChange } from './fields.ts';
import type { NewHeaders } from './header-store.ts';
import type { ReceiverHeaders } from './receiver-headers.ts';
import { rotateSecret } from './secret-store.ts';
import {
  insertSubscription,
  listSubscriptions,
  removeSubscription,
  updateSubscription,
} from './store.ts';
import { printSubscription, type Subscription } from './subscription.ts';
import { ownRoute, type WebhookParts, webhookRoute } from './webhook-route.ts';

const hourMs = 3_600_000;

/** Adds the routes of webhook subscriptions, which the key that they belong to manages (contract C27). */
export function addSubscriptionRoutes(app: FastifyInstance, parts: WebhookParts): void {
  const { db, clock, urlPolicy } = parts;
  addRoutes(app, '/webhooks', {
    GET: webhookRoute(parts, {
      ...readAs(defined.listOfSubscriptions),
      answer: async (_, request) => {
        const subscriptions = await listSubscriptions(db, keyIdOf(request));
        return { webhooks: subscriptions.map(printOwn) };
      },
    }),
    POST: webhookRoute(parts, {
      ...readAs(defined.createSubscription(urlPolicy)),
      status: 201,
      answer: async ({ body: wanted }, request, reply) => {
        const created = await create(parts, keyIdOf(request), wanted);
        reply.header('location', `/webhooks/${created.id}`);
        return created;
      },
    }),
  });
  addRoutes(app, '/webhooks/:id', {
    GET: ownRoute(parts, {
      ...readAs(defined.getSubscription),
      answer: async (_, subscription) => printOwn(subscription),
    }),
    PATCH: ownRoute(parts, {
      ...readAs(defined.changeSubscription(urlPolicy)),
      answer: async ({ body: change }, subscription) =>
        printOwn(await update(parts, subscription, change)),
    }),
    DELETE: ownRoute(parts, {
      ...readAs(defined.deleteSubscription),
      status: 204,
      answer: async (_, { id, keyId }) =>
        removeSubscription(db, id, { at: formatInstant(clock.now()), keyId }),
    }),
  });
  addRoutes(app, '/webhooks/:id/rotate-secret', {
    POST: ownRoute(parts, {
      ...readAs(defined.rotateSecret),
      answer: async ({ body }, subscription) => rotate(parts, subscription, body.overlapHours),
    }),
  });
}

/** Creates a subscription. Its secret is shown in this answer and never again. */
async function create(
  parts: WebhookParts,
  keyId: string,
  { secret = createSigningSecret(randomBytes(32)), headers, ...wanted }: NewSubscription,
) {
  const { db, clock, secretKeys } = parts;
  await refuseUnlessAllowed(parts, wanted.url);
  const created = await insertSubscription(db, {
    ...wanted,
    keyId,
    at: formatInstant(clock.now()),
    seal: async (id, tx) => secretKeys.seal(tx, secret, id),
    headers: sealed(parts, headers),
  });
  if (created === undefined) throw new ApiError('subscriptionLimit');
  return { ...printOwn(created), secret };
}

async function update(
  parts: WebhookParts,
  { id, keyId, url }: Subscription,
  { headers, ...change }: SubscriptionChange,
): Promise<Subscription> {
  const { db, clock, wake } = parts;
  if (change.url !== undefined && change.url.href !== url) {
    await refuseUnlessAllowed(parts, change.url);
  }
  const by = { at: formatInstant(clock.now()), keyId };
  const given = headers === undefined ? {} : { headers: sealed(parts, headers) };
  const changed = await updateSubscription(db, id, { ...change, ...given }, by);
  // Another request has removed it meanwhile.
  if (changed === undefined) throw new ApiError('notFound');
  wake();
  return changed;
}

function sealed({ secretKeys }: WebhookParts, headers: ReceiverHeaders): NewHeaders {
  return {
    names: headers.map(([name]) => name),
    seal: async (id, tx) => secretKeys.seal(tx, JSON.stringify(headers), id),
  };
}

async function rotate(
  { db, clock, secretKeys }: WebhookParts,
  { id, keyId }: Subscription,
  overlapHours: number,
): Promise<object> {
  const nowMs = clock.now();
  const overlapEndsAt = formatInstant(nowMs + overlapHours * hourMs);
  const secret = createSigningSecret(randomBytes(32));
  const isThere = await rotateSecret(db, id, {
    by: { at: formatInstant(nowMs), keyId },
    seal: async (_, tx) => secretKeys.seal(tx, secret, id),
    overlapEndsAt,
  });
  // Another request has removed it meanwhile.
  if (!isThere) throw new ApiError('notFound');
  return { id, secret, overlapEndsAt };
}

async function refuseUnlessAllowed({ checkReceiver }: WebhookParts, url: URL): Promise<void> {
  const checked = await checkReceiver(url);
  if (checked.kind === 'allowed') return;
  const expected = { unresolved: 'a host that resolves', notPublic: 'a public address' };
  throw invalidField('url', expected[checked.why]);
}

/** A subscription as its key sees it (contract C27). */
function printOwn(subscription: Subscription) {
  const { keyId: _keyId, ...own } = printSubscription(subscription);
  return own;
}
