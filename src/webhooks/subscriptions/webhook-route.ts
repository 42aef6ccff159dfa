import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import type { SecretKeys } from '../../platform/encryption/secret-keys.ts';
import { ApiError } from '../../platform/http/responses/api-errors.ts';
import { type Charge, charged, keyIdOf, type Route } from '../../platform/http/routes/routes.ts';
import type { Clock } from '../../platform/time/time.ts';
import type { ReceiverUrlPolicy } from '../network/receiver-url.ts';
import type { SsrfGuard } from '../network/ssrf-guard.ts';
import { findSubscription } from './store.ts';
import type { Subscription } from './subscription.ts';

export type WebhookParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly charge: Charge;
  readonly urlPolicy: ReceiverUrlPolicy;
  /** Whether a receiver may be delivered to; queries DNS (contract C30). */
  readonly checkReceiver: (url: URL) => ReturnType<SsrfGuard['check']>;
  readonly secretKeys: Pick<SecretKeys, 'seal'>;
  /** Lets the dispatcher look for due deliveries. */
  readonly wake: () => void;
};

type WebhookRoute<Parameters, Context extends unknown[]> = Pick<Route, 'query' | 'definition'> & {
  /** Default 200. */
  readonly status?: 201 | 202 | 204;
  readonly read: (request: FastifyRequest) => Parameters;
  /** Returns the body. */
  readonly answer: (parameters: Parameters, ...context: Context) => Promise<object | void>;
};

/** Makes a charged route of scope `webhooks`. No cache may store its answers. */
export function webhookRoute<Parameters>(
  { charge }: WebhookParts,
  route: WebhookRoute<Parameters, [FastifyRequest, FastifyReply]>,
): Route {
  const { status = 200, answer, ...rest } = route;
  return charged(charge, {
    ...rest,
    scope: 'webhooks',
    answer: async (parameters, request, reply) => {
      const body = await answer(parameters, request, reply);
      const caching = status === 200 ? 'private, no-store' : 'no-store';
      return reply.code(status).header('cache-control', caching).send(body);
    },
  });
}

/** Makes a route of one subscription: 404 if there is none or it belongs to another key (contract C27). */
export function ownRoute<Parameters>(
  parts: WebhookParts,
  route: WebhookRoute<Parameters, [Subscription, FastifyRequest]>,
): Route {
  const { answer, ...rest } = route;
  return webhookRoute(parts, {
    ...rest,
    answer: async (parameters, request) => {
      const subscription = await findSubscription(parts.db, idParameter(request, 'id'));
      if (subscription?.keyId !== keyIdOf(request)) throw new ApiError('notFound');
      return answer(parameters, subscription, request);
    },
  });
}

/** An id in the path; 404 for a text that cannot be an id. */
export function idParameter(request: FastifyRequest, name: string): string {
  const id = (request.params as Readonly<Record<string, string>>)[name] ?? '';
  if (!/^\w+$/.test(id)) throw new ApiError('notFound');
  return id;
}
