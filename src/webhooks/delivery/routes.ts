import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, invalidField } from '../../platform/http/responses/api-errors.ts';
import { addRoutes, charged, readNothing } from '../../platform/http/routes/routes.ts';
import { formatInstant } from '../../platform/time.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery, listDeliveries } from './delivery-log.ts';
import { printCursor, readDeliveryPage, readSince } from './input.ts';
import { type ReplayRefusal, tooManySince } from './replay-limits.ts';
import { replayDelivery, replaySince, type Requested, requestTest } from './replays.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { findOwn, idParameter, orThrow, type WebhookParts } from '../subscriptions/routes.ts';

/** Adds the routes of a subscription's deliveries: the log, a test, and replays (contract C27). */
export function addDeliveryRoutes(app: FastifyInstance, parts: WebhookParts): void {
  const { db, clock, charge, wake } = parts;
  const now = (): string => formatInstant(clock.now());

  addRoutes(app, '/webhooks/:id/deliveries', {
    GET: charged(charge, {
      operation: 'listDeliveries',
      scope: 'webhooks',
      query: ['status', 'cursor', 'limit'],
      read: ({ query }) => orThrow(readDeliveryPage(query as Record<string, unknown>)),
      answer: async (page, request, reply) => {
        const { id } = await findOwn(db, request);
        const { deliveries, next } = await listDeliveries(db, { subscriptionId: id, ...page });
        const nextCursor = next === undefined ? null : printCursor(next);
        return reply.header('cache-control', 'private, no-store').send({ deliveries, nextCursor });
      },
    }),
  });

  addRoutes(app, '/webhooks/:id/test', {
    POST: charged(charge, {
      operation: 'sendTest',
      scope: 'webhooks',
      read: readNothing,
      answer: async (_, request, reply) => {
        const subscription = await findEnabled(parts, request);
        const deliveryId = orRefuse(await requestTest(db, subscription, now()));
        wake();
        return reply
          .code(202)
          .header('cache-control', 'no-store')
          .send(await findOwnDelivery(parts, subscription.id, deliveryId));
      },
    }),
  });

  addRoutes(app, '/webhooks/:id/deliveries/:deliveryId/replay', {
    POST: charged(charge, {
      operation: 'replayDelivery',
      scope: 'webhooks',
      read: readNothing,
      answer: async (_, request, reply) => {
        const subscription = await findEnabled(parts, request);
        const id = idParameter(request, 'deliveryId');
        await findOwnDelivery(parts, subscription.id, id);
        orRefuse(await replayDelivery(db, { subscription, id }, now()));
        wake();
        return reply
          .code(202)
          .header('cache-control', 'no-store')
          .send(await findOwnDelivery(parts, subscription.id, id));
      },
    }),
  });

  addRoutes(app, '/webhooks/:id/replay', {
    POST: charged(charge, {
      operation: 'replayEvents',
      scope: 'webhooks',
      read: ({ body }) => orThrow(readSince(body)),
      answer: async (since, request, reply) => {
        const subscription = await findEnabled(parts, request);
        const events = orRefuse(await replaySince(db, subscription, { since, at: now() }));
        wake();
        return reply.code(202).header('cache-control', 'no-store').send({ since, events });
      },
    }),
  });
}

/** Finds the subscription; 409 while it is disabled, because a requested delivery would not be sent. */
async function findEnabled(parts: WebhookParts, request: FastifyRequest): Promise<Subscription> {
  const found = await findOwn(parts.db, request);
  if (found.status === 'disabled') throw new ApiError('subscriptionDisabled');
  return found;
}

/** The value of a request; throws the error that says why nothing is sent. */
function orRefuse<T>(requested: Requested<T>): T {
  switch (requested.kind) {
    case 'done':
      return requested.value;
    case 'limited':
      throw new ApiError('rateLimited', printRefusal(requested.refusal));
    case 'tooMany':
      throw invalidField('since', tooManySince);
    case 'gone':
      // Another request has removed it meanwhile.
      throw new ApiError('notFound');
  }
}

/** Headers of the 429, in the form of those for the rate limit. */
function printRefusal(refusal: ReplayRefusal): Readonly<Record<string, string>> {
  const { policy, limit, windowSeconds, retryAfterSeconds } = refusal;
  return {
    'retry-after': String(retryAfterSeconds),
    'ratelimit-policy': `"${policy}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=0;t=${retryAfterSeconds}`,
  };
}

async function findOwnDelivery(
  { db }: WebhookParts,
  subscriptionId: string,
  id: string,
): Promise<Delivery> {
  const found = await findDelivery(db, subscriptionId, id);
  if (found === undefined) throw new ApiError('notFound');
  return found;
}
