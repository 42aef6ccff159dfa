import type { FastifyInstance } from 'fastify';
import { addChargedRoute, type Charge, readNothing } from '../http/routes/routes.ts';
import { formatInstant } from '../time/time.ts';
import {
  type DataSetStatus,
  describeDataSets,
  readIfAnswering,
  readStoredStatuses,
} from './data-set-status.ts';
import type { StatusSources } from './status.ts';

/**
 * `/status` on the API port: freshness and health, for callers.
 *
 * Every key may read it. So it has counts instead of held snapshots and corrections, and nothing about
 * subscriptions, deliveries, processes or engines: these are on the operations port. Of the reason of a failed run it
 * has a code; the text may contain addresses and settings.
 */
export function addStatusRoute(app: FastifyInstance, sources: StatusSources, charge: Charge): void {
  addChargedRoute(app, '/status', {
    operation: 'getStatus',
    scope: 'read',
    charge,
    read: readNothing,
    answer: async (_, __, reply) =>
      reply
        .header('cache-control', 'private, max-age=10')
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(await readPublicStatus(sources))),
  });
}

async function readPublicStatus(sources: StatusSources): Promise<object> {
  const nowMs = sources.clock.now();
  const stored = await readIfAnswering(sources, async () => ({
    dataSets: await readStoredStatuses(sources),
    unknownTerritories: await sources.readUnknownTerritories(),
    registry: await sources.readRegistryWork(),
  }));
  const vies = sources.describeUpstreams()['vies'];
  const dataSets = describeDataSets(sources.dataSets, stored?.dataSets, nowMs);
  return {
    now: formatInstant(nowMs),
    demo: sources.isDemo,
    dataSets: Object.fromEntries(
      Object.entries(dataSets).map(([kind, dataSet]) => [kind, printDataSet(dataSet)]),
    ),
    registry: {
      blockedUntil: vies?.['blockedUntil'] ?? null,
      reason: vies?.['reason'] ?? null,
      ...(stored?.registry ?? noWork),
    },
    memberStates: vies?.['memberStates'] ?? {},
    database: { answering: stored !== undefined && !sources.watch.isLost },
    unknownTerritories: stored?.unknownTerritories ?? null,
  };
}

const noWork = { callsToday: null, waitingChecks: null, estimatedDoneAt: null };

function printDataSet(dataSet: DataSetStatus): object {
  const { newestVersion, ageSeconds, publicationsMissed, error, nextRunAt } = dataSet;
  const { lastRun, remark, held, corrections } = dataSet;
  return {
    newestVersion,
    ageSeconds,
    publicationsMissed,
    error,
    lastRun: lastRun === null ? null : pick(lastRun, runFields),
    nextRunAt,
    remark,
    heldCount: held?.length ?? null,
    correctionCount: corrections?.length ?? null,
  };
}

const runFields = [
  'job',
  'version',
  'startedAt',
  'endedAt',
  'outcome',
  'failure',
  'changes',
] as const;

function pick<T extends object>(from: T, names: readonly (keyof T)[]): object {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}
