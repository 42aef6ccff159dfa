import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import { ApiError, invalidField, unknownField } from '../../platform/http/responses/api-errors.ts';
import { addRoutes, type Charge, charged, readNothing } from '../../platform/http/routes/routes.ts';
import { type Clock, formatInstant } from '../../platform/time.ts';
import type { ReceiverUrlPolicy } from '../network/receiver-url.ts';
import type { SecretKeys } from '../../platform/encryption/secret-keys.ts';
import { createSigningSecret } from '../delivery/signature.ts';
import type { Subscription } from './subscription.ts';
import {
  type NewSubscription,
  type Read,
  readNewSubscription,
  readOverlapHours,
  readSubscriptionChange,
  type SubscriptionChange,
} from './input.ts';
import {
  findSubscription,
  insertSubscription,
  listSubscriptions,
  removeSubscription,
  rotateSecret,
  updateSubscription,
} from './store.ts';

const hourMs = 3_600_000;
/** Answers that depend on the key must not be stored by shared caches. */
const privately = 'private, no-store';

export type WebhookParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly charge: Charge;
  readonly urlPolicy: ReceiverUrlPolicy;
  /** Whether a receiver may be delivered to; queries DNS (contract C30). */
  readonly checkReceiver: (
    url: URL,
  ) => Promise<
    | { readonly kind: 'allowed' }
    | { readonly kind: 'refused'; readonly why: 'unresolved' | 'notPublic' }
  >;
  readonly secretKeys: Pick<SecretKeys, 'seal'>;
  /** Lets the dispatcher look for due deliveries. */
  readonly wake: () => void;
};

/** Adds the routes of webhook subscriptions, which the key that they belong to manages (contract C27). */
export function addSubscriptionRoutes(app: FastifyInstance, parts: WebhookParts): void {
  const { db, charge, urlPolicy } = parts;
  addRoutes(app, '/webhooks', {
    GET: charged(charge, {
      operation: 'listSubscriptions',
      scope: 'webhooks',
      read: readNothing,
      answer: async (_, request, reply) => {
        const subscriptions = await listSubscriptions(db, keyIdOf(request));
        return reply
          .header('cache-control', privately)
          .send({ webhooks: subscriptions.map(printSubscription) });
      },
    }),
    POST: charged(charge, {
      operation: 'createSubscription',
      scope: 'webhooks',
      read: ({ body }) => orThrow(readNewSubscription(body, urlPolicy)),
      answer: async (wanted, request, reply) => {
        const created = await create(parts, keyIdOf(request), wanted);
        return reply
          .code(201)
          .header('cache-control', 'no-store')
          .header('location', `/webhooks/${created.id}`)
          .send(created);
      },
    }),
  });
  addRoutesOfOne(app, parts);
}

/** Adds the routes of one subscription: read, change, remove, rotate its secret. */
function addRoutesOfOne(app: FastifyInstance, parts: WebhookParts): void {
  const { db, charge, urlPolicy } = parts;
  addRoutes(app, '/webhooks/:id', {
    GET: charged(charge, {
      operation: 'getSubscription',
      scope: 'webhooks',
      read: readNothing,
      answer: async (_, request, reply) => {
        const found = await findOwn(db, request);
        return reply.header('cache-control', privately).send(printSubscription(found));
      },
    }),
    PATCH: charged(charge, {
      operation: 'changeSubscription',
      scope: 'webhooks',
      read: ({ body }) => orThrow(readSubscriptionChange(body, urlPolicy)),
      answer: async (change, request, reply) => {
        const changed = await update(parts, await findOwn(db, request), change);
        return reply.header('cache-control', privately).send(printSubscription(changed));
      },
    }),
    DELETE: charged(charge, {
      operation: 'removeSubscription',
      scope: 'webhooks',
      read: readNothing,
      answer: async (_, request, reply) => {
        const { id, keyId } = await findOwn(db, request);
        await removeSubscription(db, id, { at: formatInstant(parts.clock.now()), keyId });
        return reply.code(204).header('cache-control', 'no-store').send();
      },
    }),
  });
  addRoutes(app, '/webhooks/:id/rotate-secret', {
    POST: charged(charge, {
      operation: 'rotateSecret',
      scope: 'webhooks',
      read: ({ body }) => orThrow(readOverlapHours(body)),
      answer: async (overlapHours, request, reply) => {
        const found = await findOwn(db, request);
        const rotated = await rotate(parts, found, overlapHours);
        return reply.header('cache-control', privately).send(rotated);
      },
    }),
  });
}

/** Finds the subscription in the path; 404 if there is none or it belongs to another key (contract C27). */
export async function findOwn(db: Db, request: FastifyRequest): Promise<Subscription> {
  const id = idParameter(request, 'id');
  const found = await findSubscription(db, id);
  if (found === undefined || found.keyId !== keyIdOf(request)) throw new ApiError('notFound');
  return found;
}

/** An id in the path; 404 for a text that cannot be an id. */
export function idParameter(request: FastifyRequest, name: string): string {
  const id = (request.params as Readonly<Record<string, string>>)[name] ?? '';
  if (!/^\w+$/.test(id)) throw new ApiError('notFound');
  return id;
}

/** The parsed value; throws the 400 that names what was expected. */
export function orThrow<T>(read: Read<T>): T {
  if (read.kind === 'read') return read.value;
  throw read.expected === undefined
    ? unknownField(read.field)
    : invalidField(read.field, read.expected);
}

/** Creates a subscription. Its secret is shown in this answer and never again. */
async function create(
  parts: WebhookParts,
  keyId: string,
  wanted: NewSubscription,
): Promise<PrintedSubscription & { readonly secret: string }> {
  const { db, clock, secretKeys } = parts;
  await refuseUnlessAllowed(parts, wanted.url);
  const secret = createSigningSecret(randomBytes(32));
  const created = await insertSubscription(db, {
    ...wanted,
    keyId,
    url: wanted.url.href,
    at: formatInstant(clock.now()),
    seal: async (id, tx) => secretKeys.seal(tx, secret, id),
  });
  if (created === undefined) throw new ApiError('subscriptionLimit');
  return { ...printSubscription(created), secret };
}

async function update(
  parts: WebhookParts,
  before: Subscription,
  change: SubscriptionChange,
): Promise<Subscription> {
  const { db, clock, wake } = parts;
  const { url, status, ...rest } = change;
  if (url !== undefined && url.href !== before.url) await refuseUnlessAllowed(parts, url);
  const { id, keyId } = before;
  const at = formatInstant(clock.now());
  const statuses = {
    enabled: { status: 'enabled', at },
    disabled: { status: 'disabled', reason: 'requested' },
  } as const;
  const wanted = {
    ...rest,
    ...(url === undefined ? undefined : { url: url.href }),
    ...(status === undefined ? undefined : { status: statuses[status] }),
  };
  const changed = await updateSubscription(db, id, wanted, { at, keyId });
  // Another request has removed it meanwhile.
  if (changed === undefined) throw new ApiError('notFound');
  wake();
  return changed;
}

async function rotate(
  parts: WebhookParts,
  { id, keyId }: Subscription,
  overlapHours: number,
): Promise<object> {
  const { db, clock, secretKeys } = parts;
  const nowMs = clock.now();
  const overlapEndsAt = formatInstant(nowMs + overlapHours * hourMs);
  const secret = createSigningSecret(randomBytes(32));
  const at = formatInstant(nowMs);
  const isThere = await rotateSecret(db, id, {
    seal: async (_, tx) => secretKeys.seal(tx, secret, id),
    at,
    keyId,
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

/** A subscription on the wire: without its key (contract C27). */
type PrintedSubscription = Omit<Subscription, 'keyId'>;

function printSubscription(subscription: Subscription): PrintedSubscription {
  const { id, url, events, description, status, disabledReason, createdAt } = subscription;
  return { id, url, events, description, status, disabledReason, createdAt };
}

function keyIdOf({ keyId }: FastifyRequest): string {
  if (keyId === null) throw new Error('a route was reached without a key');
  return keyId;
}
