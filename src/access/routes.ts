import type { FastifyInstance, FastifyRequest } from 'fastify';
import { countFree, type FreeLimits } from '../platform/http/free-requests.ts';
import { addReadRoute, type Charge } from '../platform/http/routes/routes.ts';
import type { MostRequests, RequestLimit } from '../platform/http/request-cost.ts';
import { formatInstant } from '../platform/time/time.ts';
import type { Counter, Standing } from './limits/counter.ts';
import { toError } from './limits/refusal-error.ts';
import { type Refusal, windowSeconds } from './limits/refusal.ts';
import type { KeyRecord } from './authentication/key-store.ts';

/** Charges a request to the limits of its key. */
export function chargeWith(counter: Counter): Charge {
  return (request, cost) => {
    const settle = (refusal: Refusal | undefined): void => {
      if (refusal !== undefined) throw toError(refusal);
      request.isCounted = true;
    };
    const refusal = counter.charge(keyOf(request), cost);
    return refusal instanceof Promise ? refusal.then(settle) : settle(refusal);
  };
}

/** The most requests that the limits of a request's key could ever admit at once, in this process (contract C26). */
export function mostOfWith(counter: Counter): (request: FastifyRequest) => MostRequests {
  return (request) => counter.mostOf(keyOf(request));
}

/** `/usage`: the limits of the caller's key and its use of them; not charged (contract C26). */
export function addUsageRoute(
  app: FastifyInstance,
  parts: {
    readonly counter: Counter;
    readonly freeLimits: FreeLimits;
    readonly describeCalls: (keyId: string) => Promise<CallsOfDay>;
  },
): void {
  const { counter, freeLimits, describeCalls } = parts;
  addReadRoute(app, '/usage', {
    operation: 'getUsage',
    scope: 'read',
    handler: async (request, reply) => {
      const key = keyOf(request);
      countFree(request, freeLimits);
      return reply
        .header('cache-control', 'private, no-store')
        .type('application/json; charset=utf-8')
        .send(printUsage(key, await counter.describe(key), await describeCalls(key.id)));
    },
  });
}

/** Calls to VIES in the present UTC day that callers of a key wait for, and the end of that day (rule K21b). */
type CallsOfDay = {
  readonly limit: RequestLimit;
  readonly used: number;
  readonly endsMs: number;
};

function printUsage(key: KeyRecord, standing: Standing, calls: CallsOfDay): string {
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
    callsPerDay: {
      ...describe(calls.limit, calls.used),
      resetsAt: formatInstant(calls.endsMs),
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
