import { Type } from 'typebox';
import { dateSchema, withDescription, instantSchema, orNull } from './common.ts';
import type { Reference } from './route-description.ts';

const nullWithoutDatabase = 'null while the database does not answer.';

const run = Type.Object(
  {
    job: Type.Enum(['rates', 'fx']),
    version: orNull(dateSchema, 'The date of its snapshot; null if it had none.'),
    startedAt: instantSchema,
    endedAt: orNull(instantSchema, 'Null while it is running.'),
    outcome: orNull(Type.Enum(['published', 'unchanged', 'held', 'failed'])),
    changes: Type.Integer({ minimum: 0, description: 'The number of values that changed.' }),
  },
  { $id: 'Run', description: 'One execution of a job that fetches and publishes data.' },
);

const dataSet = Type.Object(
  {
    newestVersion: orNull(dateSchema, 'The newest snapshot; null before the first.'),
    ageSeconds: orNull(Type.Integer(), 'Seconds since the start of its date in UTC.'),
    publicationsMissed: Type.Integer({
      minimum: 0,
      description: 'Publications that are due and not available here; 0 means fresh.',
    }),
    lastRun: orNull(run, `The last run; null before the first, and ${nullWithoutDatabase}`),
    heldCount: orNull(
      Type.Integer({ minimum: 0 }),
      `Implausible snapshots, held until an operator decides; ${nullWithoutDatabase}`,
    ),
    correctionCount: orNull(
      Type.Integer({ minimum: 0 }),
      `Published values that the source has changed since, and that an operator has not decided on; ${nullWithoutDatabase}`,
    ),
  },
  { $id: 'DataSetStatus' },
);

const memberState = Type.Object(
  {
    lastAnswerAt: orNull(instantSchema),
    lastFailureAt: orNull(instantSchema),
    lastFailure: orNull(Type.String(), 'The kind of the last failure.'),
    failures: Type.Integer({ minimum: 0, description: 'Failures in a row; 0 after an answer.' }),
    breaker: Type.Enum(['closed', 'open', 'half-open'], {
      description: '`open`: not queried for a while, because its failures did not end.',
    }),
  },
  { $id: 'MemberStateStatus', description: 'The state of the registry of a Member State.' },
);

const status = Type.Object(
  {
    now: withDescription(instantSchema, 'The current time of the service.'),
    dataSets: Type.Object({ rates: dataSet, fx: dataSet }),
    memberStates: Type.Record(Type.String({ pattern: '^[A-Z]{2}$' }), memberState, {
      description:
        'By registry code; Greece is EL. Only those that were queried since the start of the service.',
    }),
    database: Type.Object({ answering: Type.Boolean() }),
  },
  { $id: 'Status', description: 'The state of the service.' },
);

/** `/status` on the API port. */
export const statusReference: Reference = {
  getStatus: {
    tag: 'Status',
    summary: 'Freshness and health',
    description:
      'The data sets with their last runs, and the state of the registries of the Member States.',
    answer: {
      status: 200,
      description: 'The status.',
      schema: status,
      cacheControl: ['private, max-age=10'],
    },
  },
};
