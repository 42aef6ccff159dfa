import { Type } from 'typebox';
import { withDescription, instantSchema, orNull } from './common.ts';
import type { Reference } from './route-description.ts';

const limit = {
  limit: orNull(
    Type.Integer({ minimum: 0 }),
    'The number of allowed requests; null without a limit.',
  ),
  used: Type.Integer({
    minimum: 0,
    description: 'The number of requests that were charged so far.',
  }),
  remaining: orNull(
    Type.Integer({ minimum: 0 }),
    'The number of requests that are left; null without a limit.',
  ),
};

const usage = Type.Object(
  {
    name: Type.String({ description: 'The name of the key.' }),
    expiresAt: orNull(instantSchema, 'When the key expires; null if it does not expire.'),
    rateLimit: Type.Object(
      {
        ...limit,
        windowSeconds: Type.Integer({
          description: 'The length of the window, which begins with the first request in it.',
        }),
        resetsAt: withDescription(instantSchema, 'When the window ends; now if the key has none.'),
      },
      { description: 'The limit of requests in a window of 60 seconds.' },
    ),
    quota: Type.Object(
      {
        ...limit,
        month: Type.String({ pattern: '^\\d{4}-\\d\\d$', description: 'The month, in UTC.' }),
        resetsAt: withDescription(instantSchema, 'When the month ends.'),
      },
      { description: 'The limit of requests within a calendar month.' },
    ),
    callsPerDay: Type.Object(
      {
        limit: orNull(
          Type.Integer({ minimum: 0 }),
          'The number of allowed calls; null without a limit.',
        ),
        used: Type.Integer({
          minimum: 0,
          description: 'The number of calls that were made so far.',
        }),
        remaining: orNull(
          Type.Integer({ minimum: 0 }),
          'The number of calls that are left; null without a limit.',
        ),
        resetsAt: withDescription(instantSchema, 'When the day ends, in UTC.'),
      },
      {
        description:
          'The limit of calls to VIES in a UTC day that requests of the key wait for. Beyond it a new number of `/vatcheck` is 429 `QUOTA_EXCEEDED`, and a stored check is checked in the background. Cached answers, batches and watches do not count.',
      },
    ),
  },
  { $id: 'Usage', description: 'The limits of a key, and its use of them.' },
);

/** The route of a key's usage (contract C26). */
export const accessReference: Reference = {
  getUsage: {
    tag: 'Your key',
    summary: 'The limits of your key',
    description:
      'The limits of your key, and how many requests it has used. This request is not charged.',
    access: 'free',
    answer: {
      status: 200,
      description: 'Limits and use.',
      schema: usage,
      cacheControl: ['private, no-store'],
    },
  },
};
