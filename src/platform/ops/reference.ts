import { Type } from 'typebox';
import { dateSchema, described, instantSchema, orNull } from '../http/openapi-types.ts';
import type { Reference } from '../http/route-description.ts';

const version = described(dateSchema, 'The date of the snapshot.');
const away = 'null while the database does not answer.';

const run = Type.Object(
  {
    job: Type.Enum(['rates', 'fx']),
    version: orNull(dateSchema, 'The snapshot that it was for, where it was for one.'),
    startedAt: instantSchema,
    endedAt: orNull(instantSchema, 'Null while it is under way.'),
    outcome: orNull(Type.Enum(['published', 'unchanged', 'held', 'failed'])),
    changes: Type.Integer({ minimum: 0, description: 'Values that moved.' }),
    detail: orNull(
      Type.String(),
      'More about the outcome. Null where there is no more to say, and when the run failed: the operator sees why.',
    ),
  },
  { $id: 'Run', description: 'One execution of a job that fetches and publishes.' },
);

const held = Type.Object(
  {
    id: Type.String(),
    version,
    reasons: Type.Array(Type.String(), { description: 'Why it is implausible.' }),
    heldAt: instantSchema,
  },
  { $id: 'HeldSnapshot', description: 'What was fetched and waits for an operator to decide.' },
);

const correction = Type.Object(
  {
    version,
    field: Type.String({
      description: 'A currency, or a country and a rate: `NOK`, `HU standard`.',
    }),
    stored: orNull(Type.String(), 'As published here; null where it was not there.'),
    upstream: orNull(Type.String(), 'As the source has it now; null where it is gone.'),
    seenAt: instantSchema,
  },
  {
    $id: 'Correction',
    description: 'A published value about which the source has changed its mind.',
  },
);

const dataSet = Type.Object(
  {
    newestVersion: orNull(dateSchema, 'The newest snapshot; null before the first.'),
    ageSeconds: orNull(Type.Integer(), 'Since its date began in UTC.'),
    publicationsMissed: Type.Integer({
      minimum: 0,
      description: 'Publications that are due and not here: 0 is fresh.',
    }),
    lastRun: orNull(run, `The last run; null before the first, and ${away}`),
    held: orNull(Type.Array(held), `What is held; ${away}`),
    corrections: orNull(Type.Array(correction), `Corrections that are open; ${away}`),
  },
  { $id: 'DataSetStatus' },
);

const memberState = Type.Object(
  {
    lastAnswerAt: orNull(instantSchema),
    lastFailureAt: orNull(instantSchema),
    lastFailure: orNull(Type.String(), 'What the last failure was.'),
    failures: Type.Integer({ minimum: 0, description: 'Failures in a row; 0 after an answer.' }),
    breaker: Type.Enum(['closed', 'open', 'half-open'], {
      description: '`open`: not asked for a while, because it kept failing.',
    }),
  },
  { $id: 'MemberStateStatus', description: 'How the registry of a Member State has been doing.' },
);

const backlog = Type.Object(
  {
    pending: Type.Integer({ minimum: 0, description: 'Deliveries that are still to be made.' }),
    oldestDueSeconds: orNull(Type.Number({ minimum: 0 }), 'How long the oldest has been due.'),
    subscriptions: Type.Object({
      enabled: Type.Integer({ minimum: 0 }),
      disabled: Type.Integer({ minimum: 0 }),
    }),
  },
  { $id: 'WebhookBacklog' },
);

const status = Type.Object(
  {
    now: described(instantSchema, 'The time of the service.'),
    dataSets: Type.Object({ rates: dataSet, fx: dataSet }),
    memberStates: Type.Record(Type.String({ pattern: '^[A-Z]{2}$' }), memberState, {
      description: 'By registry code; Greece is EL. Those that were asked for since the start.',
    }),
    webhooks: orNull(backlog, `The deliveries of all subscriptions; ${away}`),
    database: Type.Object({ answering: Type.Boolean() }),
  },
  { $id: 'Status', description: 'How the service is doing.' },
);

/** What the reference says of `/status` on the API port. */
export const statusReference: Reference = {
  getStatus: {
    tag: 'Status',
    summary: 'How fresh everything is',
    description:
      'The data sets and their last runs, what is held back, how the registries of the Member States are doing, and what waits to be delivered.',
    answer: {
      status: 200,
      description: 'The status.',
      schema: status,
      cacheControl: ['private, max-age=10'],
    },
  },
};
