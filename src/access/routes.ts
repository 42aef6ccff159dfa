import type { FastifyInstance, FastifyRequest } from 'fastify';
import { countFree, type FreeLimits } from '../platform/http/free-requests.ts';
import { instant } from '../platform/fields/dates.ts';
import { describe, integer, object, orNull, string } from '../platform/fields/schema.ts';
import { defineRoute, printAnswer } from '../platform/http/routes/define-route.ts';
import { definedAs } from '../platform/http/routes/read-request.ts';
import { addReadRoute, type Charge } from '../platform/http/routes/routes.ts';
import type { MostRequests, RequestLimit } from '../platform/http/request-cost.ts';
import { formatInstant } from '../platform/time/time.ts';
import type { Counter, Standing } from './limits/counter.ts';
import { toError } from './limits/refusal-error.ts';
import { type Refusal, windowSeconds } from './limits/refusal.ts';
import type { KeyRecord } from './authentication/key-store.ts';

const left = (what: string) => ({
  limit: orNull(integer({ minimum: 0 }), `The number of allowed ${what}; null without a limit.`),
  used: integer({
    minimum: 0,
    description: `The number of ${what} that were ${what === 'calls' ? 'made' : 'charged'} so far.`,
  }),
  remaining: orNull(
    integer({ minimum: 0 }),
    `The number of ${what} that are left; null without a limit.`,
  ),
});

/** `/usage`: the limits of the caller's key and its use of them (contract C26). */
const getUsage = defineRoute({
  operation: 'getUsage',
  tag: 'Your key',
  summary: 'The limits of your key',
  description:
    'The limits of your key, and how many requests it has used. This request is not charged.',
  access: 'free',
  answer: {
    description: 'Limits and use.',
    cacheControl: ['private, no-store'],
    schema: object(
      {
        name: string({ description: 'The name of the key.' }),
        expiresAt: orNull(instant, 'When the key expires; null if it does not expire.'),
        rateLimit: object(
          {
            ...left('requests'),
            windowSeconds: integer({
              description: 'The length of the window, which begins with the first request in it.',
            }),
            resetsAt: describe(instant, 'When the window ends; now if the key has none.'),
          },
          { description: 'The limit of requests in a window of 60 seconds.' },
        ),
        quota: object(
          {
            ...left('requests'),
            month: string({ pattern: '^\\d{4}-\\d\\d$', description: 'The month, in UTC.' }),
            resetsAt: describe(instant, 'When the month ends.'),
          },
          { description: 'The limit of requests within a calendar month.' },
        ),
        callsPerDay: object(
          {
            ...left('calls'),
            resetsAt: describe(instant, 'When the day ends, in UTC.'),
          },
          {
            description:
              'The limit of calls to VIES in a UTC day that requests of the key wait for. Beyond it a new number of `/vatcheck` is 429 `QUOTA_EXCEEDED`, and a stored check is checked in the background. Cached answers, batches and watches do not count.',
          },
        ),
      },
      { $id: 'Usage', description: 'The limits of a key, and its use of them.' },
    ),
  },
});

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
    ...definedAs(getUsage),
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
  return printAnswer(getUsage, {
    name: key.name,
    expiresAt: key.expiresAt,
    rateLimit: {
      ...countLeft(standing.rateLimit, standing.usedInWindow),
      windowSeconds,
      resetsAt: formatInstant(standing.windowEndsMs),
    },
    quota: {
      ...countLeft(standing.quota, standing.usedInMonth),
      month: formatInstant(month.startsMs).slice(0, 7),
      resetsAt: formatInstant(month.endsMs),
    },
    callsPerDay: {
      ...countLeft(calls.limit, calls.used),
      resetsAt: formatInstant(calls.endsMs),
    },
  });
}

function countLeft(limit: RequestLimit, used: number) {
  if (limit === 'none') return { limit: null, used, remaining: null };
  return { limit, used, remaining: Math.max(0, limit - used) };
}

function keyOf(request: Pick<FastifyRequest, 'apiKey'>): KeyRecord {
  if (request.apiKey === undefined) throw new Error('a route was reached without a key');
  return request.apiKey;
}
