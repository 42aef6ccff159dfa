import type { FastifyInstance } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import type { ValueOf } from '../../platform/fields/schema.ts';
import { ApiError } from '../../platform/http/responses/api-errors.ts';
import { readAs } from '../../platform/http/routes/read-request.ts';
import { addRoutes } from '../../platform/http/routes/routes.ts';
import { formatInstant } from '../../platform/time/time.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { idParameter, ownRoute, type WebhookParts } from '../subscriptions/webhook-route.ts';
import * as defined from './definitions.ts';
import { printDelivery } from './delivery.ts';
import { findDelivery, listDeliveries } from './delivery-log.ts';
import { replayDelivery, type Requested, requestTest } from './replays.ts';

/** Adds the routes of a subscription's deliveries: the log, a test, and a replay (contract C27). */
export function addDeliveryRoutes(app: FastifyInstance, parts: WebhookParts): void {
  const { db, clock, wake } = parts;
  const now = (): string => formatInstant(clock.now());

  addRoutes(app, '/webhooks/:id/deliveries', {
    GET: ownRoute(parts, {
      ...readAs(defined.listOfDeliveries),
      answer: async ({ status, cursor, limit }, { id }) => {
        const query = { subscriptionId: id, status, after: cursor, limit };
        const { deliveries, next } = await listDeliveries(db, query);
        const nextCursor = next === undefined ? null : defined.printCursor(next);
        return { deliveries: deliveries.map(printDelivery), nextCursor };
      },
    }),
  });

  addRoutes(app, '/webhooks/:id/test', {
    POST: ownRoute(parts, {
      ...readAs(defined.sendTest),
      status: 202,
      answer: async (_, subscription) => {
        requireEnabled(subscription);
        const id = idOrRefusal(await requestTest(db, subscription, now()));
        wake();
        return printStored(db, subscription, id);
      },
    }),
  });

  addRoutes(app, '/webhooks/:id/deliveries/:deliveryId/replay', {
    POST: ownRoute(parts, {
      ...readAs(defined.replay),
      status: 202,
      answer: async (_, subscription, request) => {
        requireEnabled(subscription);
        const id = idParameter(request, 'deliveryId');
        await printStored(db, subscription, id);
        idOrRefusal(await replayDelivery(db, { subscription, id }, now()));
        wake();
        return printStored(db, subscription, id);
      },
    }),
  });
}

/** Throws the 409 of a disabled subscription: a requested delivery would not be sent. */
function requireEnabled({ status }: Subscription): void {
  if (status === 'disabled') throw new ApiError('subscriptionDisabled');
}

/** The id of the requested delivery; throws the error that says why nothing is sent. */
function idOrRefusal(requested: Requested): string {
  switch (requested.kind) {
    case 'done':
      return requested.deliveryId;
    case 'limited': {
      const seconds = requested.retryAfterSeconds;
      throw new ApiError('rateLimited', {
        'retry-after': String(seconds),
        'ratelimit-policy': '"replays-of-delivery";q=1;w=60',
        ratelimit: `"replays-of-delivery";r=0;t=${seconds}`,
      });
    }
    case 'gone':
      // Another request has removed it meanwhile.
      throw new ApiError('notFound');
  }
}

/** A delivery as it is stored; 404 if the subscription has none with this id. */
async function printStored(
  db: Db,
  subscription: Subscription,
  id: string,
): Promise<ValueOf<typeof defined.delivery>> {
  const found = await findDelivery(db, subscription.id, id);
  if (found === undefined) throw new ApiError('notFound');
  return printDelivery(found);
}
