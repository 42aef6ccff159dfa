import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../platform/http/responses/api-errors.ts';
import { readRequesters } from '../../numbers/requester.ts';
import { idForms } from '../ids.ts';
import type { CheckDefaults } from './check-request.ts';
import { cacheControl } from './definitions.ts';
import { rateOnly } from '../../../platform/http/request-cost.ts';
import {
  type Charge,
  charged,
  type ChargedRoute,
  type Route,
} from '../../../platform/http/routes/routes.ts';

const [noStore] = cacheControl;

type CheckRoute<Parameters> = Omit<ChargedRoute<Parameters>, 'scope' | 'cost' | 'answer'> & {
  /** Returns the body; sets the status and the media type unless they are 200 and JSON. */
  readonly answer: (
    parameters: Parameters,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<object | string | void>;
};

/**
 * Makes a route of scope `checks`, whose requests count against the rate limit only (rule K10). No cache may store its
 * answers (rule K5).
 */
export function checkRoute<Parameters>(charge: Charge, route: CheckRoute<Parameters>): Route {
  const { answer, ...rest } = route;
  return charged(charge, {
    ...rest,
    scope: 'checks',
    cost: rateOnly,
    answer: async (parameters, request, reply) => {
      const body = await answer(parameters, request, reply);
      return reply.header('cache-control', noStore).send(body);
    },
  });
}

/** The id of a check; 404 for a text that cannot be one. */
export function checkId(id: string): string {
  if (!idForms.vc.test(id)) throw new ApiError('notFound');
  return id;
}

/** The same of the service alone: `REQUESTERS`, and the registries that are enabled. */
export type ServiceDefaults = Omit<CheckDefaults, 'ofKey'>;

/** The same with the requesters of the key of a request. */
export function defaultsOf({ apiKey }: FastifyRequest, service: ServiceDefaults): CheckDefaults {
  return { ...service, ofKey: readRequesters(apiKey?.requester ?? '') };
}
