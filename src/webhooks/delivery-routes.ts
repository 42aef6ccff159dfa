import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../platform/http/api-errors.ts';
import { addRoutes, charged, readNothing } from '../platform/http/routes.ts';
import { formatInstant } from '../platform/time.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery, listDeliveries, replayDelivery, replaySince } from './delivery-log.ts';
import { printCursor, readDeliveryPage, readSince } from './delivery-query.ts';
import { insertTest } from './delivery-store.ts';
import type { Subscription } from './subscription.ts';
import { findOwn, idParameter, orThrow, type WebhookParts } from './subscription-routes.ts';

/** The deliveries of a subscription: the log, a test, and replays (contract C27). */
export function addDeliveryRoutes(app: FastifyInstance, parts: WebhookParts): void {
  const { db, clock, charge, wake } = parts;
  const now = (): string => formatInstant(clock.now());

  addRoutes(app, '/webhooks/:id/deliveries', {
    GET: charged(charge, {
      operation: 'listDeliveries',
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
      read: readNothing,
      answer: async (_, request, reply) => {
        const { id } = await findEnabled(parts, request);
        const deliveryId = orGone(await insertTest(db, id, now()));
        wake();
        return reply
          .code(202)
          .header('cache-control', 'no-store')
          .send(await findOwnDelivery(parts, id, deliveryId));
      },
    }),
  });

  addRoutes(app, '/webhooks/:id/deliveries/:deliveryId/replay', {
    POST: charged(charge, {
      operation: 'replayDelivery',
      read: readNothing,
      answer: async (_, request, reply) => {
        const { id } = await findEnabled(parts, request);
        const deliveryId = idParameter(request, 'deliveryId');
        await findOwnDelivery(parts, id, deliveryId);
        await db.transaction().execute(async (tx) => replayDelivery(tx, deliveryId, now()));
        wake();
        return reply
          .code(202)
          .header('cache-control', 'no-store')
          .send(await findOwnDelivery(parts, id, deliveryId));
      },
    }),
  });

  addRoutes(app, '/webhooks/:id/replay', {
    POST: charged(charge, {
      operation: 'replayEvents',
      read: ({ body }) => orThrow(readSince(body)),
      answer: async (since, request, reply) => {
        const subscription = await findEnabled(parts, request);
        const events = orGone(await replaySince(db, subscription, since, now()));
        wake();
        return reply.code(202).header('cache-control', 'no-store').send({ since, events });
      },
    }),
  });
}

/** What is sent on request would wait for ever while the subscription is disabled. */
async function findEnabled(parts: WebhookParts, request: FastifyRequest): Promise<Subscription> {
  const found = await findOwn(parts.db, request);
  if (found.status === 'disabled') throw new ApiError('subscriptionDisabled');
  return found;
}

/** What was done to a subscription, unless another request has removed it meanwhile. */
function orGone<T>(done: T | undefined): T {
  if (done === undefined) throw new ApiError('notFound');
  return done;
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
