import { Type } from 'typebox';
import {
  allKinds,
  bankNames,
  dataSetKinds,
} from '../../src/platform/publication/data-set-kinds.ts';
import { runFailures } from '../../src/platform/schedule/run-failure.ts';
import { dateSchema, withDescription, instantSchema, orNull } from './common.ts';
import type { Reference } from './route-description.ts';

const nullWithoutDatabase = 'null while the database does not answer.';

const run = Type.Object(
  {
    job: Type.Enum([...allKinds]),
    version: orNull(
      dateSchema,
      'The date of the snapshot that the run fetched; null if it fetched none.',
    ),
    startedAt: instantSchema,
    endedAt: orNull(instantSchema, 'Null while the run is in progress.'),
    outcome: orNull(Type.Enum(['published', 'unchanged', 'held', 'failed'])),
    failure: orNull(
      Type.Enum(Object.keys(runFailures)),
      `The reason of a failed run; null for a run that did not fail, and for one of an earlier version of the service. ${Object.entries(
        runFailures,
      )
        .map(([code, means]) => `\`${code}\`: ${means}.`)
        .join(' ')}`,
    ),
    changes: Type.Integer({ minimum: 0, description: 'The number of values that changed.' }),
  },
  { $id: 'Run', description: 'One execution of a job that fetches and publishes data.' },
);

const dataSet = Type.Object(
  {
    newestVersion: orNull(
      dateSchema,
      'The date of the newest snapshot; null before the first one.',
    ),
    ageSeconds: orNull(
      Type.Integer(),
      'Seconds since `newestVersion` began in UTC; null before the first snapshot.',
    ),
    publicationsMissed: Type.Integer({
      minimum: 0,
      description:
        'The number of publications that are due but not available here; 0 means that the data is fresh.',
    }),
    error: orNull(
      Type.String(),
      '`later than today`: the newest version is dated after today, because the clock of a machine was, or is, wrong. Otherwise null.',
    ),
    lastRun: orNull(run, `The last run; null before the first run, and ${nullWithoutDatabase}`),
    nextRunAt: orNull(
      instantSchema,
      `The next time at which the service fetches data, by its timetable; ${nullWithoutDatabase}`,
    ),
    remark: orNull(
      Type.String(),
      `The remarks of the service about the newest version when it was published, such as a rate that its own comment contradicts; null if nothing, and ${nullWithoutDatabase}`,
    ),
    heldCount: orNull(
      Type.Integer({ minimum: 0 }),
      `The number of implausible snapshots that are held until an operator decides; ${nullWithoutDatabase}`,
    ),
    correctionCount: orNull(
      Type.Integer({ minimum: 0 }),
      `The number of published values that the source has changed later, and that no operator has decided on yet; ${nullWithoutDatabase}`,
    ),
  },
  { $id: 'DataSetStatus', description: 'The state of the rates of one source.' },
);

const memberState = Type.Object(
  {
    lastAnswerAt: orNull(instantSchema),
    lastFailureAt: orNull(instantSchema),
    lastFailure: orNull(Type.String(), 'The kind of the last failure; null if there was none.'),
    failures: Type.Integer({ minimum: 0, description: 'Failures in a row; 0 after an answer.' }),
    breaker: Type.Enum(['closed', 'open', 'half-open'], {
      description:
        'The circuit breaker. `closed`: the registry is queried. `open`: after several failures in a row it is not queried for a while. `half-open`: one query finds out whether it answers again.',
    }),
  },
  { $id: 'MemberStateStatus', description: 'The state of the registry of a Member State.' },
);

const registry = Type.Object(
  {
    blockedUntil: orNull(
      instantSchema,
      'VIES blocks this service, and no VAT number is queried before this moment; null if it does not.',
    ),
    reason: orNull(
      Type.String(),
      'The answer by which VIES blocks this service: `IP_BLOCKED`, `HTTP 403`, `HTTP 429` or a web page in place of an answer; null if it does not.',
    ),
    callsToday: orNull(
      Type.Object({
        background: Type.Integer({
          minimum: 0,
          description: 'Queries of stored checks that no caller waits for.',
        }),
        callers: Type.Integer({ minimum: 0, description: 'Queries that a caller waited for.' }),
        perDay: orNull(
          Type.Integer({ minimum: 1 }),
          'The most background queries of a day; null for no limit.',
        ),
      }),
      `Queries of VIES since midnight UTC, of all replicas together; ${nullWithoutDatabase}`,
    ),
    waitingChecks: orNull(
      Type.Integer({ minimum: 0 }),
      `The number of stored checks of all keys that wait for a query; ${nullWithoutDatabase}`,
    ),
    estimatedDoneAt: orNull(
      instantSchema,
      `When the last of them will have been queried once, at the present pace and daily budget; null if none waits, and ${nullWithoutDatabase}`,
    ),
  },
  { $id: 'RegistryStatus', description: 'VIES, the registry of all Member States.' },
);

const status = Type.Object(
  {
    now: withDescription(instantSchema, 'The current time of the service.'),
    demo: Type.Boolean({
      description:
        'Whether this is the demo, whose data is simulated and not for use. The demo answers as the service does.',
    }),
    dataSets: Type.Object({
      ...Object.fromEntries(dataSetKinds.map((kind) => [kind, dataSet])),
      // Only of the banks that the operator has enabled.
      ...Object.fromEntries(bankNames.map((name) => [name, Type.Optional(dataSet)])),
    }),
    registry,
    memberStates: Type.Record(Type.String({ pattern: '^[A-Z]{2}$' }), memberState, {
      description:
        'By registry code; Greece is EL. Contains only the registries that were queried since the start of the service.',
    }),
    database: Type.Object({ answering: Type.Boolean() }),
    unknownTerritories: orNull(
      Type.Array(Type.String()),
      `Territories that the newest VAT rates name, and that \`/territories\` does not have: the country, and the words of TEDB. Their rates are in \`/rates/categories?territories=include\`, and never national; ${nullWithoutDatabase}`,
    ),
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
