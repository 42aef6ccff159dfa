import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../platform/http/responses/api-errors.ts';
import { addReadRoute, type Charge } from '../platform/http/routes/routes.ts';
import type { RequestLimit } from '../platform/http/request-cost.ts';
import { formatInstant } from '../platform/time/time.ts';
import type { Counter, Standing } from './limits/counter.ts';
import { printRefusal, type Refusal, windowSeconds } from './limits/refusal.ts';
import type { KeyRecord } from './authentication/key-store.ts';

/** Charges a request to the limits of its key. */
export function chargeWith(counter: Counter): Charge {
  const settle = (refusal: Refusal | undefined): void => {
    if (refusal === undefined) return;
    throw new ApiError(refusal.kind, printRefusal(refusal), { reason: refusal.policy });
  };
  return (request, cost) => {
    const refusal = counter.charge(keyOf(request), cost);
    return refusal instanceof Promise ? refusal.then(settle) : settle(refusal);
  };
}

/** `/usage`: the limits of the caller's key and its use of them; not charged (contract C26). */
export function addUsageRoute(app: FastifyInstance, counter: Counter): void {
  addReadRoute(app, '/usage', {
    operation: 'getUsage',
    scope: 'read',
    handler: async (request, reply) => {
      const key = keyOf(request);
      return reply
        .header('cache-control', 'private, no-store')
        .type('application/json; charset=utf-8')
        .send(printUsage(key, await counter.describe(key)));
    },
  });
}

function printUsage(key: KeyRecord, standing: Standing): string {
  const { month } = standing;
  return JSON.stringify({
    name: key.name,
    expiresAt: key.expiresAt,
    rateLimit: {
      ...describe(standing.rateLimit, standing.usedInWindow),
      windowSeconds,
      resetsAt: formatInstant(standing.windowEndsMs),
    },
    quota: {
      ...describe(standing.quota, standing.usedInMonth),
      month: formatInstant(month.startsMs).slice(0, 7),
      resetsAt: formatInstant(month.endsMs),
    },
  });
}

function describe(
  limit: RequestLimit,
  used: number,
): {
  readonly limit: number | null;
  readonly used: number;
  readonly remaining: number | null;
} {
  if (limit === 'none') return { limit: null, used, remaining: null };
  return { limit, used, remaining: Math.max(0, limit - used) };
}

function keyOf(request: Pick<FastifyRequest, 'apiKey'>): KeyRecord {
  if (request.apiKey === undefined) throw new Error('a route was reached without a key');
  return request.apiKey;
}
