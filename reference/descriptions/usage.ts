import { Type } from 'typebox';
import { described, instantSchema, orNull } from './common.ts';
import type { Reference } from './route-description.ts';

const limit = {
  limit: orNull(Type.Integer({ minimum: 0 }), 'Requests allowed; null for no limit.'),
  used: Type.Integer({ minimum: 0, description: 'Requests charged so far.' }),
  remaining: orNull(Type.Integer({ minimum: 0 }), 'What is left; null for no limit.'),
};

const usage = Type.Object(
  {
    name: Type.String({ description: 'The name that the key was given.' }),
    expiresAt: orNull(instantSchema, 'When the key ends; null for never.'),
    rateLimit: Type.Object(
      {
        ...limit,
        windowSeconds: Type.Integer({ description: 'In any span of so many seconds.' }),
        resetsAt: described(instantSchema, 'When nothing that was charged counts any more.'),
      },
      { description: 'Requests within a minute, whichever minute it is.' },
    ),
    quota: Type.Object(
      {
        ...limit,
        month: Type.String({ pattern: '^\\d{4}-\\d\\d$', description: 'The month, in UTC.' }),
        resetsAt: described(instantSchema, 'When the month ends.'),
      },
      { description: 'Requests within a calendar month.' },
    ),
  },
  { $id: 'Usage', description: 'Where a key stands.' },
);

/** What the reference says of this feature's route (contract C26). */
export const accessReference: Reference = {
  getUsage: {
    tag: 'Your key',
    summary: 'Where your key stands',
    description: 'Its limits, and what it has used of them. Asking is free.',
    access: 'free',
    answer: {
      status: 200,
      description: 'Limits and use.',
      schema: usage,
      cacheControl: ['private, no-store'],
    },
  },
};
