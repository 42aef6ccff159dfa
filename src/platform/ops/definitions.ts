import { date, instant } from '../fields/dates.ts';
import * as schema from '../fields/schema.ts';
import { defineRoute } from '../http/routes/define-route.ts';
import { allKinds, bankNames, dataSetKinds } from '../publication/data-set-kinds.ts';
import { type RunFailure, runFailures } from '../schedule/run-failure.ts';

const { absentable, boolean, describe, integer, list, object, oneOf, orNull, record, string } =
  schema;

const nullWithoutDatabase = 'null while the database does not answer.';

const run = object(
  {
    job: oneOf<string>(allKinds),
    version: orNull(
      date,
      'The date of the snapshot that the run fetched; null if it fetched none.',
    ),
    startedAt: instant,
    endedAt: orNull(instant, 'Null while the run is in progress.'),
    outcome: orNull(oneOf(['published', 'unchanged', 'held', 'failed'])),
    failure: orNull(
      oneOf(Object.keys(runFailures) as RunFailure[]),
      `The reason of a failed run; null for a run that did not fail, and for one of an earlier version of the service. ${Object.entries(
        runFailures,
      )
        .map(([code, means]) => `\`${code}\`: ${means}.`)
        .join(' ')}`,
    ),
    changes: integer({ minimum: 0, description: 'The number of values that changed.' }),
  },
  { $id: 'Run', description: 'One execution of a job that fetches and publishes data.' },
);

const dataSet = object(
  {
    newestVersion: orNull(date, 'The date of the newest snapshot; null before the first one.'),
    ageSeconds: orNull(
      integer(),
      'Seconds since `newestVersion` began in UTC; null before the first snapshot.',
    ),
    publicationsMissed: integer({
      minimum: 0,
      description:
        'The number of publications that are due but not available here; 0 means that the data is fresh.',
    }),
    error: orNull(
      string(),
      '`later than today`: the newest version is dated after today, because the clock of a machine was, or is, wrong. Otherwise null.',
    ),
    lastRun: orNull(run, `The last run; null before the first run, and ${nullWithoutDatabase}`),
    nextRunAt: orNull(
      instant,
      `The next time at which the service fetches data, by its timetable; ${nullWithoutDatabase}`,
    ),
    remark: orNull(
      string(),
      `The remarks of the service about the newest version when it was published, such as a rate that its own comment contradicts; null if nothing, and ${nullWithoutDatabase}`,
    ),
    heldCount: orNull(
      integer({ minimum: 0 }),
      `The number of implausible snapshots that are held until an operator decides; ${nullWithoutDatabase}`,
    ),
    correctionCount: orNull(
      integer({ minimum: 0 }),
      `The number of published values that the source has changed later, and that no operator has decided on yet; ${nullWithoutDatabase}`,
    ),
  },
  { $id: 'DataSetStatus', description: 'The state of the rates of one source.' },
);

const memberState = object(
  {
    lastAnswerAt: orNull(instant),
    lastFailureAt: orNull(instant),
    lastFailure: orNull(string(), 'The kind of the last failure; null if there was none.'),
    failures: integer({ minimum: 0, description: 'Failures in a row; 0 after an answer.' }),
    breaker: oneOf(['closed', 'open', 'half-open'], {
      description:
        'The circuit breaker. `closed`: the registry is queried. `open`: after several failures in a row it is not queried for a while. `half-open`: one query finds out whether it answers again.',
    }),
  },
  { $id: 'MemberStateStatus', description: 'The state of the registry of a Member State.' },
);

const registry = object(
  {
    blockedUntil: orNull(
      instant,
      'VIES blocks this service, and no VAT number is queried before this moment; null if it does not.',
    ),
    reason: orNull(
      string(),
      'The answer by which VIES blocks this service: `IP_BLOCKED`, `HTTP 403`, `HTTP 429` or a web page in place of an answer; null if it does not.',
    ),
    callsToday: orNull(
      object({
        background: integer({
          minimum: 0,
          description: 'Queries of stored checks that no caller waits for.',
        }),
        callers: integer({ minimum: 0, description: 'Queries that a caller waited for.' }),
        perDay: orNull(
          integer({ minimum: 1 }),
          'The most background queries of a day; null for no limit.',
        ),
      }),
      `Queries of VIES since midnight UTC, of all replicas together; ${nullWithoutDatabase}`,
    ),
    waitingChecks: orNull(
      integer({ minimum: 0 }),
      `The number of stored checks of all keys that wait for a query; ${nullWithoutDatabase}`,
    ),
    estimatedDoneAt: orNull(
      instant,
      `When the last of them will have been queried once, at the present pace and daily budget; null if none waits, and ${nullWithoutDatabase}`,
    ),
  },
  { $id: 'RegistryStatus', description: 'VIES, the registry of all Member States.' },
);

/** `/status` on the API port. */
export const getStatus = defineRoute({
  operation: 'getStatus',
  tag: 'Status',
  summary: 'Freshness and health',
  description:
    'The data sets with their last runs, and the state of the registries of the Member States.',
  answer: {
    description: 'The status.',
    cacheControl: ['private, max-age=10'],
    schema: object(
      {
        now: describe(instant, 'The current time of the service.'),
        demo: boolean({
          description:
            'Whether this is the demo, whose data is simulated and not for use. The demo answers as the service does.',
        }),
        dataSets: object<{ readonly [kind: string]: typeof dataSet }>({
          ...Object.fromEntries(dataSetKinds.map((kind) => [kind, dataSet])),
          // Only of the banks that the operator has enabled.
          ...Object.fromEntries(bankNames.map((name) => [name, absentable(dataSet)])),
        }),
        registry,
        memberStates: record(string({ pattern: '^[A-Z]{2}$' }), memberState, {
          description:
            'By registry code; Greece is EL. Contains only the registries that were queried since the start of the service.',
        }),
        database: object({ answering: boolean() }),
        unknownTerritories: orNull(
          list(string()),
          `Territories that the newest VAT rates name, and that \`/territories\` does not have: the country, and the words of TEDB. Their rates are in \`/rates/categories?territories=include\`, and never national; ${nullWithoutDatabase}`,
        ),
      },
      { $id: 'Status', description: 'The state of the service.' },
    ),
  },
});
