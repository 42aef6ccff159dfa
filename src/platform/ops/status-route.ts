import type { FastifyInstance } from 'fastify';
import { addChargedRoute, type Charge, readNothing } from '../http/routes.ts';
import type { RunReport } from '../schedule/run-log.ts';
import { readStatus, type Status, type StatusParts } from './status.ts';

/**
 * `/status` on the API port: how fresh everything is, for whoever uses it.
 *
 * It is what the operations port tells without what is the operator's own: processes, engines, upstreams'
 * addresses and what they answered.
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

function printPublicStatus(status: Status): object {
  const { now, dataSets, upstreams, webhooks, database } = status;
  return {
    now,
    dataSets: Object.fromEntries(
      Object.entries(dataSets).map(([kind, dataSet]) => [kind, printDataSet(dataSet)]),
    ),
    memberStates: upstreams['vies']?.['memberStates'] ?? {},
    webhooks,
    database: { answering: database.answering },
  };
}

function printDataSet(dataSet: Status['dataSets'][string]): object {
  const { newestVersion, ageSeconds, publicationsMissed, lastRun, held, corrections } = dataSet;
  return {
    newestVersion,
    ageSeconds,
    publicationsMissed,
    lastRun: lastRun === null ? null : printRun(lastRun),
    held,
    corrections:
      corrections === null ? null : corrections.map((one) => pick(one, correctionFields)),
  };
}

function printRun(run: RunReport): object {
  // Why a run failed is told by whatever threw: addresses and settings may be in it.
  return { ...pick(run, runFields), detail: run.outcome === 'failed' ? null : run.detail };
}

const runFields = ['job', 'version', 'startedAt', 'endedAt', 'outcome', 'changes'] as const;
const correctionFields = ['version', 'field', 'stored', 'upstream', 'seenAt'] as const;

function pick<T extends object>(from: T, names: readonly (keyof T)[]): object {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}
