import { Type } from 'typebox';
import { dateSchema, described, instantSchema, orNull } from './common.ts';
import type { Reference } from './route-description.ts';

const away = 'null while the database does not answer.';

const run = Type.Object(
  {
    job: Type.Enum(['rates', 'fx']),
    version: orNull(dateSchema, 'The snapshot that it was for, where it was for one.'),
    startedAt: instantSchema,
    endedAt: orNull(instantSchema, 'Null while it is under way.'),
    outcome: orNull(Type.Enum(['published', 'unchanged', 'held', 'failed'])),
    changes: Type.Integer({ minimum: 0, description: 'Values that moved.' }),
  },
  { $id: 'Run', description: 'One execution of a job that fetches and publishes.' },
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
    heldCount: orNull(
      Type.Integer({ minimum: 0 }),
      `Implausible snapshots that are not published until an operator decides; ${away}`,
    ),
    correctionCount: orNull(
      Type.Integer({ minimum: 0 }),
      `Published values that the source has since changed, and that an operator has not decided on; ${away}`,
    ),
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

const status = Type.Object(
  {
    now: described(instantSchema, 'The time of the service.'),
    dataSets: Type.Object({ rates: dataSet, fx: dataSet }),
    memberStates: Type.Record(Type.String({ pattern: '^[A-Z]{2}$' }), memberState, {
      description: 'By registry code; Greece is EL. Those that were asked for since the start.',
    }),
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
      'Freshness and health: the data sets and their last runs, and how the registries of the Member States are doing.',
    answer: {
      status: 200,
      description: 'The status.',
      schema: status,
      cacheControl: ['private, max-age=10'],
    },
  },
};
