import type { FastifyInstance } from 'fastify';
import { addChargedRoute, type Charge, readNothing } from '../http/routes/routes.ts';
import { readStatus, type Status, type StatusParts } from './status.ts';

/**
 * `/status` on the API port: freshness and health, for callers.
 *
 * Every key may read it. So it has counts in place of held snapshots and corrections, and nothing of
 * subscriptions, deliveries, processes, engines or why a run failed: these are on the operations port.
 */
export function addStatusRoute(app: FastifyInstance, parts: StatusParts, charge: Charge): void {
  addChargedRoute(app, '/status', {
    operation: 'getStatus',
    scope: 'read',
    charge,
    read: readNothing,
    answer: async (_, __, reply) => {
      const status = printPublicStatus(await readStatus(parts));
      return reply
        .header('cache-control', 'private, max-age=10')
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(status));
    },
  });
}

function printPublicStatus({ now, dataSets, upstreams, database }: Status): object {
  return {
    now,
    dataSets: Object.fromEntries(
      Object.entries(dataSets).map(([kind, dataSet]) => [kind, printDataSet(dataSet)]),
    ),
    memberStates: upstreams['vies']?.['memberStates'] ?? {},
    database: { answering: database.answering },
  };
}

function printDataSet(dataSet: Status['dataSets'][string]): object {
  const { newestVersion, ageSeconds, publicationsMissed, lastRun, held, corrections } = dataSet;
  return {
    newestVersion,
    ageSeconds,
    publicationsMissed,
    lastRun: lastRun === null ? null : pick(lastRun, runFields),
    heldCount: held?.length ?? null,
    correctionCount: corrections?.length ?? null,
  };
}

const runFields = ['job', 'version', 'startedAt', 'endedAt', 'outcome', 'changes'] as const;

function pick<T extends object>(from: T, names: readonly (keyof T)[]): object {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}
