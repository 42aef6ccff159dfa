import type { FastifyInstance } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import { ApiError, invalidField } from '../../platform/http/responses/api-errors.ts';
import { addRoutes, readNothing } from '../../platform/http/routes/routes.ts';
import { formatInstant } from '../../platform/time.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { idParameter, ownRoute, type WebhookParts } from '../subscriptions/webhook-route.ts';
import { type PrintedDelivery, printDelivery } from './delivery.ts';
import { findDelivery, listDeliveries } from './delivery-log.ts';
import { printCursor, readDeliveryPage, readSince } from './input.ts';
import { type ReplayRefusal, tooManySince } from './replay-limits.ts';
import { replayDelivery, replaySince, type Requested, requestTest } from './replays.ts';

/** Adds the routes of a subscription's deliveries: the log, a test, and replays (contract C27). */
export function addDeliveryRoutes(app: FastifyInstance, parts: WebhookParts): void {
  const { db, clock, wake } = parts;
  const now = (): string => formatInstant(clock.now());

  addRoutes(app, '/webhooks/:id/deliveries', {
    GET: ownRoute(parts, {
      operation: 'listDeliveries',
      query: ['status', 'cursor', 'limit'],
      read: ({ query }) => readDeliveryPage(query as Record<string, unknown>),
      answer: async (page, { id }) => {
        const { deliveries, next } = await listDeliveries(db, { subscriptionId: id, ...page });
        const nextCursor = next === undefined ? null : printCursor(next);
        return { deliveries: deliveries.map(printDelivery), nextCursor };
      },
    }),
  });

  addRoutes(app, '/webhooks/:id/test', {
    POST: ownRoute(parts, {
      operation: 'sendTest',
      status: 202,
      read: readNothing,
      answer: async (_, subscription) => {
        requireEnabled(subscription);
        const id = orRefuse(await requestTest(db, subscription, now()));
        wake();
        return printStored(db, subscription, id);
      },
    }),
  });

  addRoutes(app, '/webhooks/:id/deliveries/:deliveryId/replay', {
    POST: ownRoute(parts, {
      operation: 'replayDelivery',
      status: 202,
      read: readNothing,
      answer: async (_, subscription, request) => {
        requireEnabled(subscription);
        const id = idParameter(request, 'deliveryId');
        await printStored(db, subscription, id);
        orRefuse(await replayDelivery(db, { subscription, id }, now()));
        wake();
        return printStored(db, subscription, id);
      },
    }),
  });

  addRoutes(app, '/webhooks/:id/replay', {
    POST: ownRoute(parts, {
      operation: 'replayEvents',
      status: 202,
      read: ({ body }) => readSince(body),
      answer: async (since, subscription) => {
        requireEnabled(subscription);
        const events = orRefuse(await replaySince(db, subscription, { since, at: now() }));
        wake();
        return { since, events };
      },
    }),
  });
}

/** Throws the 409 of a disabled subscription: a requested delivery would not be sent. */
function requireEnabled({ status }: Subscription): void {
  if (status === 'disabled') throw new ApiError('subscriptionDisabled');
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

/** A delivery as it is stored; 404 if the subscription has none with this id. */
async function printStored(
  db: Db,
  subscription: Subscription,
  id: string,
): Promise<PrintedDelivery> {
  const found = await findDelivery(db, subscription.id, id);
  if (found === undefined) throw new ApiError('notFound');
  return printDelivery(found);
}
